// Reductions of many bytes. Each node combines one slice of all contributions.
// Then the results go to the nodes that need them.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/cache_line.h"
#include "coll/access.h"
#include "coll/choice.h"
#include "coll/tuning.h"

namespace gasnet::coll::algorithms {
namespace {

// Returns the number of slices. A crowd has only as many slices as are needed
// to use all processors and to keep slices in the processors' caches.
size_t Slices(const OperationPhase& at) {
  const size_t pieces = at.nbytes() / kSliceInCrowd;
  return std::clamp<size_t>(pieces, at.team.running(), at.nodes());
}

// Returns the offset of the slice of `node`. Slices consist of whole elements.
// A slice begins at a multiple of the elements that fit in a cache line.
size_t SliceAt(const OperationPhase& at, Rank node) {
  const Reduction& how = at.request.reduction;
  const size_t nodes = at.nodes();
  const size_t slices = Slices(at);
  const size_t slice = (node * slices + nodes - 1) / nodes;
  if (slice == slices) return at.nbytes();
  const size_t element = how.elem_count / slices * slice +
                         how.elem_count % slices * slice / slices;
  const size_t per_line =
      how.elem_size < kCacheLine ? kCacheLine / how.elem_size : 1;
  return element / per_line * per_line * how.elem_size;
}
size_t SliceBytes(const OperationPhase& at, Rank node) {
  return SliceAt(at, node + 1) - SliceAt(at, node);
}
size_t MyBytes(const OperationPhase& at) { return SliceBytes(at, at.me()); }

// Returns the i-th vector in the operation's memory. The contributions of all
// blocks come first.
std::byte* Vector(const OperationPhase& at, size_t i) {
  return at.op.memory.get() + i * MyBytes(at);
}

// Reduces in slices. A result may be the same memory as a source. CombineSlices
// overwrites only this node's own slice, and no other node reads that slice.
// The results of other slices arrive only after the sources of those slices
// have been read.
class Sliced : public Algorithm {
 public:
  unsigned Phases(const Team& /*team*/) const final { return 2; }
  void Begin(OperationPhase& at) const final {
    at.index() == 0 ? BeginSlices(at) : BeginResults(at);
  }
  void Finish(OperationPhase& at) const final {
    if (at.index() == 1) return FinishResults(at);
    if (MyBytes(at) > 0) CombineSlices(at);
  }

 protected:
  Sliced() = default;
  ~Sliced() = default;

 private:
  void BeginSlices(OperationPhase& at) const {
    const size_t nbytes = MyBytes(at);
    const size_t blocks = at.team.blocks();
    at.NoIns(blocks);
    if (nbytes > 0) {
      std::byte* const memory = at.Memory((blocks + Results(at)) * nbytes);
      for (size_t k = 0; k < blocks; ++k) {
        const Rank owner = at.team.owner_of(static_cast<uint32_t>(k));
        if (owner == at.me()) continue;
        at.In(k, owner, memory + k * nbytes, nbytes).borrows = true;
      }
    }
    at.ForOthers([&](Rank other) {
      const size_t some = SliceBytes(at, other);
      if (some == 0) return;
      for (size_t j = 0; j < at.MyBlocks(); ++j) {
        at.Out(other, at.MyBlock(j), at.request.sources[j] + SliceAt(at, other),
               some);
      }
    });
  }

  // Returns the number of vectors in the operation's memory that hold results.
  virtual size_t Results(const OperationPhase& /*at*/) const { return 0; }
  virtual void CombineSlices(OperationPhase& at) const = 0;
  virtual void BeginResults(OperationPhase& at) const = 0;
  virtual void FinishResults(OperationPhase& /*at*/) const {}
};

class SlicedReduce final : public Sliced {
  size_t Results(const OperationPhase& /*at*/) const override { return 1; }
  static std::byte* Result(const OperationPhase& at) {
    return at.IsRoot() ? at.root_area() + SliceAt(at, at.me())
                       : Vector(at, at.team.blocks());
  }
  void CombineSlices(OperationPhase& at) const override {
    at.CombineFirst(at.team.blocks(), Result(at), MyBytes(at),
                    SliceAt(at, at.me()));
  }
  void BeginResults(OperationPhase& at) const override {
    at.NoIns(at.IsRoot() ? at.nodes() : 0);
    if (!at.IsRoot()) {
      if (MyBytes(at) == 0) return;
      at.Out(at.request.root, at.me(), Result(at), MyBytes(at));
      return;
    }
    at.ForOthers([&](Rank other) {
      const size_t some = SliceBytes(at, other);
      if (some == 0) return;
      at.In(other, other, at.root_area() + SliceAt(at, other), some);
    });
  }
};

class SlicedReduceAll final : public Sliced {
  void CombineSlices(OperationPhase& at) const override {
    const size_t first = SliceAt(at, at.me());
    at.CombineFirst(at.team.blocks(), at.request.dests[0] + first, MyBytes(at),
                    first);
  }
  void BeginResults(OperationPhase& at) const override {
    const size_t nbytes = MyBytes(at);
    std::byte* const to = at.request.dests[0];
    at.NoIns(at.nodes());
    at.ForOthers([&](Rank other) {
      const size_t some = SliceBytes(at, other);
      if (some > 0) at.In(other, other, to + SliceAt(at, other), some);
      if (nbytes == 0) return;
      at.Out(other, at.me(), to + SliceAt(at, at.me()), nbytes);
    });
  }
  void FinishResults(OperationPhase& at) const override {
    at.CopyToAll(at.request.dests[0], at.nbytes(), 1);
  }
};

class SlicedPrefix final : public Sliced {
 public:
  // Returns the index of a part. In the second phase the key of a part consists
  // of its block and the node of its slice.
  size_t IndexOf(const OperationPhase& at, uint32_t key,
                 Rank /*from*/) const override {
    if (at.index() == 0) return key;
    const size_t nodes = at.nodes();
    return at.IndexOfMine(key / nodes) * nodes + key % nodes;
  }

 private:
  static bool IsWritten(const OperationPhase& at, size_t block) {
    return block > 0 || !at.request.reduction.exclusive;
  }
  static std::byte* Result(const OperationPhase& at, size_t block) {
    return Vector(at, at.team.blocks() + block);
  }
  size_t Results(const OperationPhase& at) const override {
    return at.team.blocks();
  }
  void CombineSlices(OperationPhase& at) const override {
    const size_t blocks = at.team.blocks();
    std::vector<const void*> sources(blocks);
    std::vector<void*> results(blocks);
    for (size_t k = 0; k < blocks; ++k) {
      sources[k] = at.Contribution(k, SliceAt(at, at.me()));
      WillRead(sources[k], MyBytes(at));
      results[k] = Result(at, k);
    }
    const Reduction& how = at.request.reduction;
    at.combiner.Prefixes(how, results.data(), sources.data(), blocks,
                         MyBytes(at) / how.elem_size);
  }
  void BeginResults(OperationPhase& at) const override {
    const size_t nodes = at.nodes();
    at.NoIns(at.MyBlocks() * nodes);
    for (size_t j = 0; j < at.MyBlocks(); ++j) {
      if (!IsWritten(at, at.MyBlock(j))) continue;
      for (Rank node = 0; node < nodes; ++node) {
        const size_t some = SliceBytes(at, node);
        if (node == at.me() || some == 0) continue;
        at.In(j * nodes + node, node, at.request.dests[j] + SliceAt(at, node),
              some, at.MyBlock(j) * nodes + node);
      }
    }
    const size_t nbytes = MyBytes(at);
    for (size_t k = 0; nbytes > 0 && k < at.team.blocks(); ++k) {
      const Rank owner = at.team.owner_of(static_cast<uint32_t>(k));
      if (owner == at.me() || !IsWritten(at, k)) continue;
      at.Out(owner, k * nodes + at.me(), Result(at, k), nbytes);
    }
  }
  void FinishResults(OperationPhase& at) const override {
    const size_t nbytes = MyBytes(at);
    for (size_t j = 0; j < at.MyBlocks(); ++j) {
      const size_t k = at.MyBlock(j);
      if (nbytes == 0 || !IsWritten(at, k)) continue;
      CopyBytes(at.request.dests[j] + SliceAt(at, at.me()), Result(at, k),
                nbytes);
    }
  }
};

constexpr SlicedReduce kSlicedReduceObject;
constexpr SlicedReduceAll kSlicedReduceAllObject;
constexpr SlicedPrefix kSlicedPrefixObject;

}  // namespace

const Algorithm& kSlicedReduce = kSlicedReduceObject;
const Algorithm& kSlicedReduceAll = kSlicedReduceAllObject;
const Algorithm& kSlicedPrefix = kSlicedPrefixObject;

}  // namespace gasnet::coll::algorithms
