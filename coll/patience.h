// How long a node has waited for the oldest operation of a team, and when it
// has been too long. By who drives the node alone.
#ifndef COLL_PATIENCE_H_
#define COLL_PATIENCE_H_

#include <cstdint>

#include "coll/tuning.h"

namespace gasnet::coll {

class Patience {
 public:
  // Whether to inquire now (inquiry.h): after kPatience in which that number
  // was the oldest whenever this was asked, then after twice as long.
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
  uint32_t oldest_ = 0;  // the first is 1
  int64_t next_ = 0;
  int64_t pause_ = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_PATIENCE_H_
