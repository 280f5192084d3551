// The length of a sleeping thread's nap if no descriptor wakes it. It is a
// share of the time in which nothing has arrived, so that waking late adds
// little to a wait that is long already. It is also a multiple of the processor
// time of a look, so that an idle rank uses hardly any of the processor. It is
// no more than that: if the target of a put has to look, an idle one delays
// each put for the rest of its nap, and does not notice it.
//
// Times in nanoseconds. Not thread-safe: used under the lock of the network.
#ifndef CONDUITS_OFI_NAPS_H_
#define CONDUITS_OFI_NAPS_H_

#include <algorithm>
#include <cstdint>
#include <utility>

#include "conduits/ofi/tuning.h"

namespace gasnet::ofi {

class Naps {
 public:
  // Returns the length of a nap that begins now. `spent`: the processor time
  // that this thread has used so far. `receipts`: changes whenever something
  // has arrived.
  int64_t Next(int64_t now, int64_t spent, uint32_t receipts) {
    if (std::exchange(receipts_, receipts) != receipts) since_ = now;
    const int64_t look = spent - std::exchange(spent_, spent);
    const int64_t longest = std::clamp(kNapsOfLook * look, kLeastNap, kMostNap);
    return std::clamp((now - since_) / kShareOfIdle, kLeastNap, longest);
  }

 private:
  int64_t since_ = 0;  // the first nap since something has arrived
  int64_t spent_ = 0;  // at the last nap; another thread's gives one odd nap
  uint32_t receipts_ = ~0U;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NAPS_H_
