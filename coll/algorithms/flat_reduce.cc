// Reductions in which all contributions go directly to each node that needs the
// result. Each of these nodes combines the contributions.
#include <cstddef>

#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

// Sets the incoming parts of a phase: the contributions of the first `end`
// blocks.
void TakeFirst(OperationPhase& at, size_t end) {
  const size_t nbytes = at.nbytes();
  std::byte* const memory = at.Memory(end * nbytes);
  at.NoIns(end);
  for (size_t k = 0; k < end; ++k) {
    const Rank owner = at.team.owner_of(static_cast<uint32_t>(k));
    if (owner != at.me()) at.In(k, owner, memory + k * nbytes, nbytes);
  }
}

void SendOwn(OperationPhase& at, Rank to) {
  for (size_t j = 0; j < at.MyBlocks(); ++j) {
    at.Out(to, at.MyBlock(j), at.request.sources[j], at.nbytes());
  }
}

class FlatReduce final : public Algorithm {
 public:
  constexpr FlatReduce() : Algorithm({.runs_at_once = true}) {}

  void Begin(OperationPhase& at) const override {
    if (at.IsRoot()) return TakeFirst(at, at.team.blocks());
    at.NoIns(0);
    SendOwn(at, at.request.root);
  }
  void Finish(OperationPhase& at) const override {
    if (!at.IsRoot()) return;
    at.CombineFirst(at.team.blocks(), at.root_area(), at.nbytes());
  }
};

class FlatReduceAll final : public Algorithm {
 public:
  constexpr FlatReduceAll()
      : Algorithm({.runs_at_once = true, .overwrites_outs = true}) {}

  void Begin(OperationPhase& at) const override {
    TakeFirst(at, at.team.blocks());
    at.ForOthers([&](Rank other) { SendOwn(at, other); });
  }
  void Finish(OperationPhase& at) const override {
    std::byte* const result = at.request.dests[0];
    at.CombineFirst(at.team.blocks(), result, at.nbytes());
    at.CopyToAll(result, at.nbytes(), 1);
  }
};

class FlatPrefix final : public Algorithm {
 public:
  constexpr FlatPrefix()
      : Algorithm({.runs_at_once = true, .overwrites_outs = true}) {}

  void Begin(OperationPhase& at) const override {
    TakeFirst(at, at.team.first_image(at.me() + 1));
    for (Rank above = at.me() + 1; above < at.nodes(); ++above) {
      SendOwn(at, above);
    }
  }
  // Computes the prefixes from the highest block down. A dest may overwrite its
  // own block's source, because the remaining prefixes, of lower blocks, do not
  // need that source.
  void Finish(OperationPhase& at) const override {
    const size_t own = at.request.reduction.exclusive ? 0 : 1;
    for (size_t j = at.MyBlocks(); j-- > 0;) {
      const size_t count = at.MyBlock(j) + own;
      if (count > 0) at.CombineFirst(count, at.request.dests[j], at.nbytes());
    }
  }
};

constexpr FlatReduce kFlatReduceObject;
constexpr FlatReduceAll kFlatReduceAllObject;
constexpr FlatPrefix kFlatPrefixObject;

}  // namespace

const Algorithm& kFlatReduce = kFlatReduceObject;
const Algorithm& kFlatReduceAll = kFlatReduceAllObject;
const Algorithm& kFlatPrefix = kFlatPrefixObject;

}  // namespace gasnet::coll::algorithms
