// Sends small parts through one node, the center, in a crowd (crowd.h). All
// nodes send to the center, and the center sends each node the data that this
// node needs. Each node needs a turn on a processor only once to send and once
// to receive. An algorithm with rounds needs one turn for each round. There are
// 2 * (n - 1) messages instead of n * (n - 1).
//
//   gather_all   The center's dest collects all blocks and is sent to all
//                nodes.
//   exchange     Each node sends all its blocks, and gets back the blocks
//                addressed to it. All messages are eager, because both ends
//                copy the blocks anyway.
//   reduce_all   The center combines the contributions.
//   barrier      The center merges the votes.
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

  static bool IsCenter(const OperationPhase& at) { return at.me() == kCenter; }

  // Sets the parts of the first phase: node k sends nbytes bytes to the center.
  // The bytes arrive at `to` + k * nbytes of the center.
  static void ToCenter(OperationPhase& at, const std::byte* from, std::byte* to,
                       size_t nbytes) {
    at.NoIns(IsCenter(at) ? at.nodes() : 0);
    if (!IsCenter(at)) {
      at.Out(kCenter, at.me(), from, nbytes);
      return;
    }
    at.ForOthers([&](Rank k) { at.In(k, k, to + k * nbytes, nbytes); });
  }
  // Sets the parts of the second phase: the center sends nbytes bytes from
  // `from` + k * stride to node k.
  static void FromCenter(OperationPhase& at, const std::byte* from,
                         size_t stride, std::byte* to, size_t nbytes) {
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
