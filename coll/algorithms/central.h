// In a crowd (crowd.h) small parts of all for all go by way of the center: all
// send to it, and it sends all of them what they need. Each node has its turn
// on a processor once to send and once to receive, which in rounds it has as
// often as there are rounds; and there are 2 * (n - 1) messages in place of
// n * (n - 1).
//
//   gather_all   the center's dest has all blocks, and goes to all
//   exchange     all blocks of a node go there, those for a node come back; as
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

  // The first phase: node k's bytes to `to` + k * nbytes of the center.
  static void ToCenter(Phase& at, const std::byte* from, std::byte* to,
                       size_t nbytes) {
    at.NoIns(IsCenter(at) ? at.nodes() : 0);
    if (!IsCenter(at)) {
      at.Out(kCenter, at.me(), from, nbytes);
      return;
    }
    at.ForOthers([&](Rank k) { at.In(k, k, to + k * nbytes, nbytes); });
  }
  // The second one: from `from` + k * stride of the center to node k.
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
