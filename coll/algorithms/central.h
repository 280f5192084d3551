// In a crowd (crowd.h) small parts from all to all go through the center: all
// nodes send to it, and it sends each node the data that it needs. Each node
// needs a turn on a processor once to send and once to receive; with rounds it
// would need one for each round. There are 2 * (n - 1) messages instead of n *
// (n - 1).
//
//   gather_all   the center's dest collects all blocks and is sent to all
//   exchange     each node sends all its blocks and gets those for it back, as
//                eager messages, since both ends copy them anyway
//   reduce_all   the center combines
//   barrier      the center merges the votes
#ifndef COLL_ALGORITHMS_CENTRAL_H_
#define COLL_ALGORITHMS_CENTRAL_H_

#include <cstddef>

#include "coll/algorithm.h"
#include "coll/crowd.h"
#include "coll/phase.h"

namespace gasnet::coll::algorithms {

class Central : public Algorithm {
 public:
  unsigned Phases(const Team& /*team*/) const final { return 2; }

 protected:
  constexpr explicit Central(Traits traits = {}) : Algorithm(traits) {}
  ~Central() = default;

  static bool IsCenter(const Phase& at) { return at.me() == kCenter; }

  // Runs the first phase: sends node k's bytes to `to` + k * nbytes of the
  // center.
  static void ToCenter(Phase& at, const std::byte* from, std::byte* to,
                       size_t nbytes) {
    at.NoIns(IsCenter(at) ? at.nodes() : 0);
    if (!IsCenter(at)) {
      at.Out(kCenter, at.me(), from, nbytes);
      return;
    }
    at.ForOthers([&](Rank k) { at.In(k, k, to + k * nbytes, nbytes); });
  }
  // Runs the second phase: sends from `from` + k * stride of the center to node
  // k.
  static void FromCenter(Phase& at, const std::byte* from, size_t stride,
                         std::byte* to, size_t nbytes) {
    at.NoIns(IsCenter(at) ? 0 : 1);
    if (!IsCenter(at)) {
      at.In(0, kCenter, to, nbytes);
      return;
    }
    at.ForOthers([&](Rank k) { at.Out(k, 0, from + k * stride, nbytes); });
  }
};

}  // namespace gasnet::coll::algorithms

#endif  // COLL_ALGORITHMS_CENTRAL_H_
