// How long a sleeper naps whom no descriptor wakes: a share of the time in
// which nothing has come, so that waking late adds little to a wait that has
// been long anyway, and a multiple of what a look costs the processor, so that
// an idle rank takes hardly any of it. No more than that: where the target of a
// put has to look, an idle one lets each wait for the rest of its nap, and does
// not see that there was any.
//
// Times in nanoseconds. Not thread-safe: under the lock of the network.
#ifndef CONDUITS_OFI_NAPS_H_
#define CONDUITS_OFI_NAPS_H_

#include <algorithm>
#include <cstdint>
#include <utility>

#include "conduits/ofi/tuning.h"

namespace gasnet::ofi {

class Naps {
 public:
  // From now on. spent: by the processor for this thread, ever. receipts:
  // changes whenever something has come.
  int64_t Next(int64_t now, int64_t spent, uint32_t receipts) {
    if (std::exchange(receipts_, receipts) != receipts) since_ = now;
    const int64_t look = spent - std::exchange(spent_, spent);
    const int64_t longest = std::clamp(kNapsOfLook * look, kLeastNap, kMostNap);
    return std::clamp((now - since_) / kShareOfIdle, kLeastNap, longest);
  }

 private:
  int64_t since_ = 0;  // the first nap since something has come
  int64_t spent_ = 0;  // at the last nap; another thread's gives one odd nap
  uint32_t receipts_ = ~0U;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NAPS_H_
