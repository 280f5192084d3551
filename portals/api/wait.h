// Waits in an interface of this process. The waiting thread first spins,
// because other threads and processes may be about to act. Then it sleeps until
// the interface's doorbell rings.
#ifndef PORTALS_API_WAIT_H_
#define PORTALS_API_WAIT_H_

#include <sched.h>

#include <algorithm>
#include <cstdint>

#include "base/asymmetric_fence.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/futex.h"
#include "core/hostshm/tuning.h"
#include "portals/api/given_job.h"
#include "portals/api/interface.h"
#include "portals/api/library.h"
#include "portals/engine/flight.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

inline int64_t DeadlineOf(ptl_time_t milliseconds) {
  return milliseconds == PTL_TIME_FOREVER
             ? kNever
             : NowNanos() + milliseconds * kNanosPerMilli;
}

enum class WaitResult { kFound, kTimeOut, kAborted };

namespace internal {

// Sleeps until the doorbell rings, the deadline passes, or it is time to check
// again. The caller must have armed the doorbell.
inline void Sleep(Interface& interface, uint32_t seen, int64_t deadline,
                  bool fenced) {
  const int64_t most = fenced ? kLookInterval : hostshm::kUnfencedSleepNanos;
  const int64_t left =
      deadline == kNever ? most : std::min(most, deadline - NowNanos());
  if (left <= 0) return;
  interface.sleepers.fetch_add(1, std::memory_order_relaxed);
  LeaveToCarrier();
  FutexWait(interface.view().header().doorbell.epoch, seen, left);
  interface.sleepers.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace internal

// Starts the helper if a peer asks for help. Every call that checks for an
// event or a count and finds none calls this.
inline void HelpWhoAsks(const Interface& interface) {
  if (HelpIsWanted(interface.view())) [[unlikely]]
    Helper::StartWhereWanted();
}

// Blocks until `found()` is true or the deadline has passed. Calls `found` at
// least once.
//
// After a sleep, the thread sometimes checks for work that dead processes have
// left undone. This work is operations that wait for a counter of the
// interface, and moves of data of its entries.
template <class Found>
WaitResult WaitUntil(Interface& interface, int64_t deadline, Found found) {
  hostshm::Doorbell& bell = interface.view().header().doorbell;
  const int spins = GetCarrier() != nullptr ? kWaitPolls : kWaitSpins;
  for (int tries = 0;; ++tries) {
    if (found()) return WaitResult::kFound;
    PollCarrier();
    HelpWhoAsks(interface);
    if (GetLibrary().IsAborted()) return WaitResult::kAborted;
    if (deadline != kNever && NowNanos() >= deadline)
      return WaitResult::kTimeOut;
    if (tries < spins) {
      CpuRelax();
    } else if (tries < spins + kWaitYields) {
      sched_yield();
    } else {
      const uint32_t seen = bell.Arm();
      const bool fenced = AsymmetricFence::HeavyFence();
      if (found()) return WaitResult::kFound;
      if (GetLibrary().IsAborted()) return WaitResult::kAborted;
      internal::Sleep(interface, seen, deadline, fenced);
      if (const int64_t now = NowNanos();
          now - interface.looked.load(std::memory_order_relaxed) >=
          kLookInterval) {
        interface.looked.store(now, std::memory_order_relaxed);
        RunAbandonedTriggers(interface);
        EndDeadFlights(interface.own());
        GetLibrary().AcceptLookers();
      }
    }
  }
}

// Returns the result of a wait for an object that no longer exists. After
// PtlAbort, a program frees objects for which other threads still wait. So
// PTL_ABORTED takes precedence over PTL_ARG_INVALID.
inline int AnswerOfGone() {
  return GetLibrary().IsAborted() ? PTL_ABORTED : PTL_ARG_INVALID;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_API_WAIT_H_
