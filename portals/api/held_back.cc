#include "portals/api/held_back.h"

#include <list>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "portals/engine/counter.h"

namespace gasnet::portals4 {
namespace {

// The maximum number of looks (held_back.h) for which an event is held back.
// Only fault injection uses this number, so it needs no tuning.
constexpr uint32_t kMaxLooks = 16;

// Copies the fields of a descriptor that a report needs, because the descriptor
// may be released before the report. Sets `as` to the copy.
void Keep(const MdRecord* md, MdRecord& kept, const MdRecord*& as) {
  if (md == nullptr) return;
  kept.options = md->options;
  kept.eq = md->eq;
  kept.ct = md->ct;
  as = &kept;
}

struct Held {
  Held(PeerInterface& of, const InitiatorRequest& from, uint64_t bytes,
       const Outcome& became)
      : owner(of), length(bytes), outcome(became) {
    Keep(from.put_md, put_md, request.put_md);
    Keep(from.get_md, get_md, request.get_md);
    request.ack = from.ack;
    request.user_ptr = from.user_ptr;
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  void ReportNow() const { Report(owner, request, length, outcome); }

  PeerInterface& owner;
  MdRecord put_md = {};
  MdRecord get_md = {};
  InitiatorRequest request;
  uint64_t length;
  Outcome outcome;
  uint32_t looks = 0;  // The number of looks until the report is delivered.
};

struct Store {
  absl::Mutex mutex;
  std::list<Held> in_order ABSL_GUARDED_BY(mutex);
  std::list<Held> apart ABSL_GUARDED_BY(mutex);
};

// Never destroyed, because threads may still run when the process ends.
Store& TheStore() {
  static Store* const store = new Store();
  return *store;
}

bool SomethingWaits(const PeerInterface& owner, const MdRecord* md) {
  const CtRecord* const ct = md != nullptr ? owner.view.Ct(md->ct) : nullptr;
  return ct != nullptr &&
         ct->due_at.load(std::memory_order_seq_cst) != kNothingDue;
}

}  // namespace

bool HoldBack(PeerInterface& owner, const InitiatorRequest& request,
              uint64_t length, const Outcome& outcome) {
  if (!owner.space.own() || SomethingWaits(owner, request.put_md) ||
      SomethingWaits(owner, request.get_md)) {
    return false;
  }
  Store& store = TheStore();
  const absl::MutexLock lock(&store.mutex);
  const bool alone = Knobs().Happens(Fault::kReordered);
  const bool late = !alone && Knobs().Happens(Fault::kLate);
  if (!alone && !late && store.in_order.empty()) return false;
  std::list<Held>& list = alone ? store.apart : store.in_order;
  Held& held = list.emplace_back(owner, request, length, outcome);
  if (alone || late) held.looks = 1 + Knobs().Draw() % kMaxLooks;
  return true;
}

void ReportSomeHeldBack() {
  Store& store = TheStore();
  {
    const absl::MutexLock lock(&store.mutex);
    std::list<Held>& queue = store.in_order;
    if (!queue.empty() && queue.front().looks > 0) --queue.front().looks;
    while (!queue.empty() && queue.front().looks == 0) {
      queue.front().ReportNow();
      queue.pop_front();
    }
    store.apart.remove_if([](Held& held) {
      if (--held.looks > 0) return false;
      held.ReportNow();
      return true;
    });
  }
  RunDueTriggers();
}

void ReportAllHeldBack() {
  if (!FaultsMayHappen()) return;
  Store& store = TheStore();
  {
    const absl::MutexLock lock(&store.mutex);
    for (std::list<Held>* const list : {&store.in_order, &store.apart}) {
      for (const Held& held : *list) held.ReportNow();
      list->clear();
    }
  }
  RunDueTriggers();
}

void ForgetHeldBack(const PeerInterface& owner) {
  if (!FaultsMayHappen()) return;
  Store& store = TheStore();
  const absl::MutexLock lock(&store.mutex);
  const auto is_its = [&owner](const Held& held) {
    return &held.owner == &owner;
  };
  store.in_order.remove_if(is_its);
  store.apart.remove_if(is_its);
}

}  // namespace gasnet::portals4
