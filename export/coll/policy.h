// The policy through which the fronts of collectives (front.h) use the runtime.
#ifndef EXPORT_COLL_POLICY_H_
#define EXPORT_COLL_POLICY_H_

#include "coll/collectives.h"
#include "core/rank.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "export/coll/calls.h"
#include "extended/barriers.h"

namespace gasnet::exported {

struct CollPolicy {
  static coll::Collectives& engine() { return coll::Collectives::Mine(); }
  static CollCalls& calls() { return runtime->layer<CollCalls>(); }

  static Rank node() { return runtime->job().rank(); }
  static Rank nodes() { return runtime->job().size(); }
  static const Segment& segment() { return runtime->segments()[node()]; }
  static bool InBarrier() { return extended::Barriers::Mine().IsOpen(); }
  static bool HasRelaxedBarrierFlags() {
    return extended::Barriers::Mine().HasRelaxedFlags();
  }
  // Wakes this node's threads that sleep in waits.
  static void WakeOwn() { runtime->engine().link().WakeOwn(); }
  static void Poll() { runtime->engine().PollOrYield(); }
  // Waits until the predicate is true. operation() returns the operation that
  // the predicate waits for, or null. The operation is shown as the reason of
  // the wait to users who inspect the job.
  template <class Predicate, class OperationOf>
  static void WaitUntil(Predicate predicate, OperationOf operation) {
    runtime->engine().WaitUntil(predicate, [&] {
      const coll::CollectiveOperation* const op = operation();
      return op != nullptr ? coll::ReasonOf(*op) : observe::Waiting();
    });
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_POLICY_H_
