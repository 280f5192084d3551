// Scatter and gather of small blocks among hosts of several nodes: one message
// between the root and each other host, which holds the blocks of all its
// nodes, in their order.
//
//   scatter   one phase: to the leaders, which pass on each block when all of
//             theirs have come
//   gather    two phases: to the leaders; from these to the root
//
// The root is the leader of its own host, whose nodes it gets and sends blocks
// of by themselves, in the last phase. The blocks of a host stay where they are
// in the root's area if they follow each other there, else they are copied.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coll/access.h"
#include "coll/schedule.h"

namespace gasnet::coll {

bool Schedule::IsLed(const Team& team, const Request& request,
                     const Settings& settings) {
  if (request.kind != Kind::kScatter && request.kind != Kind::kGather) {
    return false;
  }
  if (request.nbytes == 0) return false;
  if (!team.HasSharedHostBeyond(request.root)) return false;
  // Where nodes say which blocks they have, not all know it yet: one host may
  // have them all.
  const size_t blocks = request.blocks.form == BlockMap::Form::kTeam
                            ? team.most_images_on_host()
                            : request.blocks.total;
  const size_t most = std::min(settings.leaders, settings.eager_far);
  return request.nbytes <= most / std::max<size_t>(blocks, 1);
}

// By leader: on the root those of all others, else those of this node's own.
std::vector<Schedule::LedBlock> Schedule::FindLedBlocks() const {
  const Rank mine = LeaderOf(me());
  std::vector<LedBlock> found;
  for (size_t k = 0; k < Blocks(); ++k) {
    const Rank leader = LeaderOf(OwnerOf(k));
    if (IsRoot() == (leader == mine)) continue;
    found.push_back({leader, static_cast<uint32_t>(k)});
  }
  std::sort(found.begin(), found.end());
  return found;
}

namespace {

// Calls f(blocks, before) for those of each leader, and how many come before.
template <class Block, class F>
void ForLeaders(const std::vector<Block>& all, F f) {
  for (size_t first = 0; first < all.size();) {
    size_t end = first + 1;
    while (end < all.size() && all[end].leader == all[first].leader) ++end;
    f(std::span(all).subspan(first, end - first), first);
    first = end;
  }
}

template <class Blocks>
bool FollowEachOther(const Blocks& blocks) {
  return blocks.back().block - blocks.front().block == blocks.size() - 1;
}

}  // namespace

// ---- scatter

void Schedule::BeginLedScatter() {
  if (IsRoot()) return ScatterToLeaders();
  const size_t nbytes = op_.request->nbytes;
  const Rank leader = LeaderOf(me());
  if (leader != me()) {
    NoIns(MyBlocks());
    for (size_t j = 0; j < MyBlocks(); ++j) {
      In(j, leader, op_.request->dests[j], nbytes);
    }
    return;
  }
  const std::vector<LedBlock> all = FindLedBlocks();
  NoIns(all.empty() ? 0 : 1);
  if (all.empty()) return;
  std::byte* const memory = Memory(all.size() * nbytes);
  In(0, op_.request->root, memory, all.size() * nbytes);
  for (size_t i = 0; i < all.size(); ++i) {
    const Rank owner = OwnerOf(all[i].block);
    if (owner == me()) continue;
    Out(owner, all[i].block, memory + i * nbytes, nbytes, 0);
  }
}

// Others wait for what leaders pass on, so these come first.
void Schedule::ScatterToLeaders() {
  const size_t nbytes = op_.request->nbytes;
  const auto* const area = static_cast<std::byte*>(op_.request->root_area);
  const std::vector<LedBlock> all = FindLedBlocks();
  NoIns(0);
  ForLeaders(all, [&](LedBlocks blocks, size_t before) {
    const std::byte* from = area + blocks.front().block * nbytes;
    if (!FollowEachOther(blocks)) {
      std::byte* const copy = Memory(all.size() * nbytes) + before * nbytes;
      for (size_t i = 0; i < blocks.size(); ++i) {
        CopyBytes(copy + i * nbytes, area + blocks[i].block * nbytes, nbytes);
      }
      from = copy;
    }
    Out(blocks.front().leader, 0, from, blocks.size() * nbytes);
  });
  for (size_t k = 0; k < Blocks(); ++k) {
    const Rank owner = OwnerOf(k);
    if (owner == me() || LeaderOf(owner) != me()) continue;
    Out(owner, k, area + k * nbytes, nbytes);
  }
}

// ---- gather

void Schedule::BeginLedGather() {
  const bool last = Step() == 1;
  const Rank leader = LeaderOf(me());
  if (IsRoot()) return last ? GatherFromLeaders() : NoIns(0);
  if (leader == me()) return last ? SendCollected() : CollectBlocks();
  NoIns(0);
  // The root takes blocks in the last phase, other leaders in the first.
  if (last != (leader == op_.request->root)) return;
  for (size_t j = 0; j < MyBlocks(); ++j) {
    Out(leader, MyBlock(j), op_.request->sources[j], op_.request->nbytes);
  }
}

// On a leader, of its host.
void Schedule::CollectBlocks() {
  const size_t nbytes = op_.request->nbytes;
  const std::vector<LedBlock> all = FindLedBlocks();
  std::byte* const memory = Memory(all.size() * nbytes);
  NoIns(all.empty() ? 0 : Blocks());
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t k = all[i].block;
    if (OwnerOf(k) == me()) {
      CopyBytes(memory + i * nbytes, op_.request->sources[IndexOfMine(k)],
                nbytes);
    } else {
      In(k, OwnerOf(k), memory + i * nbytes, nbytes);
    }
  }
}

// The blocks of a host have the key of the first.
void Schedule::SendCollected() {
  NoIns(0);
  const std::vector<LedBlock> all = FindLedBlocks();
  if (all.empty()) return;
  Out(op_.request->root, all[0].block, op_.memory.get(),
      all.size() * op_.request->nbytes);
}

void Schedule::GatherFromLeaders() {
  const size_t nbytes = op_.request->nbytes;
  auto* const area = static_cast<std::byte*>(op_.request->root_area);
  const std::vector<LedBlock> all = FindLedBlocks();
  NoIns(Blocks());
  ForLeaders(all, [&](LedBlocks blocks, size_t before) {
    const size_t first = blocks.front().block;
    std::byte* const to = FollowEachOther(blocks)
                              ? area + first * nbytes
                              : Memory(all.size() * nbytes) + before * nbytes;
    In(first, blocks.front().leader, to, blocks.size() * nbytes);
  });
  for (size_t k = 0; k < Blocks(); ++k) {
    const Rank owner = OwnerOf(k);
    if (owner == me() || LeaderOf(owner) != me()) continue;
    In(k, owner, area + k * nbytes, nbytes);
  }
}

// ---- both

void Schedule::FinishLed() {
  const bool gathers = op_.request->kind == Kind::kGather;
  if (gathers && Step() == 0) return;
  if (!IsRoot()) {
    if (!gathers && LeaderOf(me()) == me()) TakeOwnBlocks();
    return;
  }
  if (gathers) PlaceLedBlocks();
  FinishMovement();
}

// A leader's, of those that came for its host.
void Schedule::TakeOwnBlocks() {
  const size_t nbytes = op_.request->nbytes;
  const std::byte* from = op_.memory.get();
  for (const LedBlock& it : FindLedBlocks()) {
    if (OwnerOf(it.block) == me()) {
      CopyBytes(op_.request->dests[IndexOfMine(it.block)], from, nbytes);
    }
    from += nbytes;
  }
}

// On the root, of those that do not follow each other.
void Schedule::PlaceLedBlocks() {
  const size_t nbytes = op_.request->nbytes;
  auto* const area = static_cast<std::byte*>(op_.request->root_area);
  ForLeaders(FindLedBlocks(), [&](LedBlocks blocks, size_t before) {
    if (FollowEachOther(blocks)) return;
    const std::byte* from = op_.memory.get() + before * nbytes;
    for (const LedBlock& it : blocks) {
      CopyBytes(area + it.block * nbytes, from, nbytes);
      from += nbytes;
    }
  });
}

}  // namespace gasnet::coll
