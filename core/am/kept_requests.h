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
#include <cstdint>
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
  bool copied = false;             // or held; for KeptRequests
};

class KeptRequests {
 public:
  // bytes: of all copies with 64 each; raised to what one frame of `largest`
  // bytes takes.
  KeptRequests(size_t bytes, size_t largest);
  KeptRequests(const KeptRequests&) = delete;
  KeptRequests& operator=(const KeptRequests&) = delete;

  // Copies the frame to where it is aligned for any type. False: no room, of
  // one piece; there is some while less than half the memory is in use by
  // frames of one size, and otherwise as they happen to lie.
  bool Copy(Rank source, unsigned messages, std::span<const std::byte> frame);
  // Keeps what is and remains the caller's.
  void Hold(KeptRequest& request);

  bool Empty() const { return oldest_ == nullptr; }
  // The oldest, which is no longer kept; not when it is empty.
  KeptRequest& Next();
  // When its handlers have run: gives the memory of a copy back. A held buffer
  // is the caller's.
  void Release(KeptRequest& request);

 private:
  // A copy: this, and the frame behind it. In a list as they lie in the memory.
  struct alignas(16) Slot : KeptRequest {
    std::byte* end = nullptr;
    Slot* before = nullptr;
    Slot* behind = nullptr;
  };
  static_assert(sizeof(Slot) == 64);

  static size_t Cost(size_t frame_bytes) {
    return sizeof(Slot) + (frame_bytes + 15) / 16 * 16;
  }
  // Where the room behind a slot begins (null: that in front of all), and how
  // much it is.
  std::byte* RoomBehind(const Slot* slot) const;
  size_t RoomBytes(const Slot* slot) const;
  // Whether there is room, and behind which slot.
  bool FindRoom(size_t bytes, Slot*& slot) const;
  void Link(Slot& slot, Slot* before);

  const size_t size_;
  const std::unique_ptr<std::byte[]> memory_;
  Slot* first_ = nullptr;      // in the memory
  Slot* recent_ = nullptr;     // where room is looked for at first
  size_t refused_ = SIZE_MAX;  // what found no room since the last release
  KeptRequest* oldest_ = nullptr;
  KeptRequest* youngest_ = nullptr;
};

}  // namespace gasnet::am

#endif  // CORE_AM_KEPT_REQUESTS_H_
