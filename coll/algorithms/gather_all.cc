// Gathers all blocks to all nodes: directly, or round a ring.
#include <cstddef>
#include <vector>

#include "coll/access.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class ToAll : public Algorithm {
 public:
  void Finish(OperationPhase& at) const final {
    const size_t mine = at.MyBlocks();
    for (size_t j = 0; j < mine; ++j) {
      CopyBytes(at.request.dests[0] + at.MyBlock(j) * at.nbytes(),
                at.request.sources[j], at.nbytes());
    }
    if (mine < 2) return;
    at.CopyToAll(at.request.dests[0], at.Blocks() * at.nbytes(), 1);
  }

 protected:
  using Algorithm::Algorithm;
  ~ToAll() = default;
};

class GatherAll final : public ToAll {
 public:
  constexpr GatherAll() : ToAll({.runs_at_once = true, .may_push = true}) {}

  void Begin(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    if (at.MyBlocks() == 0) return at.NoIns(0);
    at.NoIns(at.Blocks());
    for (size_t k = 0; k < at.Blocks(); ++k) {
      const Rank owner = at.OwnerOf(k);
      if (owner == at.me()) continue;
      at.In(k, owner, at.request.dests[0] + k * nbytes, nbytes);
    }
    std::vector<bool> receives;
    if (!at.op.owners.empty()) receives.resize(at.nodes());
    for (const uint32_t owner : at.op.owners) receives[owner] = true;
    at.ForOthers([&](Rank other) {
      if (!receives.empty() && !receives[other]) return;
      for (size_t j = 0; j < at.MyBlocks(); ++j) {
        at.Out(other, at.MyBlock(j), at.request.sources[j], nbytes);
      }
    });
  }
};

// Gathers round a ring. A node receives each block from the previous node, and
// forwards the block to the next node as soon as it has arrived.
class RingGatherAll final : public ToAll {
 public:
  constexpr RingGatherAll() : ToAll({.may_push = true}) {}

  void Begin(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    const Rank nodes = at.nodes();
    const Rank before = (at.me() + nodes - 1) % nodes;
    const Rank next = (at.me() + 1) % nodes;
    std::byte* const to = at.request.dests[0];
    at.NoIns(nodes);
    at.Out(next, at.me(), at.request.sources[0], nbytes);
    for (Rank i = 1; i < nodes; ++i) {
      const Rank k = (at.me() + nodes - i) % nodes;
      at.In(k, before, to + k * nbytes, nbytes);
      if (k != next) at.Out(next, k, to + k * nbytes, nbytes, k);
    }
  }
};

constexpr GatherAll kGatherAllObject;
constexpr RingGatherAll kRingGatherAllObject;

}  // namespace

const Algorithm& kGatherAll = kGatherAllObject;
const Algorithm& kRingGatherAll = kRingGatherAllObject;

}  // namespace gasnet::coll::algorithms
