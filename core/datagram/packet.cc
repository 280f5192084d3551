#include "core/datagram/packet.h"

#include <cstring>

#include "base/little_endian.h"

namespace gasnet::datagram {

// Writes two numbers at a time. The tag is computed next. That computation
// loads more than one number at a time, and would wait for several smaller
// stores.
void EncodeHeader(const PacketHeader& header, std::byte* packet) {
  using Pair [[gnu::vector_size(16)]] = uint64_t;
  const uint64_t small = header.source | uint64_t{header.target} << 16 |
                         uint64_t{static_cast<uint8_t>(header.lane)} << 32 |
                         uint64_t{header.flags} << 40 |
                         uint64_t{header.window} << 48;
  static_assert(kLanes == 2);
  StoreNumber(packet + 16, Pair{header.counter, small});
  StoreNumber(packet + 32, Pair{header.sequence, header.acks[0].cumulative});
  StoreNumber(packet + 48,
              Pair{header.acks[0].behind, header.acks[1].cumulative});
  StoreNumber(packet + 64, header.acks[1].behind);
}

bool DecodeHeader(ConstBytes packet, PacketHeader& header) {
  if (packet.size() < kHeaderBytes) return false;
  const std::byte* const at = packet.data();
  const uint8_t lane = LoadNumber<uint8_t>(at + 28);
  header.counter = LoadNumber<uint64_t>(at + 16);
  header.source = LoadNumber<uint16_t>(at + 24);
  header.target = LoadNumber<uint16_t>(at + 26);
  header.lane = static_cast<Lane>(lane);
  header.flags = LoadNumber<uint8_t>(at + 29);
  header.window = LoadNumber<uint16_t>(at + 30);
  header.sequence = LoadNumber<uint64_t>(at + 32);
  for (unsigned i = 0; i < kLanes; ++i) {
    header.acks[i].cumulative = LoadNumber<uint64_t>(at + 40 + size_t{16} * i);
    header.acks[i].behind = LoadNumber<uint64_t>(at + 48 + size_t{16} * i);
  }
  const bool has_contents = packet.size() > kHeaderBytes;
  return lane < kLanes && (header.flags & ~kKnownFlags) == 0 &&
         has_contents == (header.sequence != 0);
}

void EncodePadding(std::byte* packet, size_t begin, size_t end) {
  std::memset(packet + begin, 0, end - begin);
  StoreNumber(packet + begin, kPadding);
}

void EncodePieceHead(const Piece& piece, std::byte* packet) {
  StoreNumber<uint64_t>(
      packet + kHeaderBytes,
      std::to_integer<uint64_t>(kPiece) | uint64_t{piece.total} << 32);
  StoreNumber<uint64_t>(packet + kHeaderBytes + 8, piece.offset);
}

bool DecodePiece(ConstBytes packet, Piece& piece) {
  if (packet.size() <= kPieceHeadBytes) return false;
  const auto kind = LoadNumber<uint32_t>(packet.data() + kHeaderBytes);
  const auto offset = LoadNumber<uint64_t>(packet.data() + kHeaderBytes + 8);
  piece.total = LoadNumber<uint32_t>(packet.data() + kHeaderBytes + 4);
  piece.bytes = packet.subspan(kPieceHeadBytes);
  if (kind != std::to_integer<uint32_t>(kPiece) || offset >= piece.total)
    return false;
  piece.offset = static_cast<uint32_t>(offset);
  return piece.bytes.size() <= piece.total - piece.offset;
}

}  // namespace gasnet::datagram
