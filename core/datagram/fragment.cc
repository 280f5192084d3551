#include "core/datagram/fragment.h"

#include "base/little_endian.h"
#include "core/am/copy.h"

namespace gasnet::datagram {
namespace {

static_assert(kPadding == am::kPadding);

constexpr size_t kPlaceAt = kHeaderBytes + am::kRecordStartBytes;
constexpr size_t kRestAt = kHeaderBytes + kFragmentBytes;

bool IsMessageSound(const am::Record& record) {
  if (record.in_place) return false;
  const bool is_medium = record.category == am::Category::kMedium;
  return record.nbytes <= (is_medium ? kMaxMedium : am::kMostLong);
}

bool IsFragmentSound(const FragmentRecord& record) {
  const Fragment& fragment = record.fragment;
  return fragment.length > 0 && fragment.offset <= record.nbytes &&
         fragment.length <= record.nbytes - fragment.offset;
}

}  // namespace

size_t EncodeFragmentHead(std::byte* packet, const am::Message& message,
                          const Fragment& fragment) {
  // The start of the record is moved to the front. This makes room for the end
  // of what is in between.
  const size_t payload_at =
      am::EncodeHead(packet, kRestAt, message, fragment.length);
  const auto start = LoadNumber<uint64_t>(packet + kRestAt);
  StoreNumber(packet + kHeaderBytes,
              start | std::to_integer<uint64_t>(kFragmentFlag));
  StoreNumber(packet + kPlaceAt, fragment.number);
  StoreNumber(packet + kPlaceAt + 4, fragment.offset);
  StoreNumber<uint64_t>(packet + kPlaceAt + 8, fragment.length);
  return payload_at;
}

size_t EncodeFragment(std::byte* packet, const am::Message& message,
                      const Fragment& fragment) {
  const size_t at = EncodeFragmentHead(packet, message, fragment);
  const auto* const from = static_cast<const std::byte*>(message.payload);
  am::CopyPayload(packet + at, from + fragment.offset, fragment.length);
  return at + fragment.length;
}

bool DecodeFragment(MutableBytes packet, FragmentRecord& record) {
  if (packet.size() < kRestAt + am::kRecordStartBytes ||
      !am::ReadStart(packet.data() + kHeaderBytes, record, kFragmentFlag)) {
    return false;
  }
  const std::byte* const place = packet.data() + kPlaceAt;
  record.fragment = {LoadNumber<uint32_t>(place),
                     LoadNumber<uint32_t>(place + 4),
                     LoadNumber<uint32_t>(place + 8)};
  if (!IsMessageSound(record) || !IsFragmentSound(record)) return false;
  const size_t end =
      am::ReadRest(packet, kRestAt, record.fragment.length, record);
  return end != 0 && (end == packet.size() || packet[end] == kPadding);
}

}  // namespace gasnet::datagram
