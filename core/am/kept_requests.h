// Requests that arrived while only replies may be served (am::Lanes), in order
// of arrival. Each is a copy of its frame, in bounded memory. If the network
// can leave the frame in place, only the frame's position is kept.
//
//     arrived --Copy, Hold--> kept --Next--> handlers run --Release (a copy)
//        |
//        `-- no room: the network treats it as not arrived
//
// Memory that was never used is never touched. Only one thread at a time may
// call these functions, under the network's lock. The lock is not held while
// handlers run. So several threads may run handlers of kept requests at once,
// and may release copies in any order.
#ifndef CORE_AM_KEPT_REQUESTS_H_
#define CORE_AM_KEPT_REQUESTS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/rank.h"

namespace gasnet::am {

// One request, or several requests in one frame.
struct KeptRequest {
  Rank source = 0;
  unsigned messages = 0;
  std::span<std::byte> frame;      // empty for some held requests
  KeptRequest* younger = nullptr;  // set by KeptRequests only
  // false: held, not copied; set by KeptRequests only
  bool copied = false;
};

class KeptRequests {
 public:
  // `bytes` is the total size of copies, including 64 bytes of overhead for
  // each. `largest` is the size of the largest frame. A frame of this size
  // always fits if no other is kept.
  KeptRequests(size_t bytes, size_t largest);
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;

  // Copies the frame to memory that is aligned for any type. Returns false if
  // no free piece is large enough. Frames of one size always fit while they use
  // less than half the memory. Frames of mixed sizes may fail to fit because of
  // fragmentation.
  bool Copy(Rank source, unsigned messages, std::span<const std::byte> frame);
  // Keeps the request itself in place, without a copy. The request still
  // belongs to the caller.
  void Hold(KeptRequest& request);

  bool Empty() const { return oldest_ == nullptr; }
  // Removes and returns the oldest request. Requires that Empty() is false.
  KeptRequest& Next();
  // Releases the memory of a copy after its handlers have run. A held request
  // belongs to the caller, and is not released.
  void Release(KeptRequest& request);

 private:
  // A copied request: this header, followed by the frame. The list of slots is
  // in order of addresses.
  struct alignas(16) Slot : KeptRequest {
    std::byte* end = nullptr;
    Slot* before = nullptr;
    Slot* behind = nullptr;
  };
  static_assert(sizeof(Slot) == 64);

  static size_t Cost(size_t frame_bytes) {
    return sizeof(Slot) + (frame_bytes + 15) / 16 * 16;
  }
  // Returns the start of the free room behind a slot. If the slot is null,
  // returns the start of the room in front of all slots.
  std::byte* RoomBehind(const Slot* slot) const;
  size_t RoomBytes(const Slot* slot) const;
  // Returns true if there is room for `bytes` bytes, and sets `slot` to the
  // slot before that room.
  bool FindRoom(size_t bytes, Slot*& slot) const;
  void Link(Slot& slot, Slot* before);

  const size_t size_;
  const std::unique_ptr<std::byte[]> memory_;
  Slot* first_ = nullptr;   // slot with the lowest address
  Slot* recent_ = nullptr;  // slot behind which the search for room starts
  // The smallest size that found no room since the last release. Requests of
  // this size or more need no search.
  size_t refused_ = SIZE_MAX;
  KeptRequest* oldest_ = nullptr;
  KeptRequest* youngest_ = nullptr;
};

}  // namespace gasnet::am

#endif  // CORE_AM_KEPT_REQUESTS_H_
