// Combines the contributions of several ranks, always in one order.
//
// The order depends on how many there are alone: a tree that splits n of them
// at the largest power of two below n, lower ranks left. So the bits of a
// result are the same whoever combines, in however many steps, as long as each
// step combines a subtree.
//
// By one thread at a time.
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
  // Room for the addresses of so many sources, until it is asked for again.
  const void** Sources(size_t count) {
    if (sources_.size() < count) sources_.resize(count);
    return sources_.data();
  }

  // result[i] = sources[0][i] op ... op sources[count - 1][i]; count is not 0.
  // The result is one of the sources, or overlaps none.
  void Combine(const Reduction& how, void* result, const void* const* sources,
               size_t count, size_t elements);

  // results[k] = the first k + 1 of the sources, for all k below count; for
  // exclusive ones the first k, and results[0] is not written. No result is a
  // source.
  void Prefixes(const Reduction& how, void* const* results,
                const void* const* sources, size_t count, size_t elements);

  // The same prefixes, one rank after the other, each of which adds its own
  // contribution to what it has from the one before: the largest subtrees of
  // the first `rank` contributions, ChainBlocks(rank) vectors of how.elem_count
  // elements one after the other. `after` gets those of the first rank + 1 and
  // overlaps nothing; the result may be this rank's own contribution.
  void ExtendChain(const Reduction& how, size_t rank, const std::byte* before,
                   const std::byte* own, std::byte* after, std::byte* result);

  // result = elements[0] op ... op elements[count - 1], which lie side by side,
  // by the tree of as many sources; count is not 0. The result overlaps none.
  // Takes memory of two chunks, and an element for each bit of their number.
  void Fold(const Reduction& how, void* result, const void* elements,
            size_t count);

 private:
  // The level of a copy, above all that a tree of sources has: two for each bit
  // of their number. Those of Fold (combine_fold.cc) are above that.
  static constexpr size_t kAside = 128;
  static constexpr size_t kEvens = 129;
  static constexpr size_t kOdds = 130;
  static constexpr size_t kFolded = 131;

  const std::byte* Subtree(const std::byte* const* sources, size_t count,
                           size_t elements, std::byte* out, size_t level);
  void Pair(void* result, const void* left, const void* right, size_t elements);
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

// How many subtrees the first n contributions make: one for each bit of n, the
// largest first, as the tree has them.
inline size_t ChainBlocks(size_t n) {
  return static_cast<size_t>(std::popcount(n));
}

// The largest power of two below n, which is at least 2.
size_t SplitOf(size_t n);

}  // namespace gasnet::coll

#endif  // COLL_COMBINE_H_
