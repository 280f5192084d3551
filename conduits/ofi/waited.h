// Since when something has been waited for.
#ifndef CONDUITS_OFI_WAITED_H_
#define CONDUITS_OFI_WAITED_H_

#include <cstdint>
#include <string>

#include "core/rank.h"

namespace gasnet::ofi {

// Seconds that somebody has looked in, from 1 on (silence.h).
struct Seconds {
  uint32_t now = 1;
};

// "put of 8 bytes to rank 3", since that second.
struct Waited {
  Rank peer = 0;
  uint32_t since = 0;
  std::string what;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_WAITED_H_
