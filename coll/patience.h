// Measures how long a node has waited for the oldest operation of a team. Used
// by the driving thread only.
#ifndef COLL_PATIENCE_H_
#define COLL_PATIENCE_H_

#include <cstdint>

#include "coll/tuning.h"

namespace gasnet::coll {

class Patience {
 public:
  // Returns true if the node should inquire now (inquiry.h). The first time is
  // when `oldest` has been the same for kPatience. Each interval to the next
  // time is twice as long as the previous interval.
  bool IsOver(uint32_t oldest, int64_t now) {
    if (oldest != oldest_) {
      oldest_ = oldest;
      next_ = now + kPatience;
      pause_ = 2 * kPatience;
      return false;
    }
    if (now < next_) return false;
    next_ = now + pause_;
    pause_ *= 2;
    return true;
  }

 private:
  uint32_t oldest_ = 0;  // operation numbers begin at 1
  int64_t next_ = 0;
  int64_t pause_ = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_PATIENCE_H_
