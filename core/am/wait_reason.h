// The reasons for waits. Users who inspect the job see these reasons on the
// status board (core/observe/status_board.h). A function without arguments
// returns the reason. It is called only if the wait becomes long, so a short
// wait pays nothing for it.
#ifndef CORE_AM_WAIT_REASON_H_
#define CORE_AM_WAIT_REASON_H_

#include <cstdint>

#include "core/lane.h"
#include "core/observe/status_board.h"
#include "core/rank.h"

namespace gasnet::am {

// A wait for an unknown reason.
struct WaitForAnything {
  observe::Waiting operator()() const { return {}; }
};

// A wait that delays no rank, such as a library thread's wait for work. It is
// never published.
struct NotTold {
  observe::Waiting operator()() const { return {}; }
};

// A wait until a condition of the client is true.
struct WaitForCondition {
  observe::Waiting operator()() const {
    return {.what = observe::WaitFor::kCondition};
  }
};

struct WaitForRoom {
  Rank peer;
  Lane lane;

  observe::Waiting operator()() const {
    return {.what = observe::WaitFor::kRoom,
            .peer = peer,
            .first = lane == Lane::kReply ? 1u : 0u};
  }
};

// A wait for puts and gets with one peer, or with any peer. count: their
// number, or 0 if it is unknown.
struct WaitForTransfers {
  Rank peer = job::kNobody;
  uint64_t count = 0;

  observe::Waiting operator()() const {
    return {.what = observe::WaitFor::kTransfers, .peer = peer, .first = count};
  }
};

}  // namespace gasnet::am

#endif  // CORE_AM_WAIT_REASON_H_
