// The end of a process, which waits until its messages have arrived.
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

// Does nothing in a signal handler that has interrupted code inside Portals,
// which this would call.
void Network::Drain(bool patient) {
  if (IsForkedChild() || Inside::IsInside()) return;
  const Inside inside;
  if (patient) return DrainAll();
  DrainFor(kDrainLimit);
}

// Waits until transfers are complete, and until everything that Portals holds
// has arrived. Sends no refused operation again, since a signal handler that
// ends the job may have interrupted an allocation.
void Network::DrainFor(int64_t nanos) {
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

// Waits likewise, and also sends refused operations again until all targets
// that have not left have accepted them.
void Network::DrainAll() {
  const auto has_left = [this](Rank peer) { return job_.HasLeft(peer); };
  const auto stays = [&](Rank peer) { return !has_left(peer); };
  messages_.replies().Stop();
  for (;;) {
    // This check comes first: a refusal by the target is then in the queue
    // already.
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
