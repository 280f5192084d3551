// Draining at the end of a process: waits until the process's messages have
// arrived.
#include <time.h>

#include "base/forked.h"
#include "conduits/portals/hand_over.h"
#include "conduits/portals/inside.h"
#include "conduits/portals/network.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

constexpr timespec kDrainMoment = {0, kDrainInterval};

}  // namespace

// Drains the network. Does nothing in a signal handler that interrupted code
// inside Portals, because draining calls Portals.
void PortalsNetwork::Drain(bool patient) {
  if (IsForkedChild() || Inside::IsInside()) return;
  const Inside inside;
  if (patient) return DrainAll();
  DrainFor(kDrainLimit);
}

// Waits until transfers are complete and all data that Portals holds has
// arrived, for at most `nanos` nanoseconds. Does not resend refused operations,
// because resending may allocate. A signal handler that ends the job may have
// interrupted an allocation.
void PortalsNetwork::DrainFor(int64_t nanos) {
  const int64_t end = NowNanos() + nanos;
  const auto any = [](Rank) { return true; };
  while (NowNanos() < end) {
    unsigned taken = 0;
    if (transfers_.IsBusy() || messages_.offers().IsOfferedTo(any)) {
      PollSafe(nullptr, taken);
    } else if (HasArrived()) {
      return;
    }
    if (taken == 0) nanosleep(&kDrainMoment, nullptr);
  }
}

// Waits like DrainFor(), but without a time limit. Also resends refused
// operations until all targets have accepted them or have left.
void PortalsNetwork::DrainAll() {
  const auto has_left = [this](Rank peer) { return job_.HasLeft(peer); };
  const auto stays = [&](Rank peer) { return !has_left(peer); };
  messages_.replies().Stop();
  for (;;) {
    // HasArrived() must come before the polls. If it returns true, the event of
    // each refusal by a target is already in the queue, and the polls below
    // find it.
    const bool arrived = HasArrived();
    unsigned taken = PollSystem();
    PollSafe(nullptr, taken);
    LookForLeft();
    if (taken > 0) continue;
    if (arrived && !transfers_.IsBusy() &&
        !messages_.offers().IsOfferedTo(stays) &&
        !messages_.requests().MayGoAgain(has_left)) {
      return;
    }
    nanosleep(&kDrainMoment, nullptr);
  }
}

}  // namespace gasnet::portals_conduit
