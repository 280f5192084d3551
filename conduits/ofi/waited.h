// The time since which something has been waited for.
#ifndef CONDUITS_OFI_WAITED_H_
#define CONDUITS_OFI_WAITED_H_

#include <cstdint>
#include <string>

#include "core/rank.h"

namespace gasnet::ofi {

// The number of seconds in which this rank has looked, from 1 on (silence.h).
struct Seconds {
  uint32_t now = 1;
};

// The operation waited for, such as "put of 8 bytes to rank 3", and the second
// since which it has been.
struct Waited {
  Rank peer = 0;
  uint32_t since = 0;
  std::string what;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_WAITED_H_
