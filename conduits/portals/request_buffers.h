// The receive buffers of requests. Portals fills one buffer after another. In a
// buffer it puts one message behind another, until less than a chunk is left.
//
//   linked --full--> unlinked, its last messages not handled yet
//     ^                 |
//     `--appended again-'   when all are handled, behind all other buffers
//
// Any threads may take and handle events in any order. Each buffer has one
// number, its balance, to show when all messages are handled. The balance is
//
// - the number of bytes handled,
// - minus the end offset of the last message once it is handled,
// - minus one for the last message,
// - plus one for the event that reports the unlinking.
//
// The balance is 0 when all messages and the unlinking are handled, and not
// before. A message without bytes lies in no buffer and is not counted. The
// thread that brings the balance to 0 owns the buffer.
#ifndef CONDUITS_PORTALS_REQUEST_BUFFERS_H_
#define CONDUITS_PORTALS_REQUEST_BUFFERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

class RequestBuffers {
 public:
  RequestBuffers(ConduitInterface& interface, const Plan& plan,
                 PortalsStatistics& statistics);

  // Appends all buffers.
  absl::Status Start();

  // Handled counts the event of a message, Unlinked the event of an unlinking.
  void Handled(const ptl_event_t& event);
  void Unlinked(const ptl_event_t& event);

  // Appends the buffers for which Portals had no room so far.
  void CatchUp() {
    if (IsBehind()) [[unlikely]]
      AppendUnlinked();
  }

  // Returns true if CatchUp() has buffers to append. No event reports when
  // Portals has room for these buffers.
  bool IsBehind() const {
    return has_unlinked_.load(std::memory_order_relaxed);
  }

  // Returns true if at least half of the buffers are linked.
  bool HasRoom() const {
    return 2 * linked_.load(std::memory_order_relaxed) >= count_;
  }

 private:
  struct alignas(kRecordAlignment) Buffer {
    std::byte* start = nullptr;
    std::atomic<int64_t> balance{0};
  };

  PortalEntry EntryOf(Buffer& buffer) const;
  void Count(Buffer& buffer, int64_t change);
  void Refresh(Buffer& buffer);
  bool AppendAgain(Buffer& buffer);
  void AppendUnlinked();

  ConduitInterface& interface_;
  PortalsStatistics& statistics_;
  const size_t bytes_;  // bytes of each buffer
  const size_t chunk_;
  const size_t count_;
  const std::unique_ptr<Buffer[]> buffers_;
  Buffers memory_;
  std::atomic<size_t> linked_{0};
  thread::SpinLock lock_;
  std::vector<Buffer*> unlinked_ ABSL_GUARDED_BY(lock_);
  std::atomic<bool> has_unlinked_{false};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_REQUEST_BUFFERS_H_
