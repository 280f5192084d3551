// Computes the length of naps. A thread naps if no file descriptor can wake it.
// Between naps the thread looks for arrivals. A nap has two upper limits:
//
//   - A share of the time in which nothing has arrived. Waking late then adds
//     little to a wait that is already long.
//   - A multiple of the processor time that a look takes. An idle rank then
//     uses hardly any of the processor. A larger multiple would delay puts: if
//     the provider makes progress only in looks, each put to an idle target may
//     wait for the rest of a nap.
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
  // processor time that this thread has used so far. The caller changes
  // `receipts` whenever anything has arrived since the last call.
  int64_t Next(int64_t now, int64_t spent, uint32_t receipts) {
    if (std::exchange(receipts_, receipts) != receipts) since_ = now;
    const int64_t look = spent - std::exchange(spent_, spent);
    const int64_t longest = std::clamp(kNapsOfLook * look, kMinNap, kMaxNap);
    return std::clamp((now - since_) / kShareOfIdle, kMinNap, longest);
  }

 private:
  int64_t since_ = 0;  // time of the first nap after the last arrival
  // The processor time of the last napping thread, when it began its nap. If
  // the next nap is that of a different thread, the length of that nap is
  // wrong.
  int64_t spent_ = 0;
  uint32_t receipts_ = ~0U;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_NAPS_H_
