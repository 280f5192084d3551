// Packets that arrive in pieces: their sender cut them because their path takes
// less than it did when they were made (path_size.h). A packet's pieces have
// its sequence number and carry its contents unchanged. The packet is
// registered, acknowledged and handled when all pieces have arrived, or when it
// arrives whole after all, whichever is first. So it does not matter how often,
// in which form and in which order it was sent.
//
// There is one store for each lane, bounded in bytes. In the second half of the
// bound, a packet is begun only if no packet of its lane is missing before it.
// Such packets are sent again until they are complete, whatever else waits, so
// the store never fills up with packets that are never completed.
//
// A packet is under the lock of the channels until it is complete. Then it
// belongs to the caller that takes it.
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

// A packet of which some pieces have arrived.
class JoinedPacket {
 public:
  JoinedPacket(Rank source, uint64_t sequence, size_t total, size_t piece);

  Rank source() const { return source_; }
  uint64_t sequence() const { return sequence_; }
  // Returns the packet, with room for a header that is not filled in.
  MutableBytes packet() { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }

  // Adds a piece for which PieceStore::IsSound is true. A piece that it already
  // has changes nothing.
  void Add(const Piece& piece);
  bool IsComplete() const { return missing_ == 0; }

 private:
  const Rank source_;
  const uint64_t sequence_;
  const size_t size_;
  const size_t piece_;
  size_t missing_;         // pieces still to come
  std::vector<bool> has_;  // indexed by piece
  const std::unique_ptr<std::byte[]> bytes_;
};

class PieceStore {
 public:
  // `smallest`, `largest`: sizes of the job's datagrams. Each half of the bound
  // is raised to two of the largest.
  PieceStore(size_t smallest, size_t largest, size_t bytes);

  // Returns true if some rank of the job cuts packets in this way.
  bool IsSound(const Piece& piece) const;

  // Returns the packet to which a sound piece belongs; begins it with its first
  // piece. Returns null if there is no room. `first`: no packet of its lane is
  // missing before it.
  JoinedPacket* Find(Rank source, uint64_t sequence, const Piece& piece,
                     bool first);
  // Takes a complete packet out of the store. It counts in the bound until
  // Release.
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
