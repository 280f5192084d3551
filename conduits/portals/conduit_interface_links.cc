// Waits for the links of appended entries. Keeps the events of messages that
// arrive during the wait.
#include <sched.h>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {

absl::Status ConduitInterface::AwaitLinks() {
  const int64_t end = NowNanos() + kLinkPatience;
  while (unlinked_ > 0) {
    ptl_event_t event;
    bool found = false;
    for (const Queue queue :
         {Queue::kSystem, Queue::kSafe, Queue::kRequests, Queue::kBell}) {
      if (queue == Queue::kBell && !awaits_bell_.load()) continue;
      if (!Get(queue, event)) continue;
      found = true;
      if (event.type == PTL_EVENT_LINK) {
        NoteLink(event);
      } else {
        Keep(queue, event);
      }
    }
    if (found) continue;
    if (NowNanos() > end) {
      return absl::DeadlineExceededError(absl::StrCat(
          "Portals 4: ", unlinked_.load(), " entries are not linked"));
    }
    sched_yield();
  }
  awaits_bell_.store(false);
  if (!link_failed_.exchange(false)) return absl::OkStatus();
  return absl::InternalError("Portals 4: an entry is not linked");
}

void ConduitInterface::NoteLink(const ptl_event_t& event) {
  if (event.ni_fail_type != PTL_NI_OK) link_failed_.store(true);
  unlinked_.fetch_sub(1);
}

void ConduitInterface::Keep(Queue queue, const ptl_event_t& event) {
  const absl::MutexLock lock(&kept_mutex_);
  kept_[static_cast<size_t>(queue)].push_back(event);
  kept_count_.fetch_add(1, std::memory_order_relaxed);
}

bool ConduitInterface::TakeKept(Queue queue, ptl_event_t& event) {
  const absl::MutexLock lock(&kept_mutex_);
  std::deque<ptl_event_t>& kept = kept_[static_cast<size_t>(queue)];
  if (kept.empty()) return false;
  event = kept.front();
  kept.pop_front();
  kept_count_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

}  // namespace gasnet::portals_conduit
