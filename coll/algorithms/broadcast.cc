// Broadcasts along a tree (tree.h). Many bytes are cut into segments. A node
// forwards each segment as soon as this segment has arrived.
#include "coll/algorithms/broadcast.h"

#include <algorithm>
#include <cstdint>

#include "coll/choice.h"
#include "coll/tuning.h"

namespace gasnet::coll::algorithms {
namespace {

// Returns the size of the segments that nodes forward between hosts. If no node
// forwards segments, returns the size of the whole data.
size_t SegmentBytes(const OperationPhase& at) {
  const size_t segment = at.settings.segment;
  if (at.team.hosts() == 1 || at.nodes() == 2 || segment == 0) {
    return at.nbytes();
  }
  const size_t even = (at.nbytes() + kMaxSegments - 1) / kMaxSegments;
  return std::max(segment, even);
}

}  // namespace

void PassDown(OperationPhase& at, Rank root, const std::byte* from,
              std::byte* to) {
  const size_t nbytes = at.nbytes();
  const size_t each = SegmentBytes(at);
  const size_t segments = nbytes <= each ? 1 : (nbytes + each - 1) / each;
  // A chain takes longer than a tree to bring the first segment to the last
  // node. But in a chain each node sends each byte only once.
  const bool chain = segments > 1 && segments >= at.team.hosts();
  const Tree& tree =
      at.team.TreeOf(root, chain ? TreeShape::kChain : TreeShape::kBest);
  const bool is_root = root == at.me();
  at.NoIns(is_root ? 0 : segments);
  for (uint32_t i = 0; i < segments; ++i) {
    const size_t first = i * each;
    const size_t some = segments == 1 ? nbytes : std::min(each, nbytes - first);
    if (!is_root) at.In(i, tree.parent, to + first, some);
    for (const Rank child : tree.children) {
      at.Out(child, i, from + first, some, is_root ? OutPart::kNothing : i);
    }
  }
}

namespace {

class Broadcast final : public Algorithm {
 public:
  constexpr Broadcast() : Algorithm({.runs_at_once = true}) {}

  void Begin(OperationPhase& at) const override {
    if (at.IsRoot() && at.CopiesOwnFirst()) CopyOwn(at);
    std::byte* const to = at.MyBlocks() > 0 ? at.request.dests[0]
                          : at.IsRoot()     ? nullptr
                                            : at.Memory(at.nbytes());
    PassDown(at, at.request.root, at.IsRoot() ? at.root_area() : to, to);
  }
  void Finish(OperationPhase& at) const override {
    if (!at.IsRoot() || !at.CopiesOwnFirst()) CopyOwn(at);
  }
  bool OnlySends(const OperationPhase& at, Rank node) const override {
    return node == at.request.root && at.CopiesOwnFirst() &&
           at.request.blocks.form == BlockMap::Form::kTeam;
  }

 private:
  static void CopyOwn(OperationPhase& at) {
    if (at.IsRoot()) return at.CopyToAll(at.root_area(), at.nbytes(), 0);
    if (at.MyBlocks() > 1) at.CopyToAll(at.request.dests[0], at.nbytes(), 1);
  }
};

constexpr Broadcast kBroadcastObject;

}  // namespace

const Algorithm& kBroadcast = kBroadcastObject;

}  // namespace gasnet::coll::algorithms
