// Reductions of few bytes among many nodes. In round r, node m * 2^(r+1) + 2^r
// sends a sum to the node 2^r below itself. It is the sum of 2^r nodes, from
// the sender upwards. Each sum is a subtree of the canonical tree (combine.h).
// In the last phase node 0 sends the result to the nodes that need it.
#include <cstddef>

#include "coll/access.h"
#include "coll/algorithms/broadcast.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

class TreeReduction : public Algorithm {
 public:
  unsigned Phases(const Team& team) const final { return team.rounds() + 1; }
  void Begin(OperationPhase& at) const final {
    std::byte* const memory = at.Memory(2 * at.nbytes());
    if (IsLast(at)) return BeginResult(at);
    const Rank me = at.me();
    const Rank step = Rank{1} << at.index();
    at.NoIns(1);
    if (me % step != 0) return;
    if (me / step % 2 != 0) {
      at.Out(me - step, 0, Sum(at), at.nbytes());
    } else if (me + step < at.nodes()) {
      at.In(0, me + step, memory + at.nbytes(), at.nbytes());
    }
  }
  void Finish(OperationPhase& at) const final {
    if (IsLast(at)) {
      std::byte* const to = at.me() == 0 ? ResultOfFirst(at) : nullptr;
      if (to != nullptr) CopyBytes(to, Sum(at), at.nbytes());
      return;
    }
    const Rank step = Rank{1} << at.index();
    if (at.me() % (2 * step) != 0 || at.me() + step >= at.nodes()) return;
    std::byte* const memory = at.op.memory.get();
    const std::byte* const left =
        at.index() == 0 ? at.request.sources[0] : memory;
    WillRead(left, at.nbytes());
    const void* const both[] = {left, at.op.ins[0].bytes()};
    const Reduction& how = at.request.reduction;
    at.combiner.Combine(how, memory, both, 2, at.nbytes() / how.elem_size);
  }

 protected:
  TreeReduction() = default;
  ~TreeReduction() = default;

  // Returns the sum that this node has computed, or its own contribution if it
  // has computed no sum.
  static const std::byte* Sum(const OperationPhase& at) {
    const bool combined = at.me() % 2 == 0 && at.me() + 1 < at.nodes();
    return combined ? at.op.memory.get() : at.request.sources[0];
  }

 private:
  static bool IsLast(const OperationPhase& at) {
    return at.index() == at.team.rounds();
  }
  virtual void BeginResult(OperationPhase& at) const = 0;
  // Returns the address where node 0 stores the result, or null if node 0 does
  // not need the result.
  virtual std::byte* ResultOfFirst(const OperationPhase& at) const = 0;
};

class TreeReduce final : public TreeReduction {
  void BeginResult(OperationPhase& at) const override {
    const Rank root = at.request.root;
    at.NoIns(1);
    if (root == 0) return;
    if (at.IsRoot()) at.In(0, 0, at.root_area(), at.nbytes());
    if (at.me() == 0) at.Out(root, 0, Sum(at), at.nbytes());
  }
  std::byte* ResultOfFirst(const OperationPhase& at) const override {
    return at.IsRoot() ? at.root_area() : nullptr;
  }
};

class TreeReduceAll final : public TreeReduction {
  void BeginResult(OperationPhase& at) const override {
    std::byte* const to = at.request.dests[0];
    PassDown(at, 0, at.me() == 0 ? Sum(at) : to, to);
  }
  std::byte* ResultOfFirst(const OperationPhase& at) const override {
    return at.request.dests[0];
  }
};

constexpr TreeReduce kTreeReduceObject;
constexpr TreeReduceAll kTreeReduceAllObject;

}  // namespace

const Algorithm& kTreeReduce = kTreeReduceObject;
const Algorithm& kTreeReduceAll = kTreeReduceAllObject;

}  // namespace gasnet::coll::algorithms
