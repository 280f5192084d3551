#include "job/wire/wire_lists.h"

namespace gasnet::job {

void WriteNumbers(WireWriter& out, const std::vector<uint32_t>& numbers) {
  out.U32(numbers.size());
  for (const uint32_t number : numbers) out.U32(number);
}

std::vector<uint32_t> ReadNumbers(WireReader& in, size_t limit) {
  const uint32_t size = in.U32();
  if (size > limit || in.remaining() / sizeof(uint32_t) < size) in.Fail();
  std::vector<uint32_t> numbers(in.ok() ? size : 0);
  for (uint32_t& number : numbers) number = in.U32();
  return numbers;
}

void WriteTexts(WireWriter& out, const std::vector<std::string>& texts) {
  out.U32(texts.size());
  for (const std::string& text : texts) out.Text(text);
}

std::vector<std::string> ReadTexts(WireReader& in, size_t limit) {
  const uint32_t count = in.U32();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    texts.emplace_back(in.Text(limit));
  }
  return texts;
}

}  // namespace gasnet::job
