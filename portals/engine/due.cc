#include "portals/engine/due.h"

#include <algorithm>
#include <vector>

#include "portals/engine/counter.h"

namespace gasnet::portals4 {

namespace internal {
thread_local constinit uint32_t due_count = 0;
}  // namespace internal

namespace {

// Returns the counters of this thread, in the order in which they became due.
std::vector<Due>& DueHere() {
  thread_local std::vector<Due> due;
  return due;
}

}  // namespace

void NoteDue(PeerInterface& owner, uint32_t ct) {
  std::vector<Due>& waiting = DueHere();
  const bool known = std::any_of(
      waiting.begin(), waiting.end(),
      [&](const Due& due) { return due.owner == &owner && due.ct == ct; });
  if (known) return;
  waiting.push_back({&owner, ct});
  ++internal::due_count;
}

bool TakeDue(Due& due) {
  std::vector<Due>& waiting = DueHere();
  if (waiting.empty()) return false;
  due = waiting.front();
  waiting.erase(waiting.begin());
  --internal::due_count;
  return true;
}

void ForgetDue() {
  DueHere().clear();
  internal::due_count = 0;
}

void Count(PeerInterface& owner, Ref ref, uint64_t success, uint64_t failure) {
  CtRecord* const ct = owner.view.Ct(ref);
  if (ct == nullptr) return;
  if (Add(owner.view, *ct, success, failure)) {
    NoteDue(owner, owner.view.SlotOf(*ct));
  }
}

}  // namespace gasnet::portals4
