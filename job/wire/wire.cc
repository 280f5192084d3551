#include "job/wire/wire.h"

namespace gasnet::job {

void WireReader::Fail() {
  ok_ = false;
  in_ = {};
}

std::string_view WireReader::Raw(size_t size) {
  if (size > in_.size()) {
    Fail();
    return {};
  }
  const std::string_view bytes = in_.substr(0, size);
  in_.remove_prefix(size);
  return bytes;
}

std::string_view WireReader::Text(size_t limit) {
  const uint32_t size = U32();
  if (size > limit) Fail();
  return ok_ ? Raw(size) : std::string_view();
}

uint32_t WireReader::Integer(size_t bytes) {
  uint32_t value = 0;
  const std::string_view raw = Raw(bytes);
  for (size_t i = 0; i < raw.size(); ++i) {
    value |= static_cast<uint32_t>(static_cast<unsigned char>(raw[i]))
             << (8 * i);
  }
  return value;
}

}  // namespace gasnet::job
