#include "core/am/records.h"

#include "base/little_endian.h"
#include "core/am/copy.h"
#include "core/am/payload.h"

namespace gasnet::am {
namespace {

constexpr std::byte kCategoryMask{3};

// Widths and positions, in bits, of the fields in bytes 2 and 3 of a record.
constexpr unsigned kArgsBits = 5;
constexpr unsigned kIndexBits = 5;
constexpr unsigned kAcrossAt = kArgsBits + kIndexBits;
constexpr unsigned kIndexMask = kMaxEndpoints - 1;
static_assert(kMaxArgs < 1u << kArgsBits && kIndexMask < 1u << kIndexBits);

constexpr uint64_t ShapeOf(const Message& message) {
  return message.num_args | uint64_t{message.endpoint} << kArgsBits |
         uint64_t{message.across} << kAcrossAt;
}

// Writes 8 bytes with a single store. Later code, such as a checksum, loads
// several fields at a time, and would wait for several smaller stores.
void EncodeStart(std::byte* at, const Message& message) {
  const bool has_payload = message.category != Category::kShort;
  const uint64_t nbytes =
      has_payload ? static_cast<uint32_t>(message.nbytes) : 0;
  const std::byte payload_sent =
      message.payload_sent ? kPayloadSent : std::byte{0};
  StoreNumber<uint64_t>(at, static_cast<uint64_t>(message.category) |
                                std::to_integer<uint64_t>(payload_sent) |
                                uint64_t{message.handler} << 8 |
                                ShapeOf(message) << 16 | nbytes << 32);
}

// Writes the address and the arguments, and clears the gaps: old contents of
// the buffer must not leave the process.
void EncodeMiddle(std::byte* frame, const RecordLayout& layout,
                  const Message& message) {
  if (message.category == Category::kLong) {
    StoreNumber<uint64_t>(frame + layout.args_at - 8,
                          reinterpret_cast<uintptr_t>(message.dest_addr));
  }
  CopyArguments(frame + layout.args_at, message.args, message.num_args);
  const size_t args_end = layout.args_at + size_t{4} * message.num_args;
  for (size_t at = args_end; at < layout.payload_at; at += 4) {
    StoreNumber<uint32_t>(frame + at, 0);
  }
}

[[gnu::always_inline]] inline bool DecodeStart(const std::byte* at,
                                               Record& record, std::byte own) {
  const auto kind = *at;
  record.category = static_cast<Category>(kind & kCategoryMask);
  record.payload_sent = (kind & kPayloadSent) != std::byte{0};
  record.handler = LoadNumber<uint8_t>(at + 1);
  const unsigned shape = LoadNumber<uint16_t>(at + 2);
  record.num_args = static_cast<uint8_t>(shape & ((1u << kArgsBits) - 1));
  record.endpoint = static_cast<EndpointIndex>(shape >> kArgsBits & kIndexMask);
  record.across = static_cast<EndpointIndex>(shape >> kAcrossAt & kIndexMask);
  record.nbytes = LoadNumber<uint32_t>(at + 4);
  return (kind & ~(kCategoryMask | kPayloadSent | own)) == std::byte{0} &&
         record.category <= Category::kLong && record.num_args <= kMaxArgs &&
         shape >> (kAcrossAt + kIndexBits) == 0 &&
         (record.category == Category::kLong || !record.payload_sent) &&
         (record.category != Category::kShort || record.nbytes == 0);
}

[[gnu::always_inline]] inline size_t DecodeRest(std::span<std::byte> frame,
                                                size_t begin, size_t carried,
                                                Record& record) {
  const auto layout =
      RecordLayout::Of(begin, record.category, record.num_args, carried);
  const size_t end = layout.payload_at + carried;
  if (end > frame.size()) return 0;
  std::byte* const bytes = frame.data();
  record.address = record.category == Category::kLong
                       ? LoadNumber<uint64_t>(bytes + layout.args_at - 8)
                       : 0;
  record.args = reinterpret_cast<const int32_t*>(bytes + layout.args_at);
  // The pointer to an empty payload is the start of the frame. It has the same
  // alignment as a payload.
  record.payload = bytes + (carried > 0 ? layout.payload_at : 0);
  return end;
}

}  // namespace

size_t EncodeMessage(std::byte* frame, size_t begin, const Message& message) {
  const auto layout = RecordLayout::Of(begin, message);
  // Clears the record's last word first, so that its bytes after the arguments
  // and the payload stay 0.
  StoreNumber<uint64_t>(frame + layout.end - 8, 0);
  EncodeStart(frame + begin, message);
  EncodeMiddle(frame, layout, message);
  if (message.category != Category::kShort && !message.payload_sent) {
    WritePayload(frame + layout.payload_at, message);
  }
  return layout.end;
}

size_t EncodeHead(std::byte* frame, size_t begin, const Message& message,
                  size_t carried) {
  const auto layout =
      RecordLayout::Of(begin, message.category, message.num_args, carried);
  EncodeStart(frame + begin, message);
  EncodeMiddle(frame, layout, message);
  return layout.payload_at;
}

bool ReadStart(const std::byte* at, Record& record, std::byte own) {
  return DecodeStart(at, record, own);
}

size_t ReadRest(std::span<std::byte> frame, size_t begin, size_t carried,
                Record& record) {
  return DecodeRest(frame, begin, carried, record);
}

RecordReader::Result RecordReader::Next(Record& record) {
  if (at_ >= frame_.size()) return Result::kEnd;
  const std::byte* const start = frame_.data() + at_;
  if (*start == kPadding) [[unlikely]]
    return Result::kEnd;
  if (frame_.size() - at_ < kRecordStartBytes ||
      !DecodeStart(start, record, std::byte{0})) {
    return Result::kMalformed;
  }
  const size_t carried = record.payload_sent ? 0 : record.nbytes;
  const size_t end = DecodeRest(frame_, at_, carried, record);
  const size_t next = (end + 7) / 8 * 8;
  if (end == 0 || next > frame_.size()) return Result::kMalformed;
  at_ = next;
  return Result::kRecord;
}

}  // namespace gasnet::am
