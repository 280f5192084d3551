// A split-phase barrier of all ranks: a native barrier of the conduit, or one
// over messages (extended/barriers.h).
//
// One thread at a time calls it, in this order: Notify(), Done() until it
// returns true, Result(). The barrier does not check this order. The event that
// completes the barrier wakes threads that sleep on the link.
#ifndef CORE_SPLIT_BARRIER_H_
#define CORE_SPLIT_BARRIER_H_

#include "core/barrier_vote.h"

namespace gasnet {

class SplitBarrier {
 public:
  virtual ~SplitBarrier() = default;

  // Returns the barrier's name in GASNET_BARRIER.
  virtual const char* name() const = 0;

  // Tells the other ranks that this rank has arrived, with its vote; does not
  // wait.
  virtual void Notify(const BarrierVote& mine) = 0;
  // Returns true if all ranks have notified. An implementation may remember how
  // far the barrier has come.
  virtual bool Done() = 0;
  // Returns the merged votes. Valid once Done returns true.
  virtual BarrierVote Result() = 0;
};

}  // namespace gasnet

#endif  // CORE_SPLIT_BARRIER_H_
