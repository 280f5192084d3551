// Prefixes of few bytes in a crowd (Sklansky 1960). A chain is slower in a
// crowd, because each of its steps needs another turn on a processor. Messages
// carry subtrees of the canonical tree (combine.h). At the end a node has the
// subtrees of all contributions before its own: one for each bit that is set in
// the node's number.
//
// Round r pairs groups of 2^r nodes. The last node of each lower group sends
// the group's subtree to all nodes of the upper group. There are log2 n rounds
// of n / 2 messages each.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "coll/access.h"
#include "coll/choice.h"
#include "coll/combine.h"

namespace gasnet::coll::algorithms {
namespace {

// Returns true if a subtree of 2^round nodes ends at node `me`.
bool EndsSubtree(Rank me, unsigned round) {
  return static_cast<unsigned>(std::countr_one(me)) >= round;
}

// Return the three groups of vectors in the operation's memory. SubtreesBefore
// is the received input of ExtendChain. SubtreesAfter is the output of
// ExtendChain. SubtreeEnding is the subtree of `round` that ends at this node.
// The group of SubtreeEnding includes a copy of this node's own contribution.
// The copy is needed because the result may overwrite the source before it is
// sent.
std::byte* SubtreesBefore(OperationPhase& at) {
  const size_t ending = static_cast<size_t>(std::countr_one(at.me()));
  return at.Memory(
      (ChainBlocks(at.me()) + ChainBlocks(at.me() + size_t{1}) + 1 + ending) *
      at.nbytes());
}
std::byte* SubtreesAfter(OperationPhase& at) {
  return SubtreesBefore(at) + ChainBlocks(at.me()) * at.nbytes();
}
std::byte* SubtreeEnding(OperationPhase& at, unsigned round) {
  const size_t place = ChainBlocks(at.me() + size_t{1}) + round;
  return SubtreesAfter(at) + place * at.nbytes();
}

class Sklansky final : public Algorithm {
 public:
  unsigned Phases(const Team& team) const override { return team.rounds(); }
  void Begin(OperationPhase& at) const override {
    const size_t nbytes = at.nbytes();
    const Rank me = at.me();
    const unsigned round = at.index();
    const Rank step = Rank{1} << round;
    at.NoIns(1);
    if ((me & step) != 0) {
      const size_t larger = ChainBlocks(me >> (round + 1));
      at.In(0, (me & ~(step - 1)) - 1, SubtreesBefore(at) + larger * nbytes,
            nbytes);
      return;
    }
    if (!EndsSubtree(me, round)) return;
    std::byte* const subtree = SubtreeEnding(at, round);
    if (round == 0) CopyBytes(subtree, at.request.sources[0], nbytes);
    const Rank end = std::min(me + step, at.nodes() - 1);
    for (Rank to = me + 1; to <= end; ++to) at.Out(to, 0, subtree, nbytes);
  }
  void Finish(OperationPhase& at) const override {
    const CollectiveRequest& request = at.request;
    const unsigned round = at.index();
    if (EndsSubtree(at.me(), round + 1)) {
      const void* const halves[] = {
          at.op.ins[0].bytes(),
          round == 0 ? request.sources[0] : SubtreeEnding(at, round)};
      if (round == 0) WillRead(request.sources[0], request.nbytes);
      at.combiner.Combine(request.reduction, SubtreeEnding(at, round + 1),
                          halves, 2, request.reduction.elem_count);
    }
    if (round + 1 < at.team.rounds()) return;
    at.combiner.ExtendChain(request.reduction, at.me(), SubtreesBefore(at),
                            request.sources[0], SubtreesAfter(at),
                            request.dests[0]);
  }
};

constexpr Sklansky kSklanskyPrefixObject;

}  // namespace

const Algorithm& kSklanskyPrefix = kSklanskyPrefixObject;

}  // namespace gasnet::coll::algorithms
