// The format of a packet: a header and contents. If a packet is too large for
// its path, its contents travel in pieces: each datagram is then a header and a
// piece. The contents belong to the layer above, with two rules. Their first
// byte is not kPiece. A byte kPadding, in a place where more contents could
// begin, ends the contents. docs/design/datagram.md has the layout.
//
// These are pure functions of bytes. Input bytes may have any value: no field
// is used before it is checked against the length that arrived.
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
// The maximum number of packets in flight on one lane to one peer, from the
// oldest unacknowledged packet on. It is enough for ranks that share
// processors: a rank continues to send while its peer waits for a processor.
inline constexpr unsigned kWindow = 256;
// The number of packets after the cumulative sequence number that an
// acknowledgement reports one by one.
inline constexpr unsigned kAckBits = 64;

// Flag: the sender of this packet waits for an acknowledgement.
inline constexpr uint8_t kAckNow = 1;
// Flag: the sender got no answer for a while, and repeats a packet.
inline constexpr uint8_t kProbe = 2;
// The position of two flag bits. They report the largest step of the datagram
// sizes (path_size.h) that has arrived.
inline constexpr unsigned kStepShift = 2;
inline constexpr unsigned kPathSteps = 3;
inline constexpr uint8_t kStepMask = 3 << kStepShift;
// Flag: the sender proves its sizes again. The target of this packet must
// forget the largest step that has arrived.
inline constexpr uint8_t kForget = 16;
inline constexpr uint8_t kKnownFlags = kAckNow | kProbe | kStepMask | kForget;

// All packets up to `cumulative` have arrived. If bit i of `behind` is set,
// packet cumulative + 1 + i has arrived too.
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

// Acknowledgements of the two lanes: requests and replies.
using LaneAcks = std::array<Acks, kLanes>;

struct PacketHeader {
  uint64_t counter = 0;
  uint16_t source = 0;
  uint16_t target = 0;
  Lane lane = Lane::kRequest;
  uint8_t flags = 0;
  // KiB that this packet's target may have in flight to its source, in each
  // lane.
  uint16_t window = 0;
  uint64_t sequence = 0;  // 0 if the packet has no contents
  LaneAcks acks{};

  bool operator==(const PacketHeader&) const = default;
};

// The position of the sender's rail (ChannelOptions::rail) in a counter.
inline constexpr unsigned kRailShift = 56;
// Returns the number that the counters of a rail follow.
constexpr uint64_t FirstCounter(uint8_t rail) {
  return uint64_t{rail} << kRailShift;
}
// Returns the rail from which a packet comes.
constexpr uint8_t RailOf(const PacketHeader& header) {
  return static_cast<uint8_t>(header.counter >> kRailShift);
}

// Writes the header. The tag is not written. `packet` has at least kHeaderBytes
// bytes.
void EncodeHeader(const PacketHeader& header, std::byte* packet);
// Reads the header. Returns false if the packet is too short or has no valid
// header.
bool DecodeHeader(ConstBytes packet, PacketHeader& header);

// A byte of this value, in a place where more contents could begin, ends the
// contents.
inline constexpr std::byte kPadding{8};
// Fills the space after the contents, from `begin` to `end`. The space is not
// empty.
void EncodePadding(std::byte* packet, size_t begin, size_t end);

// A first content byte of this value marks a piece of a larger packet's
// contents (pieces.h). After the header come kPiece, 0, the total and the
// offset, then the bytes.
inline constexpr std::byte kPiece{16};
struct Piece {
  uint32_t total = 0;   // length of the packet's contents
  uint32_t offset = 0;  // the piece's place in the contents
  ConstBytes bytes;
};
inline constexpr size_t kPieceHeadBytes = kHeaderBytes + 16;
// Returns the number of bytes in each piece except the last, if the smallest
// datagrams have `smallest_datagram` bytes.
constexpr size_t PieceBytes(size_t smallest_datagram) {
  return (smallest_datagram - kPieceHeadBytes) / 16 * 16;
}
// Writes the bytes between the header and the bytes of the piece.
void EncodePieceHead(const Piece& piece, std::byte* packet);
// Returns true if the packet holds a piece, well-formed or not, and no other
// contents.
inline bool IsPiece(ConstBytes packet) {
  return packet.size() > kHeaderBytes && packet[kHeaderBytes] == kPiece;
}
// Reads a piece. Returns false if the packet, of at least kHeaderBytes bytes,
// is not a well-formed piece.
bool DecodePiece(ConstBytes packet, Piece& piece);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PACKET_H_
