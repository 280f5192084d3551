// Requests that arrived while only replies may be served (am::Lanes), in order
// of arrival. Each is a copy of its frame, in bounded memory. If the network
// can leave the frame in place, only its position is kept.
//
//     arrived --Copy, Hold--> kept --Next--> handlers run --Release (a copy)
//        |
//        `-- no room: the network treats it as not arrived
//
// Memory that was never used is never touched. One thread at a time, under the
// network's lock. The lock is not held while handlers run, so several threads
// may have taken requests out, and release copies in any order.
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
  std::span<std::byte> frame;      // unset for some held requests
  KeptRequest* younger = nullptr;  // owned by KeptRequests
  bool copied = false;             // false: held; owned by KeptRequests
};

class KeptRequests {
 public:
  // bytes: the total size of copies, with 64 bytes of overhead each. largest:
  // the largest frame; one always fits.
  KeptRequests(size_t bytes, size_t largest);
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;

  // Copies the frame to memory that is aligned for any type. Returns false if
  // no free piece is large enough. Frames of one size always fit while they use
  // less than half the memory. With mixed sizes it depends on fragmentation.
  bool Copy(Rank source, unsigned messages, std::span<const std::byte> frame);
  // Keeps the request itself, which still belongs to the caller.
  void Hold(KeptRequest& request);

  bool Empty() const { return oldest_ == nullptr; }
  // Removes and returns the oldest request. Requires that there is one.
  KeptRequest& Next();
  // Releases the memory of a copy after its handlers have run. A held request
  // belongs to the caller.
  void Release(KeptRequest& request);

 private:
  // A copy: this header, followed by the frame. The list is in order of
  // addresses.
  struct alignas(16) Slot : KeptRequest {
    std::byte* end = nullptr;
    Slot* before = nullptr;
    Slot* behind = nullptr;
  };
  static_assert(sizeof(Slot) == 64);

  static size_t Cost(size_t frame_bytes) {
    return sizeof(Slot) + (frame_bytes + 15) / 16 * 16;
  }
  // Returns the start of the free room behind a slot (null: in front of all
  // slots).
  std::byte* RoomBehind(const Slot* slot) const;
  size_t RoomBytes(const Slot* slot) const;
  // Returns true if there is room, and sets the slot before it.
  bool FindRoom(size_t bytes, Slot*& slot) const;
  void Link(Slot& slot, Slot* before);

  const size_t size_;
  const std::unique_ptr<std::byte[]> memory_;
  Slot* first_ = nullptr;   // lowest in memory
  Slot* recent_ = nullptr;  // start of the search for room
  // The least size that found no room since the last release.
  size_t refused_ = SIZE_MAX;
  KeptRequest* oldest_ = nullptr;
  KeptRequest* youngest_ = nullptr;
};

}  // namespace gasnet::am

#endif  // CORE_AM_KEPT_REQUESTS_H_
