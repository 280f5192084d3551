// The phases of reductions.
#include <algorithm>
#include <bit>
#include <vector>

#include "base/cache_line.h"
#include "coll/access.h"
#include "coll/schedule.h"
#include "coll/tuning.h"

namespace gasnet::coll {

// Between two nodes that share no memory slices pass no fewer bytes than whole
// contributions do, and take two phases.
bool Schedule::IsFarPair() const {
  return team_.nodes() == 2 && !team_.all_near() && team_.one_image_each();
}

Schedule::Form Schedule::FormOf() const {
  const size_t nbytes = op_.request->nbytes;
  if (IsFarPair()) return Form::kFlat;
  if (nbytes > settings_.flat_reduce) return Form::kSliced;
  if (IsChain()) return Form::kChain;
  if (IsSklansky(team_, *op_.request, settings_)) return Form::kSklansky;
  if (IsCentral()) return Form::kCentral;
  const bool pairs = op_.request->kind != Kind::kPrefixReduce &&
                     team_.one_image_each() && !IsFlat();
  return pairs ? Form::kTree : Form::kFlat;
}

bool Schedule::FinishOverwrites() const {
  const Kind kind = op_.request->kind;
  return (kind == Kind::kReduceAll || kind == Kind::kPrefixReduce) &&
         FormOf() == Form::kFlat;
}

void Schedule::BeginReduction() {
  switch (FormOf()) {
    case Form::kFlat:
      return BeginFlat();
    case Form::kChain:
      return BeginChain();
    case Form::kSklansky:
      return BeginSklansky();
    case Form::kCentral:
      return BeginCentral();
    case Form::kTree:
      return BeginTree();
    case Form::kSliced:
      return op_.phase == 0 ? BeginSlices() : BeginResults();
  }
}

void Schedule::FinishReduction() {
  switch (FormOf()) {
    case Form::kFlat:
      return FinishFlat();
    case Form::kChain:
      return FinishChain();
    case Form::kSklansky:
      return FinishSklansky();
    case Form::kCentral:
      return FinishCentral();
    case Form::kTree:
      return FinishTree();
    case Form::kSliced:
      return op_.phase == 0 ? FinishSlices() : FinishResults();
  }
}

// Where the block's contribution to this node's part is.
const std::byte* Schedule::Contribution(size_t block) const {
  const size_t mine = IndexOfMine(block);
  if (mine == MyBlocks()) return op_.ins[block].bytes();
  const size_t at = FormOf() == Form::kSliced ? SliceAt(me()) : 0;
  return op_.request->sources[mine] + at;
}

// Of the first `count` blocks.
void Schedule::CombineFirst(size_t count, std::byte* result, size_t nbytes) {
  std::vector<const void*> sources(count);
  for (size_t k = 0; k < count; ++k) {
    sources[k] = Contribution(k);
    WillRead(sources[k], nbytes);
  }
  WillWrite(result, nbytes);
  combiner_.Combine(op_.request->reduction, result, sources.data(), count,
                    nbytes / op_.request->reduction.elem_size);
}

// ---- flat
// ---------------------------------------------------------------------

void Schedule::BeginFlat() {
  const size_t nbytes = op_.request->nbytes;
  const size_t blocks = team_.blocks();
  const Kind kind = op_.request->kind;
  const bool receives = kind != Kind::kReduce || IsRoot();
  // Of prefixes, nothing that is above.
  const size_t end =
      kind == Kind::kPrefixReduce ? team_.first_image(me() + 1) : blocks;
  NoIns(receives ? blocks : 0);
  std::byte* const memory = receives ? Memory(blocks * nbytes) : nullptr;
  for (size_t k = 0; receives && k < end; ++k) {
    const Rank owner = team_.owner_of(static_cast<uint32_t>(k));
    if (owner != me()) In(k, owner, memory + k * nbytes, nbytes);
  }
  for (Rank i = 1; i < team_.nodes(); ++i) {
    const Rank other = (me() + i) % team_.nodes();
    if (kind == Kind::kReduce && other != op_.request->root) continue;
    if (kind == Kind::kPrefixReduce && other < me()) continue;
    for (size_t j = 0; j < MyBlocks(); ++j) {
      Out(other, MyBlock(j), op_.request->sources[j], nbytes);
    }
  }
}

void Schedule::FinishFlat() {
  const Request& request = *op_.request;
  const size_t nbytes = request.nbytes;
  const size_t blocks = team_.blocks();
  if (request.kind == Kind::kReduce) {
    if (IsRoot()) {
      CombineFirst(blocks, static_cast<std::byte*>(request.root_area), nbytes);
    }
    return;
  }
  if (request.kind == Kind::kReduceAll) {
    CombineFirst(blocks, request.dests[0], nbytes);
    return CopyToAll(request.dests[0], nbytes, 1);
  }
  // The highest first: it is the only one that needs its own contribution, or
  // nobody's below it needs its dest.
  for (size_t j = MyBlocks(); j-- > 0;) {
    const size_t count = MyBlock(j) + (request.reduction.exclusive ? 0 : 1);
    if (count > 0) CombineFirst(count, request.dests[j], nbytes);
  }
}

// ---- tree
// ---------------------------------------------------------------------
//
// In round r, node m * 2^(r+1) + 2^r sends what it has, of the 2^r nodes from
// itself on, to the one 2^r below. These are subtrees of the canonical tree.

namespace {

bool HasCombined(Rank me, Rank nodes) { return me % 2 == 0 && me + 1 < nodes; }

}  // namespace

void Schedule::BeginTree() {
  const size_t nbytes = op_.request->nbytes;
  const Rank nodes = team_.nodes();
  std::byte* const memory = Memory(2 * nbytes);
  const std::byte* const sum =
      HasCombined(me(), nodes) ? memory : op_.request->sources[0];
  if (op_.phase == Rounds()) {
    if (op_.request->kind == Kind::kReduceAll) {
      std::byte* const to = op_.request->dests[0];
      return BeginBroadcast(0, me() == 0 ? sum : to, to);
    }
    const Rank root = op_.request->root;
    NoIns(1);
    if (me() == root && root != 0) {
      In(0, 0, static_cast<std::byte*>(op_.request->root_area), nbytes);
    }
    if (me() == 0 && root != 0) Out(root, 0, sum, nbytes);
    return;
  }
  const Rank step = Rank{1} << op_.phase;
  NoIns(1);
  if (me() % step != 0) return;
  if (me() / step % 2 != 0) return Out(me() - step, 0, sum, nbytes);
  if (me() + step < nodes) In(0, me() + step, memory + nbytes, nbytes);
}

void Schedule::FinishTree() {
  const size_t nbytes = op_.request->nbytes;
  const bool combined = HasCombined(me(), team_.nodes());
  const size_t elements = nbytes / op_.request->reduction.elem_size;
  std::byte* const memory = op_.memory.get();
  if (op_.phase == Rounds()) {
    if (me() != 0) return;
    auto* const to = op_.request->kind == Kind::kReduceAll
                         ? op_.request->dests[0]
                         : static_cast<std::byte*>(op_.request->root_area);
    if (op_.request->kind == Kind::kReduceAll || IsRoot()) {
      CopyBytes(to, combined ? memory : op_.request->sources[0], nbytes);
    }
    return;
  }
  const Rank step = Rank{1} << op_.phase;
  if (me() % (2 * step) != 0 || me() + step >= team_.nodes()) return;
  const std::byte* const left =
      op_.phase == 0 ? op_.request->sources[0] : memory;
  WillRead(left, nbytes);
  const void* const both[] = {left, op_.ins[0].bytes()};
  combiner_.Combine(op_.request->reduction, memory, both, 2, elements);
}

// ---- sliced
// -------------------------------------------------------------------

// In a crowd no more than it takes to have all processors at work, and to keep
// slices in their caches.
size_t Schedule::Slices() const {
  const size_t nodes = team_.nodes();
  const size_t pieces = op_.request->nbytes / kSliceInCrowd;
  return std::clamp<size_t>(pieces, team_.running(), nodes);
}

// Whole elements, and whole lines where there are many.
size_t Schedule::SliceAt(Rank node) const {
  const Reduction& how = op_.request->reduction;
  const size_t nodes = team_.nodes();
  const size_t slices = Slices();
  const size_t slice = (node * slices + nodes - 1) / nodes;
  if (slice == slices) return op_.request->nbytes;
  const size_t at = how.elem_count / slices * slice +
                    how.elem_count % slices * slice / slices;
  const size_t per_line =
      how.elem_size < kCacheLine ? kCacheLine / how.elem_size : 1;
  return at / per_line * per_line * how.elem_size;
}

void Schedule::BeginSlices() {
  const size_t nbytes = SliceBytes(me());
  const size_t blocks = team_.blocks();
  const bool prefix = op_.request->kind == Kind::kPrefixReduce;
  NoIns(blocks);
  if (nbytes > 0) {
    std::byte* const memory =
        Memory((prefix ? 2 * blocks : blocks + 1) * nbytes);
    for (size_t k = 0; k < blocks; ++k) {
      const Rank owner = team_.owner_of(static_cast<uint32_t>(k));
      if (owner == me()) continue;
      In(k, owner, memory + k * nbytes, nbytes);
      op_.ins[k].borrows = true;
    }
  }
  for (Rank i = 1; i < team_.nodes(); ++i) {
    const Rank other = (me() + i) % team_.nodes();
    if (SliceBytes(other) == 0) continue;
    for (size_t j = 0; j < MyBlocks(); ++j) {
      Out(other, MyBlock(j), op_.request->sources[j] + SliceAt(other),
          SliceBytes(other));
    }
  }
}

void Schedule::FinishSlices() {
  const Request& request = *op_.request;
  const size_t nbytes = SliceBytes(me());
  const size_t blocks = team_.blocks();
  if (nbytes == 0) return;
  std::byte* const memory = op_.memory.get();
  if (request.kind == Kind::kReduce) {
    std::byte* const to =
        IsRoot() ? static_cast<std::byte*>(request.root_area) + SliceAt(me())
                 : memory + blocks * nbytes;
    return CombineFirst(blocks, to, nbytes);
  }
  if (request.kind == Kind::kReduceAll) {
    return CombineFirst(blocks, request.dests[0] + SliceAt(me()), nbytes);
  }
  std::vector<const void*> sources(blocks);
  std::vector<void*> results(blocks);
  for (size_t k = 0; k < blocks; ++k) {
    sources[k] = Contribution(k);
    WillRead(sources[k], nbytes);
    results[k] = memory + (blocks + k) * nbytes;
  }
  combiner_.Prefixes(request.reduction, results.data(), sources.data(), blocks,
                     nbytes / request.reduction.elem_size);
}

void Schedule::BeginResults() {
  const Request& request = *op_.request;
  const Rank nodes = team_.nodes();
  const size_t blocks = team_.blocks();
  const size_t nbytes = SliceBytes(me());
  std::byte* const memory = op_.memory.get();
  const bool exclusive = request.reduction.exclusive;
  if (request.kind == Kind::kPrefixReduce) {
    NoIns(MyBlocks() * nodes);
    for (size_t j = 0; j < MyBlocks(); ++j) {
      if (exclusive && MyBlock(j) == 0) continue;
      for (Rank node = 0; node < nodes; ++node) {
        if (node == me() || SliceBytes(node) == 0) continue;
        In(j * nodes + node, node, request.dests[j] + SliceAt(node),
           SliceBytes(node));
      }
    }
    for (size_t k = exclusive ? 1 : 0; nbytes > 0 && k < blocks; ++k) {
      const Rank owner = team_.owner_of(static_cast<uint32_t>(k));
      if (owner == me()) continue;
      Out(owner, k * nodes + me(), memory + (blocks + k) * nbytes, nbytes);
    }
    return;
  }
  const bool all = request.kind == Kind::kReduceAll;
  NoIns(all || IsRoot() ? nodes : 0);
  std::byte* const to =
      all ? request.dests[0] : static_cast<std::byte*>(request.root_area);
  for (Rank i = 1; i < nodes; ++i) {
    const Rank other = (me() + i) % nodes;
    if ((all || IsRoot()) && SliceBytes(other) > 0) {
      In(other, other, to + SliceAt(other), SliceBytes(other));
    }
    if (nbytes > 0 && (all || (!IsRoot() && other == request.root))) {
      Out(other, me(), all ? to + SliceAt(me()) : memory + blocks * nbytes,
          nbytes);
    }
  }
}

void Schedule::FinishResults() {
  const Request& request = *op_.request;
  if (request.kind == Kind::kReduceAll) {
    return CopyToAll(request.dests[0], request.nbytes, 1);
  }
  if (request.kind != Kind::kPrefixReduce) return;
  const size_t nbytes = SliceBytes(me());
  for (size_t j = 0; j < MyBlocks(); ++j) {
    const size_t k = MyBlock(j);
    if (nbytes == 0 || (request.reduction.exclusive && k == 0)) continue;
    CopyBytes(request.dests[j] + SliceAt(me()),
              op_.memory.get() + (team_.blocks() + k) * nbytes, nbytes);
  }
}

}  // namespace gasnet::coll
