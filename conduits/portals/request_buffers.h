// Where requests arrive: buffers that Portals fills one after the other, each
// with one message behind the other, until less than a chunk is left in it.
//
//   linked --full--> unlinked, its last messages not handled yet
//     ^                 |
//     `--appended again-'   when all are, behind all others
//
// Whether all are handled is one number, so that events may be taken and
// handled by any threads in any order: the bytes handled, less where the last
// message ends, less one for that, plus one for the event that says it is
// unlinked. It is 0 when all of that has happened, and not before; a message
// without bytes lies in no buffer. The thread that brings it to 0 has the
// buffer alone.
#ifndef CONDUITS_PORTALS_REQUEST_BUFFERS_H_
#define CONDUITS_PORTALS_REQUEST_BUFFERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals {

class RequestBuffers {
 public:
  RequestBuffers(Interface& interface, const Plan& plan,
                 Statistics& statistics);

  // Appends all of them.
  absl::Status Start();

  // Counts the event of a message, or the one of an unlinking.
  void Handled(const ptl_event_t& event);
  void Unlinked(const ptl_event_t& event);

  // Appends those for which there was no room.
  void CatchUp() {
    if (IsBehind()) [[unlikely]]
      AppendUnlinked();
  }

  // Whether there are such: no event says when there is.
  bool IsBehind() const {
    return has_unlinked_.load(std::memory_order_relaxed);
  }

  // Whether at least half of them are linked.
  bool HasRoom() const {
    return 2 * linked_.load(std::memory_order_relaxed) >= count_;
  }

 private:
  struct alignas(kRecordAlignment) Buffer {
    std::byte* start = nullptr;
    std::atomic<int64_t> balance{0};
  };

  Entry EntryOf(Buffer& buffer) const;
  void Count(Buffer& buffer, int64_t change);
  void Refresh(Buffer& buffer);
  bool AppendAgain(Buffer& buffer);
  void AppendUnlinked();

  Interface& interface_;
  Statistics& statistics_;
  const size_t bytes_;  // of each
  const size_t chunk_;
  const size_t count_;
  const std::unique_ptr<Buffer[]> buffers_;
  Buffers memory_;
  std::atomic<size_t> linked_{0};
  thread::SpinLock lock_;
  std::vector<Buffer*> unlinked_ ABSL_GUARDED_BY(lock_);
  std::atomic<bool> has_unlinked_{false};
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_REQUEST_BUFFERS_H_
