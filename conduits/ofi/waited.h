// The operation that a rank waits for, and the clock that measures the wait.
#ifndef CONDUITS_OFI_WAITED_H_
#define CONDUITS_OFI_WAITED_H_

#include <cstdint>
#include <string>

#include "core/rank.h"

namespace gasnet::ofi {

// A clock of seconds that starts with 1. It counts only seconds in which this
// rank has looked (silence_watchdog.h).
struct Seconds {
  uint32_t now = 1;
};

// An operation that this rank waits for, and the time in Seconds at which the
// wait began. `what` describes the operation, such as "put of 8 bytes to rank
// 3".
struct Waited {
  Rank peer = 0;
  uint32_t since = 0;
  std::string what;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_WAITED_H_
