// Computes the length of naps, for sleeping threads that no descriptor can
// wake. A nap has two upper limits:
//
//   - A share of the time in which nothing has arrived. Waking late then adds
//     little to a wait that is long already.
//   - A multiple of the processor time of a look, so that an idle rank uses
//     hardly any of the processor. The multiple is not larger, because an idle
//     target may delay each put for the rest of its nap, if the provider makes
//     progress only in its looks.
//
// Times are in nanoseconds. Not thread-safe: used under the lock of the
// network.
#ifndef CONDUITS_OFI_NAPS_H_
#define CONDUITS_OFI_NAPS_H_

#include <algorithm>
#include <cstdint>
#include <utility>

#include "conduits/ofi/tuning.h"

namespace gasnet::ofi {

class Naps {
 public:
  // Returns the length of a nap that begins at time `now`. `spent` is the
  // processor time that this thread has used so far. `receipts` must change
  // whenever something has arrived.
  int64_t Next(int64_t now, int64_t spent, uint32_t receipts) {
    if (std::exchange(receipts_, receipts) != receipts) since_ = now;
    const int64_t look = spent - std::exchange(spent_, spent);
    const int64_t longest = std::clamp(kNapsOfLook * look, kMinNap, kMaxNap);
    return std::clamp((now - since_) / kShareOfIdle, kMinNap, longest);
  }

 private:
  int64_t since_ = 0;  // time of the first nap after the last arrival
  // The thread's processor time at the last nap. If another thread naps next,
  // one nap has the wrong length.
  int64_t spent_ = 0;
  uint32_t receipts_ = ~0U;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NAPS_H_
