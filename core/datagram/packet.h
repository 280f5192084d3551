// The format of a packet: a header and contents, or a piece of the contents of
// a packet that is too large for its path. The contents belong to the layer
// above, but for their first byte, which is not kPiece, and kPadding, which
// tells it that they are over. docs/design/datagram.md has the layout. Pure
// functions of bytes; the bytes read here may be anything, and nothing is used
// before it is checked against the length that really arrived.
#ifndef CORE_DATAGRAM_PACKET_H_
#define CORE_DATAGRAM_PACKET_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/port.h"
#include "core/lane.h"

namespace gasnet::datagram {

inline constexpr size_t kTagBytes = 16;
inline constexpr size_t kHeaderBytes = 72;
// Packets that may be in flight in one lane to one peer, from the oldest that
// is not acknowledged. Enough for ranks that share processors: one sends while
// the other waits for its turn.
inline constexpr unsigned kWindow = 256;
// So many behind the cumulative number an acknowledgement tells one by one.
inline constexpr unsigned kAckBits = 64;

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
using LaneAcks = std::array<Acks, kLanes>;

struct Header {
  uint64_t counter = 0;
  uint16_t source = 0;
  uint16_t target = 0;
  Lane lane = Lane::kRequest;
  uint8_t flags = 0;
  // KiB that the target of this packet may have in flight to its source.
  uint16_t window = 0;
  uint64_t sequence = 0;  // 0: the packet has no contents
  LaneAcks acks{};

  bool operator==(const Header&) const = default;
};

// packet: at least kHeaderBytes. Leaves the tag alone.
void EncodeHeader(const Header& header, std::byte* packet);
// False when it is too short or no header of ours.
bool DecodeHeader(ConstBytes packet, Header& header);

// In place of more contents: there are none from here on.
inline constexpr std::byte kPadding{8};
// Fills what is behind the contents, from `begin` to `end`; not nothing.
void EncodePadding(std::byte* packet, size_t begin, size_t end);

// In place of all contents: a piece of those of a packet that is too large for
// its path (pieces.h). Behind the header are kPiece, 0, the total and the
// offset, then the bytes.
inline constexpr std::byte kPiece{16};
struct Piece {
  uint32_t total = 0;   // bytes of the packet's contents
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
// Whether the packet is a piece, and nothing else; a right one or not.
inline bool IsPiece(ConstBytes packet) {
  return packet.size() > kHeaderBytes && packet[kHeaderBytes] == kPiece;
}
// False when the packet, of at least kHeaderBytes, is something else.
bool DecodePiece(ConstBytes packet, Piece& piece);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_H_
