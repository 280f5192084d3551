// The phases of broadcast, scatter, gather, gather_all and exchange.
#include <algorithm>
#include <vector>

#include "coll/access.h"
#include "coll/schedule.h"
#include "coll/tuning.h"

namespace gasnet::coll {

// Of what is passed on between hosts; all of it where nobody passes on.
size_t Schedule::SegmentBytes() const {
  const size_t nbytes = op_.request->nbytes;
  if (team_.hosts() == 1 || team_.nodes() == 2 || settings_.segment == 0) {
    return nbytes;
  }
  const size_t even = (nbytes + kMostSegments - 1) / kMostSegments;
  return std::max(settings_.segment, even);
}

void Schedule::BeginBroadcast(Rank root, const std::byte* from, std::byte* to) {
  const size_t nbytes = op_.request->nbytes;
  const size_t each = SegmentBytes();
  const size_t segments = nbytes <= each ? 1 : (nbytes + each - 1) / each;
  // A chain takes longer to fill than a tree, and sends each byte once.
  const bool chain = segments > 1 && segments >= team_.hosts();
  const Tree& tree = team_.TreeOf(root, chain ? Shape::kChain : Shape::kBest);
  NoIns(root == me() ? 0 : segments);
  if (op_.request->kind == Kind::kBroadcast && IsRoot() && CopiesOwnFirst()) {
    FinishMovement();
  }
  for (uint32_t i = 0; i < segments; ++i) {
    const size_t at = i * each;
    const size_t some = segments == 1 ? nbytes : std::min(each, nbytes - at);
    if (root != me()) In(i, tree.parent, to + at, some);
    for (const Rank child : tree.children) {
      Out(child, i, from + at, some, root == me() ? OutPart::kNothing : i);
    }
  }
}

void Schedule::BeginScatter() {
  const size_t nbytes = op_.request->nbytes;
  if (!IsRoot()) {
    NoIns(MyBlocks());
    for (size_t j = 0; j < MyBlocks(); ++j) {
      In(j, op_.request->root, op_.request->dests[j], nbytes);
    }
    return;
  }
  NoIns(0);
  if (CopiesOwnFirst()) FinishMovement();
  const auto* const from = static_cast<std::byte*>(op_.request->root_area);
  const size_t blocks = Blocks();
  const size_t first = MyBlocks() > 0 ? MyBlock(0) : 0;
  for (size_t i = 0; i < blocks; ++i) {
    const size_t k = (first + i) % blocks;
    const Rank owner = OwnerOf(k);
    if (owner != me()) Out(owner, k, from + k * nbytes, nbytes);
  }
}

void Schedule::BeginGather() {
  const size_t nbytes = op_.request->nbytes;
  if (!IsRoot()) {
    NoIns(0);
    for (size_t j = 0; j < MyBlocks(); ++j) {
      Out(op_.request->root, MyBlock(j), op_.request->sources[j], nbytes);
    }
    return;
  }
  auto* const to = static_cast<std::byte*>(op_.request->root_area);
  NoIns(Blocks());
  for (size_t k = 0; k < Blocks(); ++k) {
    if (OwnerOf(k) != me()) In(k, OwnerOf(k), to + k * nbytes, nbytes);
  }
}

void Schedule::BeginGatherAll() {
  const size_t nbytes = op_.request->nbytes;
  NoIns(MyBlocks() > 0 ? Blocks() : 0);
  std::vector<bool> receives(team_.nodes(), op_.owners.empty());
  for (const uint32_t owner : op_.owners) receives[owner] = true;
  if (MyBlocks() == 0) return;
  for (size_t k = 0; k < Blocks(); ++k) {
    if (OwnerOf(k) == me()) continue;
    In(k, OwnerOf(k), op_.request->dests[0] + k * nbytes, nbytes);
  }
  for (Rank i = 1; i < team_.nodes(); ++i) {
    const Rank other = (me() + i) % team_.nodes();
    if (!receives[other]) continue;
    for (size_t j = 0; j < MyBlocks(); ++j) {
      Out(other, MyBlock(j), op_.request->sources[j], nbytes);
    }
  }
}

// Far blocks in the order of nodes, each from the node before: every node talks
// to two, and a host's several nodes get each block from elsewhere once.
bool Schedule::IsRing() const {
  return IsOneBlockEach() && !team_.all_near() && team_.nodes() > 2 &&
         op_.request->nbytes >= settings_.ring_from;
}

void Schedule::BeginRing() {
  const size_t nbytes = op_.request->nbytes;
  const Rank nodes = team_.nodes();
  const Rank before = (me() + nodes - 1) % nodes;
  const Rank next = (me() + 1) % nodes;
  std::byte* const to = op_.request->dests[0];
  NoIns(nodes);
  Out(next, me(), op_.request->sources[0], nbytes);
  for (Rank i = 1; i < nodes; ++i) {
    const Rank k = (me() + nodes - i) % nodes;
    In(k, before, to + k * nbytes, nbytes);
    if (k != next) Out(next, k, to + k * nbytes, nbytes, k);
  }
}

void Schedule::BeginExchange() {
  const size_t nbytes = op_.request->nbytes;
  const size_t blocks = Blocks();
  NoIns(MyBlocks() * blocks);
  if (MyBlocks() == 0) return;
  for (size_t j = 0; j < MyBlocks(); ++j) {
    const size_t mine = MyBlock(j);
    for (size_t i = 1; i < blocks; ++i) {
      const size_t other = (mine + i) % blocks;
      const Rank owner = OwnerOf(other);
      if (owner == me()) continue;
      In(j * blocks + other, owner, op_.request->dests[j] + other * nbytes,
         nbytes);
      Out(owner, other * blocks + mine,
          op_.request->sources[j] + other * nbytes, nbytes);
    }
  }
}

void Schedule::CopyToAll(const std::byte* from, size_t nbytes, size_t first) {
  for (size_t j = first; j < MyBlocks(); ++j) {
    CopyBytes(op_.request->dests[j], from, nbytes);
  }
}

void Schedule::FinishMovement() {
  const Request& request = *op_.request;
  const size_t nbytes = request.nbytes;
  const size_t mine = MyBlocks();
  auto* const area = static_cast<std::byte*>(request.root_area);
  switch (request.kind) {
    case Kind::kBroadcast:
      if (IsRoot()) return CopyToAll(area, nbytes, 0);
      if (mine > 1) CopyToAll(request.dests[0], nbytes, 1);
      return;
    case Kind::kScatter:
      for (size_t j = 0; IsRoot() && j < mine; ++j) {
        CopyBytes(request.dests[j], area + MyBlock(j) * nbytes, nbytes);
      }
      return;
    case Kind::kGather:
      for (size_t j = 0; IsRoot() && j < mine; ++j) {
        CopyBytes(area + MyBlock(j) * nbytes, request.sources[j], nbytes);
      }
      return;
    case Kind::kGatherAll:
      for (size_t j = 0; j < mine; ++j) {
        CopyBytes(request.dests[0] + MyBlock(j) * nbytes, request.sources[j],
                  nbytes);
      }
      if (mine > 1) CopyToAll(request.dests[0], Blocks() * nbytes, 1);
      return;
    case Kind::kExchange:
      for (size_t j = 0; j < mine; ++j) {
        for (size_t i = 0; i < mine; ++i) {
          CopyBytes(request.dests[j] + MyBlock(i) * nbytes,
                    request.sources[i] + MyBlock(j) * nbytes, nbytes);
        }
      }
      return;
    case Kind::kPermute:
      if (request.target == me()) {
        CopyBytes(request.dests[0], request.sources[0], nbytes);
      }
      return;
    default:
      return;
  }
}

}  // namespace gasnet::coll
