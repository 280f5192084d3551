#include "core/datagram/packet.h"

#include <bit>
#include <cstring>

#include "core/am/copy.h"

namespace gasnet::datagram {
namespace {

// Numbers are little-endian on the wire, arguments as the ranks have them.
static_assert(std::endian::native == std::endian::little,
              "Load and Store have to swap bytes here");

template <class Number>
[[gnu::always_inline]] inline Number Load(const std::byte* from) {
  Number number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}

template <class Number>
[[gnu::always_inline]] inline void Store(std::byte* to, Number number) {
  std::memcpy(to, &number, sizeof(number));
}

constexpr uint8_t kCategoryMask = 3;
constexpr uint8_t kFragmentFlag = 4;
// In place of a record: there is none from here on.
constexpr uint8_t kPadding = 8;
// In place of all records.
constexpr uint8_t kPiece = 16;

// As one store: what comes next, the tag, reads more than a number at a time,
// and would have to wait for several.
void EncodeStart(std::byte* at, const am::Message& message, uint8_t flags) {
  const bool has_payload = message.category != am::Category::kShort;
  const auto kind =
      static_cast<uint8_t>(static_cast<uint8_t>(message.category) | flags);
  const uint64_t nbytes =
      has_payload ? static_cast<uint32_t>(message.nbytes) : 0;
  Store<uint64_t>(at, kind | uint64_t{message.handler} << 8 |
                          uint64_t{message.num_args} << 16 | nbytes << 32);
}

// Address and arguments; nothing of what was in the buffer before leaves the
// process.
void EncodeMiddle(std::byte* packet, const RecordLayout& layout,
                  const am::Message& message) {
  if (message.category == am::Category::kLong) {
    Store<uint64_t>(packet + layout.args_at - 8,
                    reinterpret_cast<uintptr_t>(message.dest_addr));
  }
  am::CopyArguments(packet + layout.args_at, message.args, message.num_args);
  const size_t args_end = layout.args_at + size_t{4} * message.num_args;
  for (size_t at = args_end; at < layout.payload_at; at += 4) {
    Store<uint32_t>(packet + at, 0);
  }
}

void EncodePayload(std::byte* packet, const RecordLayout& layout,
                   const am::Message& message, size_t offset, size_t carried) {
  auto* const to = reinterpret_cast<unsigned char*>(packet + layout.payload_at);
  const auto* const from =
      static_cast<const unsigned char*>(message.payload) + offset;
  if (carried <= am::kMostSmall) {
    am::CopySmall(to, from, carried);
  } else {
    std::memcpy(to, from, carried);
  }
}

RecordLayout LayoutOf(size_t begin, const am::Message& message,
                      const Fragment& fragment) {
  return RecordLayout::Of(begin, message.category, true, message.num_args,
                          fragment.length);
}

bool IsWholeMessageSound(const Record& record) {
  switch (record.category) {
    case am::Category::kShort:
      return record.nbytes == 0;
    case am::Category::kMedium:
      return record.nbytes <= kMaxMedium;
    case am::Category::kLong:
      return record.nbytes <= kMostLong;
  }
  return false;
}

bool IsFragmentSound(const Record& record) {
  const Fragment& fragment = record.fragment;
  return fragment.length > 0 && fragment.offset <= record.nbytes &&
         fragment.length <= record.nbytes - fragment.offset;
}

}  // namespace

// Two numbers at a time, for the same reason.
void EncodeHeader(const Header& header, std::byte* packet) {
  using Pair [[gnu::vector_size(16)]] = uint64_t;
  const uint64_t small = header.source | uint64_t{header.target} << 16 |
                         uint64_t{static_cast<uint8_t>(header.lane)} << 32 |
                         uint64_t{header.flags} << 40 |
                         uint64_t{header.window} << 48;
  static_assert(am::kLanes == 2);
  Store(packet + 16, Pair{header.counter, small});
  Store(packet + 32, Pair{header.sequence, header.acks[0].cumulative});
  Store(packet + 48, Pair{header.acks[0].behind, header.acks[1].cumulative});
  Store(packet + 64, header.acks[1].behind);
}

bool DecodeHeader(ConstBytes packet, Header& header) {
  if (packet.size() < kHeaderBytes) return false;
  const std::byte* const at = packet.data();
  const uint8_t lane = Load<uint8_t>(at + 28);
  header.counter = Load<uint64_t>(at + 16);
  header.source = Load<uint16_t>(at + 24);
  header.target = Load<uint16_t>(at + 26);
  header.lane = static_cast<am::Lane>(lane);
  header.flags = Load<uint8_t>(at + 29);
  header.window = Load<uint16_t>(at + 30);
  header.sequence = Load<uint64_t>(at + 32);
  for (unsigned i = 0; i < am::kLanes; ++i) {
    header.acks[i].cumulative = Load<uint64_t>(at + 40 + size_t{16} * i);
    header.acks[i].behind = Load<uint64_t>(at + 48 + size_t{16} * i);
  }
  const bool has_records = packet.size() > kHeaderBytes;
  return lane < am::kLanes && (header.flags & ~kKnownFlags) == 0 &&
         has_records == (header.sequence != 0);
}

size_t EncodeMessage(std::byte* packet, size_t begin,
                     const am::Message& message) {
  const size_t carried =
      message.category == am::Category::kShort ? 0 : message.nbytes;
  const auto layout = RecordLayout::Of(begin, message.category, false,
                                       message.num_args, carried);
  // What is behind arguments and payload stays 0.
  Store<uint64_t>(packet + layout.end - 8, 0);
  EncodeStart(packet + begin, message, 0);
  EncodeMiddle(packet, layout, message);
  EncodePayload(packet, layout, message, 0, carried);
  return layout.end;
}

size_t EncodeFragmentHead(std::byte* packet, size_t begin,
                          const am::Message& message,
                          const Fragment& fragment) {
  const auto layout = LayoutOf(begin, message, fragment);
  EncodeStart(packet + begin, message, kFragmentFlag);
  Store(packet + begin + 8, fragment.number);
  Store(packet + begin + 12, fragment.offset);
  Store(packet + begin + 16, fragment.length);
  Store<uint32_t>(packet + begin + 20, 0);
  EncodeMiddle(packet, layout, message);
  return layout.payload_at;
}

size_t EncodeFragment(std::byte* packet, size_t begin,
                      const am::Message& message, const Fragment& fragment) {
  EncodeFragmentHead(packet, begin, message, fragment);
  const RecordLayout layout = LayoutOf(begin, message, fragment);
  EncodePayload(packet, layout, message, fragment.offset, fragment.length);
  return layout.end;
}

void EncodePadding(std::byte* packet, size_t begin, size_t end) {
  std::memset(packet + begin, 0, end - begin);
  Store(packet + begin, kPadding);
}

void EncodePieceHead(const Piece& piece, std::byte* packet) {
  Store<uint64_t>(packet + kHeaderBytes, kPiece | uint64_t{piece.total} << 32);
  Store<uint64_t>(packet + kHeaderBytes + 8, piece.offset);
}

bool DecodePiece(ConstBytes packet, Piece& piece) {
  if (packet.size() <= kPieceHeadBytes) return false;
  const auto kind = Load<uint32_t>(packet.data() + kHeaderBytes);
  const auto offset = Load<uint64_t>(packet.data() + kHeaderBytes + 8);
  piece.total = Load<uint32_t>(packet.data() + kHeaderBytes + 4);
  piece.bytes = packet.subspan(kPieceHeadBytes);
  if (kind != kPiece || offset >= piece.total) return false;
  piece.offset = static_cast<uint32_t>(offset);
  return piece.bytes.size() <= piece.total - piece.offset;
}

RecordReader::Result RecordReader::Next(Record& record) {
  const size_t left = packet_.size() - at_;
  if (left == 0) return Result::kEnd;
  const std::byte* const start = packet_.data() + at_;
  const uint8_t kind = Load<uint8_t>(start);
  if (kind == kPadding) [[unlikely]]
    return Result::kEnd;
  if (left < 8) return Result::kMalformed;
  record.category = static_cast<am::Category>(kind & kCategoryMask);
  record.is_fragment = (kind & kFragmentFlag) != 0;
  record.handler = Load<uint8_t>(start + 1);
  record.num_args = Load<uint8_t>(start + 2);
  record.nbytes = Load<uint32_t>(start + 4);
  record.fragment = {0, 0, record.nbytes};
  if ((kind & ~(kCategoryMask | kFragmentFlag)) != 0 ||
      record.num_args > am::kMaxArgs || !IsWholeMessageSound(record)) {
    return Result::kMalformed;
  }
  if (record.is_fragment) {
    if (left < 24) return Result::kMalformed;
    record.fragment = {Load<uint32_t>(start + 8), Load<uint32_t>(start + 12),
                       Load<uint32_t>(start + 16)};
    if (!IsFragmentSound(record)) return Result::kMalformed;
  }
  const auto layout = RecordLayout::Of(at_, record.category, record.is_fragment,
                                       record.num_args, record.fragment.length);
  if (layout.end > packet_.size()) return Result::kMalformed;
  std::byte* const packet = packet_.data();
  record.address = record.category == am::Category::kLong
                       ? Load<uint64_t>(packet + layout.args_at - 8)
                       : 0;
  record.args = reinterpret_cast<const int32_t*>(packet + layout.args_at);
  // Nothing is as well aligned at the packet's beginning.
  record.payload =
      packet + (record.fragment.length > 0 ? layout.payload_at : 0);
  at_ = layout.end;
  return Result::kRecord;
}

}  // namespace gasnet::datagram
