// Requests that have arrived while only replies may be served (am::Lanes), in
// the order in which they came: of each a copy of its frame, in memory that is
// bounded, or only where it is, for a network that can leave it there.
//
//   arrived --Copy, Hold--> kept --Next--> its handlers run --Release (a copy)
//      |
//      `-- no room: the network is to treat it as not arrived
//
// Memory that was never used is never touched. One thread at a time: under the
// lock of the network, but not while handlers run; so several threads may have
// taken requests out, and give copies back in any order.
#ifndef CORE_AM_KEPT_REQUESTS_H_
#define CORE_AM_KEPT_REQUESTS_H_

#include <cstddef>
#include <memory>
#include <span>

#include "core/rank.h"

namespace gasnet::am {

// A request, or several in one frame.
struct KeptRequest {
  Rank source = 0;
  unsigned messages = 0;
  std::span<std::byte> frame;      // not of every one that is held
  KeptRequest* younger = nullptr;  // for KeptRequests
};

class KeptRequests {
 public:
  // bytes: of all copies with 64 each; raised to what one frame of `largest`
  // bytes takes.
  KeptRequests(size_t bytes, size_t largest);
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;

  // Copies the frame to where it is aligned for any type. False: no room.
  bool Copy(Rank source, unsigned messages, std::span<const std::byte> frame);
  // Keeps what is and remains the caller's.
  void Hold(KeptRequest& request);

  bool Empty() const { return oldest_ == nullptr; }
  // The oldest, which is no longer kept; not when it is empty.
  KeptRequest& Next();
  // Gives the memory of a copy back, when its handlers have run.
  void Release(KeptRequest& copy);

 private:
  // A copy: this, and the frame behind it. They lie in a ring, in the order in
  // which they were made.
  struct alignas(16) Slot : KeptRequest {
    std::byte* end = nullptr;
    Slot* next = nullptr;  // that was made after it
    bool free = false;
  };
  static_assert(sizeof(Slot) == 64);

  static size_t Cost(size_t frame_bytes) {
    return sizeof(Slot) + (frame_bytes + 15) / 16 * 16;
  }
  std::byte* FindRoom(size_t bytes) const;

  const size_t size_;
  const std::unique_ptr<std::byte[]> memory_;
  Slot* first_ = nullptr;  // that is not free; null: none
  Slot* last_ = nullptr;
  KeptRequest* oldest_ = nullptr;
  KeptRequest* youngest_ = nullptr;
};

}  // namespace gasnet::am

#endif  // CORE_AM_KEPT_REQUESTS_H_
