// Scatters from the root: directly, or in one message per host (led.h).
#include <cstddef>
#include <vector>

#include "coll/access.h"
#include "coll/algorithms/led.h"
#include "coll/choice.h"

namespace gasnet::coll::algorithms {
namespace {

// Receives each of this node's blocks from node `from`, as a separate part.
void TakeBlocks(OperationPhase& at, Rank from) {
  at.NoIns(at.MyBlocks());
  for (size_t j = 0; j < at.MyBlocks(); ++j) {
    at.In(j, from, at.request.dests[j], at.nbytes(), at.MyBlock(j));
  }
}

// Copies the root's own blocks. Called on the root only.
void CopyOwn(OperationPhase& at) {
  for (size_t j = 0; j < at.MyBlocks(); ++j) {
    CopyBytes(at.request.dests[j], at.root_area() + at.MyBlock(j) * at.nbytes(),
              at.nbytes());
  }
}

// ---- directly

class Scatter final : public Algorithm {
 public:
  constexpr Scatter() : Algorithm({.runs_at_once = true}) {}

  void Begin(OperationPhase& at) const override {
    if (!at.IsRoot()) return TakeBlocks(at, at.request.root);
    at.NoIns(0);
    if (at.CopiesOwnFirst()) CopyOwn(at);
    const size_t blocks = at.Blocks();
    const size_t first = at.MyBlocks() > 0 ? at.MyBlock(0) : 0;
    for (size_t i = 0; i < blocks; ++i) {
      const size_t k = (first + i) % blocks;
      const Rank owner = at.OwnerOf(k);
      if (owner == at.me()) continue;
      at.Out(owner, k, at.root_area() + k * at.nbytes(), at.nbytes());
    }
  }
  void Finish(OperationPhase& at) const override {
    if (at.IsRoot() && !at.CopiesOwnFirst()) CopyOwn(at);
  }
  size_t IndexOf(const OperationPhase& at, uint32_t key,
                 Rank /*from*/) const override {
    return at.IndexOfMine(key);
  }
  // Returns true only if every node has the team's blocks (kTeam). If nodes
  // list their blocks, the root sends no message to a node without blocks.
  bool OnlySends(const OperationPhase& at, Rank node) const override {
    return node == at.request.root && at.CopiesOwnFirst() &&
           at.request.blocks.form == BlockMap::Form::kTeam;
  }
};

// ---- by leaders

// Sends to the leaders first, and then to the root's host, because other nodes
// wait for blocks that leaders forward. Called on the root only.
void SendToHosts(OperationPhase& at) {
  const size_t nbytes = at.nbytes();
  const std::byte* const area = at.root_area();
  const std::vector<LedBlock> all = FindLedBlocks(at);
  at.NoIns(0);
  ForLeaders(all, [&](LedBlocks blocks, size_t before) {
    const std::byte* from = area + blocks.front().block * nbytes;
    if (!FollowEachOther(blocks)) {
      std::byte* const copy = at.Memory(all.size() * nbytes) + before * nbytes;
      for (size_t i = 0; i < blocks.size(); ++i) {
        CopyBytes(copy + i * nbytes, area + blocks[i].block * nbytes, nbytes);
      }
      from = copy;
    }
    at.Out(blocks.front().leader, 0, from, blocks.size() * nbytes);
  });
  ForOwnHost(at, [&](size_t k, Rank owner) {
    at.Out(owner, k, area + k * nbytes, nbytes);
  });
}

// Receives and forwards the blocks of this leader's host. Called on leaders
// only.
void PassOnBlocks(OperationPhase& at) {
  const size_t nbytes = at.nbytes();
  const std::vector<LedBlock> all = FindLedBlocks(at);
  at.NoIns(all.empty() ? 0 : 1);
  if (all.empty()) return;
  std::byte* const memory = at.Memory(all.size() * nbytes);
  at.In(0, at.request.root, memory, all.size() * nbytes);
  for (size_t i = 0; i < all.size(); ++i) {
    const Rank owner = at.OwnerOf(all[i].block);
    if (owner == at.me()) continue;
    at.Out(owner, all[i].block, memory + i * nbytes, nbytes, 0);
  }
}

// Copies this leader's own blocks out of the message with the blocks of its
// host. Called on leaders only.
void TakeOwn(OperationPhase& at) {
  const std::byte* from = at.op.memory.get();
  for (const LedBlock& it : FindLedBlocks(at)) {
    if (at.OwnerOf(it.block) == at.me()) {
      CopyBytes(at.request.dests[at.IndexOfMine(it.block)], from, at.nbytes());
    }
    from += at.nbytes();
  }
}

class LedScatter final : public Algorithm {
 public:
  void Begin(OperationPhase& at) const override {
    if (at.IsRoot()) return SendToHosts(at);
    const Rank leader = LeaderOf(at, at.me());
    return leader == at.me() ? PassOnBlocks(at) : TakeBlocks(at, leader);
  }
  void Finish(OperationPhase& at) const override {
    if (at.IsRoot()) return CopyOwn(at);
    if (LeaderOf(at, at.me()) == at.me()) TakeOwn(at);
  }
  size_t IndexOf(const OperationPhase& at, uint32_t key,
                 Rank /*from*/) const override {
    return LeaderOf(at, at.me()) == at.me() ? key : at.IndexOfMine(key);
  }
};

constexpr Scatter kScatterObject;
constexpr LedScatter kLedScatterObject;

}  // namespace

const Algorithm& kScatter = kScatterObject;
const Algorithm& kLedScatter = kLedScatterObject;

}  // namespace gasnet::coll::algorithms
