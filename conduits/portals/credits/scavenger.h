// Walks around the ranks that a lender with a low bank may ask for credits. The
// walk goes around all ranks at most once in an epoch. It continues where it
// stopped, so all ranks are asked in turn. Each call walks only one slice, so
// the lock of the state machine is never held for long.
#ifndef CONDUITS_PORTALS_CREDITS_SCAVENGER_H_
#define CONDUITS_PORTALS_CREDITS_SCAVENGER_H_

#include <cstdint>

#include "conduits/portals/credits/tuning.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

class Scavenger {
 public:
  // `tries`: the number of ranks that may be asked in vain in an epoch.
  Scavenger(Rank ranks, uint32_t tries)
      : ranks_(ranks), tries_(tries), left_(ranks), tries_left_(tries) {}

  void EpochEnded() {
    left_ = ranks_;
    tries_left_ = tries_;
  }
  // Records that a rank had credits to spare. Asking this rank was not in vain.
  void WasWorthIt() { ++tries_left_; }
  // Returns true if no more ranks may be asked, for the rest of this epoch or
  // until a rank that was asked returns credits.
  bool IsDone() const { return left_ == 0 || tries_left_ == 0; }

  // Calls ask(rank) for one rank after another. Stops when ask() has returned
  // true `most` times, at the end of the slice, or at the end of the epoch's
  // round.
  template <typename Ask>
  void Walk(unsigned most, Ask ask) {
    unsigned asked = 0;
    for (Rank looked = 0; looked < kSlice && !IsDone() && asked < most;
         ++looked) {
      const Rank rank = next_;
      next_ = rank + 1 == ranks_ ? 0 : rank + 1;
      --left_;
      if (!ask(rank)) continue;
      ++asked;
      --tries_left_;
    }
  }

 private:
  Rank ranks_;
  uint32_t tries_;
  Rank next_ = 0;
  Rank left_;  // ranks left in this epoch's round
  uint32_t tries_left_;
};

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_SCAVENGER_H_
