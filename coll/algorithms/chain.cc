// Prefixes of few bytes along a chain, if all nodes share memory. Each node
// sends one message to the next node. The message holds the subtrees of all
// contributions so far (combine.h). There is one subtree for each bit that is
// set in the number of contributions. A node receives in its first phase, and
// sends to the next node in its second.
#include <cstddef>

#include "coll/choice.h"
#include "coll/combine.h"

namespace gasnet::coll::algorithms {
namespace {

class Chain final : public Algorithm {
 public:
  constexpr Chain() : Algorithm({.runs_at_once = true, .is_all_eager = true}) {}

  unsigned Phases(const Team& /*team*/) const override { return 2; }
  void Begin(OperationPhase& at) const override {
    const size_t before = ChainBlocks(at.me()) * at.nbytes();
    const size_t after = ChainBlocks(at.me() + size_t{1}) * at.nbytes();
    std::byte* const memory = at.Memory(before + after);
    if (at.index() == 0) {
      at.NoIns(1);
      if (at.me() > 0) at.In(0, at.me() - 1, memory, before);
      return;
    }
    at.NoIns(0);
    if (at.me() + 1 == at.nodes()) return;
    at.Out(at.me() + 1, 0, memory + before, after).phase = 0;
  }
  void Finish(OperationPhase& at) const override {
    if (at.index() != 0) return;
    std::byte* const memory = at.op.memory.get();
    at.combiner.ExtendChain(
        at.request.reduction, at.me(), memory, at.request.sources[0],
        memory + ChainBlocks(at.me()) * at.nbytes(), at.request.dests[0]);
  }
};

constexpr Chain kChainPrefixObject;

}  // namespace

const Algorithm& kChainPrefix = kChainPrefixObject;

}  // namespace gasnet::coll::algorithms
