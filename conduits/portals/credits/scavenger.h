// Whom a lender with a low bank asks for credits back, and when it stops
// asking: a walk around all ranks that each epoch goes round once. It goes on
// where it stopped, so that all are asked in turn, and in slices, so that none
// of them holds the machine's lock for long.
#ifndef CONDUITS_PORTALS_CREDITS_SCAVENGER_H_
#define CONDUITS_PORTALS_CREDITS_SCAVENGER_H_

#include "core/rank.h"

namespace gasnet::portals::credits {

class Scavenger {
 public:
  // Ranks looked at in one slice: some microseconds.
  static constexpr Rank kSlice = 512;

  explicit Scavenger(Rank ranks) : ranks_(ranks), left_(ranks) {}

  void EpochEnded() { left_ = ranks_; }
  // Whether every rank has had its turn in this epoch.
  bool IsDone() const { return left_ == 0; }

  // Calls ask(rank) for one after the other, until it was true `most` times or
  // the slice or the epoch's round is over.
  template <typename Ask>
  void Walk(unsigned most, Ask ask) {
    unsigned asked = 0;
    for (Rank looked = 0; looked < kSlice && left_ > 0 && asked < most;
         ++looked) {
      const Rank rank = next_;
      next_ = rank + 1 == ranks_ ? 0 : rank + 1;
      --left_;
      if (ask(rank)) ++asked;
    }
  }

 private:
  Rank ranks_;
  Rank next_ = 0;
  Rank left_;  // that this epoch's round has not come to
};

}  // namespace gasnet::portals::credits

#endif  // CONDUITS_PORTALS_CREDITS_SCAVENGER_H_
