// The format of a packet: a header, and records, each a message or a fragment
// of one. docs/design/datagram.md has the layout. Pure functions of bytes;
// what is read here may be anything, and nothing is used before it is checked
// against what really arrived.
#ifndef CORE_DATAGRAM_PACKET_H_
#define CORE_DATAGRAM_PACKET_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "core/datagram/port.h"

namespace gasnet::datagram {

inline constexpr size_t kTagBytes = 16;
inline constexpr size_t kHeaderBytes = 72;
// Packets that may be in flight in one lane to one peer, from the oldest that
// is not acknowledged. Enough for ranks that share processors: one sends while
// the other waits for its turn.
inline constexpr unsigned kWindow = 256;
// So many behind the cumulative number an acknowledgement tells one by one.
inline constexpr unsigned kAckBits = 64;
inline constexpr size_t kMaxMedium = 65536;
inline constexpr size_t kMostLong = 0x7fffffff;

// The sender of this packet waits for an acknowledgement.
inline constexpr uint8_t kAckNow = 1;
// The sender had no answer for a while and sends something again.
inline constexpr uint8_t kProbe = 2;
// Two bits: which step of the sizes of datagrams (path_size.h) has arrived.
inline constexpr unsigned kStepShift = 2;
inline constexpr unsigned kPathSteps = 3;
inline constexpr uint8_t kStepMask = 3 << kStepShift;
// The sender proves its sizes anew: the target is to forget what has arrived.
inline constexpr uint8_t kForget = 16;
inline constexpr uint8_t kKnownFlags = kAckNow | kProbe | kStepMask | kForget;

// Everything up to `cumulative` has arrived; bit i of `behind`: so has
// cumulative + 1 + i.
struct Acks {
  uint64_t cumulative = 0;
  uint64_t behind = 0;

  bool Covers(uint64_t sequence) const {
    if (sequence <= cumulative) return true;
    const uint64_t ahead = sequence - cumulative - 1;
    return ahead < kAckBits && (behind >> ahead & 1) != 0;
  }
  bool operator==(const Acks&) const = default;
};

// Of requests and of replies.
using LaneAcks = std::array<Acks, am::kLanes>;

struct Header {
  uint64_t counter = 0;
  uint16_t source = 0;
  uint16_t target = 0;
  am::Lane lane = am::Lane::kRequest;
  uint8_t flags = 0;
  // KiB that the target of this packet may have in flight to its source.
  uint16_t window = 0;
  uint64_t sequence = 0;  // 0: the packet has no records
  LaneAcks acks{};

  bool operator==(const Header&) const = default;
};

// packet: at least kHeaderBytes. Leaves the tag alone.
void EncodeHeader(const Header& header, std::byte* packet);
// False when it is too short or no header of ours.
bool DecodeHeader(ConstBytes packet, Header& header);

// Where one fragment of a message lies in it.
struct Fragment {
  uint32_t number = 0;  // of the message, among those of its lane
  uint32_t offset = 0;
  uint32_t length = 0;
};

// Where the parts of a record lie, as offsets in the packet.
struct RecordLayout {
  size_t args_at;
  size_t payload_at;
  size_t end;  // where the next record begins; there is none behind a fragment

  // carried: bytes of payload in this record, which begins at `begin`.
  static constexpr RecordLayout Of(size_t begin, am::Category category,
                                   bool fragment, unsigned num_args,
                                   size_t carried) {
    const size_t address = category == am::Category::kLong ? 8 : 0;
    const size_t args_at = begin + 8 + (fragment ? 16 : 0) + address;
    const size_t args_end = args_at + size_t{4} * num_args;
    const size_t payload_at =
        carried > 0 ? (args_end + 15) / 16 * 16 : args_end;
    const size_t end = payload_at + carried;
    return {args_at, payload_at, fragment ? end : (end + 7) / 8 * 8};
  }
};

// Writes the whole message at `begin`; where the record ends.
size_t EncodeMessage(std::byte* packet, size_t begin,
                     const am::Message& message);
// Writes one fragment of it.
size_t EncodeFragment(std::byte* packet, size_t begin,
                      const am::Message& message, const Fragment& fragment);
// The same but for the payload, which follows where this ends.
size_t EncodeFragmentHead(std::byte* packet, size_t begin,
                          const am::Message& message, const Fragment& fragment);

// Fills what is behind the records, from `begin` to `end`; not nothing.
void EncodePadding(std::byte* packet, size_t begin, size_t end);

// In place of records: a piece of those of a packet that is too large for its
// path (pieces.h). What follows the header are the total, 0, the offset and 0,
// then the bytes.
struct Piece {
  uint32_t total = 0;   // bytes of the packet's records
  uint32_t offset = 0;  // among them
  ConstBytes bytes;
};
inline constexpr size_t kPieceHeadBytes = kHeaderBytes + 16;
// Bytes in each piece but the last, where the smallest datagrams have so many.
constexpr size_t PieceBytes(size_t smallest_datagram) {
  return (smallest_datagram - kPieceHeadBytes) / 16 * 16;
}
// Writes what is between header and bytes.
void EncodePieceHead(const Piece& piece, std::byte* packet);
// False when the packet, of at least kHeaderBytes, is something else.
bool DecodePiece(ConstBytes packet, Piece& piece);

// A record as it was received. What it points to is in the packet.
struct Record {
  am::Category category;
  bool is_fragment;
  uint8_t handler;
  uint8_t num_args;
  uint32_t nbytes;    // of the message
  Fragment fragment;  // of a whole message: all of it
  uintptr_t address;  // Long
  const int32_t* args;
  std::byte* payload;
};

// Takes the records of a packet apart.
class RecordReader {
 public:
  enum class Result : uint8_t { kRecord, kEnd, kMalformed };

  // packet: with its header, aligned as a port aligns it.
  explicit RecordReader(MutableBytes packet) : packet_(packet) {}

  Result Next(Record& record);

 private:
  MutableBytes packet_;
  size_t at_ = kHeaderBytes;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_H_
