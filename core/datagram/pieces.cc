#include "core/datagram/pieces.h"

namespace gasnet::datagram {

JoinedPacket::JoinedPacket(Rank source, uint64_t sequence, size_t total,
                           size_t piece)
    : source_(source),
      sequence_(sequence),
      size_(kHeaderBytes + total),
      piece_(piece),
      missing_((total + piece - 1) / piece),
      has_(missing_),
      // operator new[] aligns for any type.
      bytes_(new std::byte[size_]) {}

void JoinedPacket::Add(const Piece& piece) {
  const size_t index = piece.offset / piece_;
  if (has_[index]) return;
  has_[index] = true;
  --missing_;
  std::copy(piece.bytes.begin(), piece.bytes.end(),
            bytes_.get() + kHeaderBytes + piece.offset);
}

PieceStore::PieceStore(size_t smallest, size_t largest, size_t bytes)
    : piece_(PieceBytes(smallest)),
      largest_(largest),
      limit_(std::max(bytes, 4 * largest)) {}

bool PieceStore::IsSound(const Piece& piece) const {
  if (piece.total > largest_ - kHeaderBytes || piece.offset % piece_ != 0 ||
      piece.offset >= piece.total) {
    return false;
  }
  const size_t rest = piece.total - piece.offset;
  return piece.bytes.size() == std::min(piece_, rest);
}

JoinedPacket* PieceStore::Find(Rank source, uint64_t sequence,
                               const Piece& piece, bool first) {
  const size_t size = kHeaderBytes + piece.total;
  for (const auto& packet : packets_) {
    if (packet->source() != source || packet->sequence() != sequence) continue;
    // All pieces of a packet give the same total size.
    return packet->size() == size ? packet.get() : nullptr;
  }
  if (used_ + size > (first ? limit_ : limit_ / 2)) return nullptr;
  used_ += size;
  packets_.push_back(
      std::make_unique<JoinedPacket>(source, sequence, piece.total, piece_));
  return packets_.back().get();
}

void PieceStore::Detach(JoinedPacket* packet) {
  const auto found =
      std::find_if(packets_.begin(), packets_.end(),
                   [&](const auto& each) { return each.get() == packet; });
  found->release();
  packets_.erase(found);
}

void PieceStore::Release(JoinedPacket* packet) {
  const std::unique_ptr<JoinedPacket> owned(packet);
  used_ -= owned->size();
}

}  // namespace gasnet::datagram
