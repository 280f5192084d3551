// Requests that have arrived while only replies may be served (am::Lanes), in
// the order of their arrival. Each is a copy of its frame, in memory that is
// bounded. If the network can leave the frame where it is, only its place is
// kept.
//
//   arrived --Copy, Hold--> kept --Next--> its handlers run --Release (a copy)
//      |
//      `-- no room: the network treats it as not arrived
//
// Memory that was never used is never touched. One thread at a time, under the
// lock of the network, which is not held while handlers run. So several threads
// may have taken requests out, and give copies back in any order.
#ifndef CORE_AM_KEPT_REQUESTS_H_
#define CORE_AM_KEPT_REQUESTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/rank.h"

namespace gasnet::am {

// One request, or several in one frame.
struct KeptRequest {
  Rank source = 0;
  unsigned messages = 0;
  std::span<std::byte> frame;      // not of every held request
  KeptRequest* younger = nullptr;  // KeptRequests' own
  bool copied = false;             // false: held; for KeptRequests
};

class KeptRequests {
 public:
  // bytes: the size of all copies with 64 bytes for each; at least the size of
  // one frame of `largest` bytes.
  KeptRequests(size_t bytes, size_t largest);
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;

  // Copies the frame to memory that is aligned for any type. Returns false if
  // no free piece is large enough. There always is one while frames of one size
  // use less than half the memory; with mixed sizes it depends on where they
  // lie.
  bool Copy(Rank source, unsigned messages, std::span<const std::byte> frame);
  // Keeps the request itself, which remains the caller's.
  void Hold(KeptRequest& request);

  bool Empty() const { return oldest_ == nullptr; }
  // Removes and returns the oldest request. Requires that there is one.
  KeptRequest& Next();
  // Gives back the memory of a copy, once its handlers have run. A held buffer
  // is the caller's.
  void Release(KeptRequest& request);

 private:
  // A copy: this, with the frame behind it. The list is in the order of memory.
  struct alignas(16) Slot : KeptRequest {
    std::byte* end = nullptr;
    Slot* before = nullptr;
    Slot* behind = nullptr;
  };
  static_assert(sizeof(Slot) == 64);

  static size_t Cost(size_t frame_bytes) {
    return sizeof(Slot) + (frame_bytes + 15) / 16 * 16;
  }
  // The begin of the free room behind a slot (null: the room in front of all
  // slots), and its size.
  std::byte* RoomBehind(const Slot* slot) const;
  size_t RoomBytes(const Slot* slot) const;
  // Returns true if there is room, and the slot before it.
  bool FindRoom(size_t bytes, Slot*& slot) const;
  void Link(Slot& slot, Slot* before);

  const size_t size_;
  const std::unique_ptr<std::byte[]> memory_;
  Slot* first_ = nullptr;   // in the memory
  Slot* recent_ = nullptr;  // where the search for room begins
  // The least size that has found no room since the last release.
  size_t refused_ = SIZE_MAX;
  KeptRequest* oldest_ = nullptr;
  KeptRequest* youngest_ = nullptr;
};

}  // namespace gasnet::am

#endif  // CORE_AM_KEPT_REQUESTS_H_
