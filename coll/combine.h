// Combines the contributions of several ranks, always in the same order.
//
// The order is a tree that depends only on the number n of contributions. The
// tree splits n contributions at the largest power of two below n, with the
// lower ranks on the left. So the bits of a result do not depend on the rank
// that combines, or on the number of steps. Each step must combine a subtree.
//
// A combiner is used by one thread at a time.
#ifndef COLL_COMBINE_H_
#define COLL_COMBINE_H_

#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include "coll/request.h"

namespace gasnet::coll {

class Combiner {
 public:
  // Returns room for the addresses of `count` sources, valid until the next
  // call.
  const void** Sources(size_t count) {
    if (sources_.size() < count) sources_.resize(count);
    return sources_.data();
  }

  // Computes result[i] = sources[0][i] op ... op sources[count - 1][i]; count
  // is not 0. The result is the same array as one of the sources, or overlaps
  // none of them.
  void Combine(const Reduction& how, void* result, const void* const* sources,
               size_t count, size_t elements);

  // Sets results[k] to the combination of the first k + 1 sources, for all k
  // below count. If prefixes are exclusive, results[k] combines only the first
  // k sources, and results[0] is not written. No result may be a source.
  void Prefixes(const Reduction& how, void* const* results,
                const void* const* sources, size_t count, size_t elements);

  // Computes the prefix of this rank as one step of a chain: adds the rank's
  // own contribution to the vectors that it received from the previous rank.
  // `before` holds the largest subtrees of the first `rank` contributions:
  // ChainBlocks(rank) consecutive vectors of how.elem_count elements. `after`
  // receives the subtrees of the first rank + 1 contributions and overlaps
  // nothing. The result may be the same array as `own`.
  void ExtendChain(const Reduction& how, size_t rank, const std::byte* before,
                   const std::byte* own, std::byte* after, std::byte* result);

  // Computes result = elements[0] op ... op elements[count - 1] for contiguous
  // elements, in the order of the tree for `count` sources; count is not 0. The
  // result overlaps no element. Uses memory for two chunks, and for one element
  // per bit of the number of chunks.
  void Fold(const Reduction& how, void* result, const void* elements,
            size_t count);

 private:
  // Levels of scratch memory. A tree of sources uses two levels for each bit of
  // the number of sources. The next level, kAside, is for a copy. The levels
  // above kAside belong to Fold (combine_fold.cc).
  static constexpr size_t kAside = 128;
  static constexpr size_t kEvens = 129;
  static constexpr size_t kOdds = 130;
  static constexpr size_t kFolded = 131;

  const std::byte* Subtree(const std::byte* const* sources, size_t count,
                           size_t elements, std::byte* out, size_t level);
  void Pair(void* result, const void* left, const void* right, size_t elements);
  void PairByFunction(void* result, const void* left, const void* right,
                      size_t elements);
  void PairIntoRight(void* result, const void* left, const void* right,
                     size_t elements);
  const void* Aside(const void* from, size_t elements);
  std::byte* Scratch(size_t level, size_t bytes);
  void Total(std::byte* result, const std::byte* subtrees, size_t count);
  const std::byte* FoldChunk(const std::byte* elements, size_t count);
  void AddChunk(size_t chunk, const std::byte* sum);
  std::byte* Folded(size_t level);

  const Reduction* how_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
  std::vector<size_t> room_;
  std::vector<const std::byte*> at_;
  std::vector<const void*> sources_;
};

// Returns the number of subtrees that the first n contributions make: one for
// each bit that is set in n. The largest subtree comes first.
inline size_t ChainBlocks(size_t n) {
  return static_cast<size_t>(std::popcount(n));
}

// Returns the largest power of two below n; n is at least 2.
size_t SplitOf(size_t n);

}  // namespace gasnet::coll

#endif  // COLL_COMBINE_H_
