// Packets that arrive in pieces. Their sender cut them because the path's size
// limit has shrunk since the packets were made (path_size.h). A packet's pieces
// have its sequence number and carry its contents unchanged. A packet may be
// sent repeatedly, whole or in pieces, in any order. It is registered,
// acknowledged and handled when it has first arrived whole or in all its
// pieces.
//
// There is one store for each lane, bounded in bytes. The second half of the
// bound is reserved for packets without a missing predecessor in their lane.
// The sender repeats such a packet until it is complete, no matter what else
// waits. So the store never fills up with packets that are never completed.
//
// The lock of the channels protects a packet until it is complete. Then it
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
  // Returns the packet. It begins with room for a header that is not filled in.
  MutableBytes packet() { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }

  // Adds a piece for which PieceStore::IsSound is true. Ignores a duplicate.
  void Add(const Piece& piece);
  bool IsComplete() const { return missing_ == 0; }

 private:
  const Rank source_;
  const uint64_t sequence_;
  const size_t size_;
  const size_t piece_;
  size_t missing_;         // pieces still to come
  std::vector<bool> has_;  // by piece number
  const std::unique_ptr<std::byte[]> bytes_;
};

class PieceStore {
 public:
  // `smallest` and `largest` are the sizes of the job's datagrams. `bytes` is
  // the bound. The bound is raised if two of the largest datagrams need more
  // than half of it.
  PieceStore(size_t smallest, size_t largest, size_t bytes);

  // Returns true if the piece can come from a packet that a rank of the job has
  // cut.
  bool IsSound(const Piece& piece) const;

  // Returns the packet to which a sound piece belongs. Creates the packet if
  // this is its first piece. Returns null if there is no room. Pass `first` if
  // no earlier packet of the lane is missing.
  JoinedPacket* Find(Rank source, uint64_t sequence, const Piece& piece,
                     bool first);
  // Removes a complete packet from the store. The packet still counts in the
  // bound until Release().
  void Detach(JoinedPacket* packet);
  void Release(JoinedPacket* packet);
  // Drops packets for which is_over() returns true, because they have arrived
  // whole.
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
