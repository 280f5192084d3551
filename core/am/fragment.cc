#include "core/am/fragment.h"

#include "base/little_endian.h"
#include "core/am/copy.h"
#include "core/am/tuning.h"

namespace gasnet::am {
namespace {

bool IsMessageSound(const Record& record) {
  if (record.payload_sent) return false;
  const bool is_medium = record.category == Category::kMedium;
  return record.nbytes <= (is_medium ? kMaxMedium : kMaxLong);
}

bool IsFragmentSound(const FragmentRecord& record) {
  const Fragment& fragment = record.fragment;
  return fragment.length > 0 && fragment.offset <= record.nbytes &&
         fragment.length <= record.nbytes - fragment.offset;
}

}  // namespace

size_t EncodeFragmentHead(std::byte* frame, size_t begin,
                          const Message& message, const Fragment& fragment) {
  // Moves the start of the record to the front of the frame. The fragment's
  // place in the message is stored behind it.
  const size_t rest_at = begin + kFragmentBytes;
  const size_t payload_at =
      EncodeHead(frame, rest_at, message, fragment.length);
  const auto start = LoadNumber<uint64_t>(frame + rest_at);
  StoreNumber(frame + begin, start | std::to_integer<uint64_t>(kFragmentFlag));
  std::byte* const place = frame + begin + kRecordStartBytes;
  StoreNumber(place, fragment.number);
  StoreNumber(place + 4, fragment.offset);
  StoreNumber<uint64_t>(place + 8, fragment.length);
  return payload_at;
}

size_t EncodeFragment(std::byte* frame, size_t begin, const Message& message,
                      const Fragment& fragment) {
  const size_t at = EncodeFragmentHead(frame, begin, message, fragment);
  const auto* const from = static_cast<const std::byte*>(message.payload);
  CopyPayload(frame + at, from + fragment.offset, fragment.length);
  return at + fragment.length;
}

bool DecodeFragment(std::span<std::byte> frame, size_t begin,
                    FragmentRecord& record) {
  const size_t rest_at = begin + kFragmentBytes;
  if (frame.size() < rest_at + kRecordStartBytes ||
      !ReadStart(frame.data() + begin, record, kFragmentFlag)) {
    return false;
  }
  const std::byte* const place = frame.data() + begin + kRecordStartBytes;
  record.fragment = {LoadNumber<uint32_t>(place),
                     LoadNumber<uint32_t>(place + 4),
                     LoadNumber<uint32_t>(place + 8)};
  if (!IsMessageSound(record) || !IsFragmentSound(record)) return false;
  const size_t end = ReadRest(frame, rest_at, record.fragment.length, record);
  return end != 0 && (end == frame.size() || frame[end] == kPadding);
}

}  // namespace gasnet::am
