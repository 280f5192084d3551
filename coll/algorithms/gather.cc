// Gathers to the root: directly, or in one message per host (led.h).
#include <cstddef>
#include <vector>

#include "coll/access.h"
#include "coll/algorithms/led.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

// Sends each of this node's blocks to node `to`, as a separate part.
void SendBlocks(OperationPhase& at, Rank to) {
  at.NoIns(0);
  for (size_t j = 0; j < at.MyBlocks(); ++j) {
    at.Out(to, at.MyBlock(j), at.request.sources[j], at.nbytes());
  }
}

// Copies the root's own blocks. Called on the root only.
void CopyOwn(OperationPhase& at) {
  for (size_t j = 0; j < at.MyBlocks(); ++j) {
    CopyBytes(at.root_area() + at.MyBlock(j) * at.nbytes(),
              at.request.sources[j], at.nbytes());
  }
}

// ---- directly

class Gather final : public Algorithm {
 public:
  constexpr Gather() : Algorithm({.runs_at_once = true, .may_push = true}) {}

  void Begin(OperationPhase& at) const override {
    if (!at.IsRoot()) return SendBlocks(at, at.request.root);
    at.NoIns(at.Blocks());
    for (size_t k = 0; k < at.Blocks(); ++k) {
      const Rank owner = at.OwnerOf(k);
      if (owner == at.me()) continue;
      at.In(k, owner, at.root_area() + k * at.nbytes(), at.nbytes());
    }
  }
  void Finish(OperationPhase& at) const override {
    if (at.IsRoot()) CopyOwn(at);
  }
  bool OnlySends(const OperationPhase& at, Rank node) const override {
    return node != at.request.root;
  }
};

// ---- by leaders

// Receives the blocks of this leader's host. Called on leaders only.
void CollectBlocks(OperationPhase& at) {
  const size_t nbytes = at.nbytes();
  const std::vector<LedBlock> all = FindLedBlocks(at);
  std::byte* const memory = at.Memory(all.size() * nbytes);
  at.NoIns(all.empty() ? 0 : at.Blocks());
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t k = all[i].block;
    if (at.OwnerOf(k) == at.me()) {
      CopyBytes(memory + i * nbytes, at.request.sources[at.IndexOfMine(k)],
                nbytes);
    } else {
      at.In(k, at.OwnerOf(k), memory + i * nbytes, nbytes);
    }
  }
}

// Sends the blocks of this leader's host in one message. The key of the message
// is the number of the first block.
void SendCollected(OperationPhase& at) {
  at.NoIns(0);
  const std::vector<LedBlock> all = FindLedBlocks(at);
  if (all.empty()) return;
  at.Out(at.request.root, all[0].block, at.op.memory.get(),
         all.size() * at.nbytes());
}

// Receives the blocks of each other host in one message, and the blocks of the
// root's host singly. Called on the root only.
void TakeFromHosts(OperationPhase& at) {
  const size_t nbytes = at.nbytes();
  std::byte* const area = at.root_area();
  const std::vector<LedBlock> all = FindLedBlocks(at);
  at.NoIns(at.Blocks());
  ForLeaders(all, [&](LedBlocks blocks, size_t before) {
    const size_t first = blocks.front().block;
    std::byte* const to =
        FollowEachOther(blocks)
            ? area + first * nbytes
            : at.Memory(all.size() * nbytes) + before * nbytes;
    at.In(first, blocks.front().leader, to, blocks.size() * nbytes);
  });
  ForOwnHost(at, [&](size_t k, Rank owner) {
    at.In(k, owner, area + k * nbytes, nbytes);
  });
}

// Copies each host's blocks to their places in the root's area, if these places
// are not contiguous. Called on the root only.
void PlaceBlocks(OperationPhase& at) {
  const size_t nbytes = at.nbytes();
  const std::vector<LedBlock> all = FindLedBlocks(at);
  ForLeaders(all, [&](LedBlocks blocks, size_t before) {
    if (FollowEachOther(blocks)) return;
    const std::byte* from = at.op.memory.get() + before * nbytes;
    for (const LedBlock& it : blocks) {
      CopyBytes(at.root_area() + it.block * nbytes, from, nbytes);
      from += nbytes;
    }
  });
}

class LedGather final : public Algorithm {
 public:
  constexpr LedGather() : Algorithm({.may_push = true}) {}

  unsigned Phases(const Team& /*team*/) const override { return 2; }
  void Begin(OperationPhase& at) const override {
    const bool last = at.index() == 1;
    const Rank leader = LeaderOf(at, at.me());
    if (at.IsRoot()) return last ? TakeFromHosts(at) : at.NoIns(0);
    if (leader == at.me()) return last ? SendCollected(at) : CollectBlocks(at);
    // If the root is this node's leader, this node sends in the last phase.
    // Otherwise this node sends in the first phase.
    if (last != (leader == at.request.root)) return at.NoIns(0);
    SendBlocks(at, leader);
  }
  void Finish(OperationPhase& at) const override {
    if (at.index() == 0 || !at.IsRoot()) return;
    PlaceBlocks(at);
    CopyOwn(at);
  }
};

constexpr Gather kGatherObject;
constexpr LedGather kLedGatherObject;

}  // namespace

const Algorithm& kGather = kGatherObject;
const Algorithm& kLedGather = kLedGatherObject;

}  // namespace gasnet::coll::algorithms
