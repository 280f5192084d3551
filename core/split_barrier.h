// A split-phase barrier of all ranks: one that a conduit has by itself, or one
// by messages (extended/barriers.h).
//
// It is called by one thread at a time, in the order Notify, Done until true,
// Result, and need not check that. The event that completes it wakes the link's
// sleepers.
#ifndef CORE_SPLIT_BARRIER_H_
#define CORE_SPLIT_BARRIER_H_

#include "core/barrier_vote.h"

namespace gasnet {

class SplitBarrier {
 public:
  virtual ~SplitBarrier() = default;

  // The name that GASNET_BARRIER knows it by.
  virtual const char* name() const = 0;

  // Starts a phase; does not wait.
  virtual void Notify(const BarrierVote& mine) = 0;
  // Returns true if all ranks have notified; may remember how far it looked.
  virtual bool Done() = 0;
  // Returns all votes merged; valid once Done.
  virtual BarrierVote Result() = 0;
};

}  // namespace gasnet

#endif  // CORE_SPLIT_BARRIER_H_
