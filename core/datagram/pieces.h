// Packets that arrive in pieces: they were cut when their path took more than
// it does now (path_size.h). A packet's pieces have its sequence number and
// carry its contents as they are; it is registered, acknowledged and handled
// when all have come, or when it comes whole after all, whichever is first. So
// it does not matter how often, in which way and in which order it was sent.
//
// One store for each lane, bounded in bytes. In the second half of the bound
// only packets are begun before which nothing is missing in their lane: those
// are sent again until they are complete, whatever else waits, so the store
// never fills up with packets that nobody completes.
//
// Under the lock of the channels, until a packet is complete: then it belongs
// to the caller that takes it.
#ifndef CORE_DATAGRAM_PIECES_H_
#define CORE_DATAGRAM_PIECES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/datagram/packet.h"
#include "core/rank.h"

namespace gasnet::datagram {

// A packet of which some pieces have come.
class JoinedPacket {
 public:
  JoinedPacket(Rank source, uint64_t sequence, size_t total, size_t piece);

  Rank source() const { return source_; }
  uint64_t sequence() const { return sequence_; }
  // With room for a header, which nobody fills in.
  MutableBytes packet() { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }

  // Takes a piece that PieceStore::IsSound; one that it has changes nothing.
  void Add(const Piece& piece);
  bool IsComplete() const { return missing_ == 0; }

 private:
  const Rank source_;
  const uint64_t sequence_;
  const size_t size_;
  const size_t piece_;
  size_t missing_;         // pieces
  std::vector<bool> has_;  // by piece
  const std::unique_ptr<std::byte[]> bytes_;
};

class PieceStore {
 public:
  // smallest, largest: datagrams of the job. The bound is raised to two of the
  // largest in each half.
  PieceStore(size_t smallest, size_t largest, size_t bytes);

  // Whether some rank cuts packets like that.
  bool IsSound(const Piece& piece) const;

  // The packet that a sound piece is of, begun if it is the first; null where
  // there is no room. first: nothing is missing before it in its lane.
  JoinedPacket* Find(Rank source, uint64_t sequence, const Piece& piece,
                     bool first);
  // A complete packet leaves the store, but counts until Release.
  void Detach(JoinedPacket* packet);
  void Release(JoinedPacket* packet);
  // Forgets packets that have arrived in another way.
  template <class IsOver>
  void ForgetIf(IsOver is_over) {
    std::erase_if(packets_, [&](const auto& packet) {
      const bool over = is_over(*packet);
      if (over) used_ -= packet->size();
      return over;
    });
  }

  size_t used() const { return used_; }

 private:
  const size_t piece_;
  const size_t largest_;
  const size_t limit_;
  size_t used_ = 0;
  std::vector<std::unique_ptr<JoinedPacket>> packets_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_PIECES_H_
