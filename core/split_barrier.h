// A split-phase barrier of all ranks: either of the conduit, or over messages
// (extended/barriers.h).
//
// One thread at a time calls it, in the order Notify, Done until it returns
// true, Result. The barrier does not check this order. The event that completes
// the barrier wakes the link's sleepers.
#ifndef CORE_SPLIT_BARRIER_H_
#define CORE_SPLIT_BARRIER_H_

#include "core/barrier_vote.h"

namespace gasnet {

class SplitBarrier {
 public:
  virtual ~SplitBarrier() = default;

  // Returns the barrier's name in GASNET_BARRIER.
  virtual const char* name() const = 0;

  // Starts a phase; does not wait.
  virtual void Notify(const BarrierVote& mine) = 0;
  // Returns true if all ranks have notified. May cache the progress.
  virtual bool Done() = 0;
  // Returns the merged votes. Valid once Done returns true.
  virtual BarrierVote Result() = 0;
};

}  // namespace gasnet

#endif  // CORE_SPLIT_BARRIER_H_
