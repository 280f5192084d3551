// One conduit, as the fronts of collectives see it (front.h).
#ifndef EXPORT_COLL_POLICY_H_
#define EXPORT_COLL_POLICY_H_

#include "coll/collectives.h"
#include "core/conduit.h"
#include "core/rank.h"
#include "core/segment.h"
#include "extended/barriers.h"

namespace gasnet::exported {

template <Conduit C>
struct CollPolicy {
  using Engine = coll::Collectives<C>;

  static Rank node() { return C::job().rank(); }
  static Rank nodes() { return C::job().size(); }
  static const Segment& segment() { return C::segments()[node()]; }
  static bool InBarrier() { return extended::Barriers<C>::IsOpen(); }
  static bool HasRelaxedBarrierFlags() {
    return extended::Barriers<C>::HasRelaxedFlags();
  }
  // The threads of this node that sleep in waits.
  static void WakeOwn() { C::engine().link().WakeOwn(); }
  static void Poll() { C::engine().PollOrYield(); }
  template <class Predicate>
  static void WaitUntil(Predicate predicate) {
    C::engine().WaitUntil(predicate);
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_POLICY_H_
