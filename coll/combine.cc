#include "coll/combine.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/client_function.h"
#include "coll/access.h"
#include "coll/tuning.h"

namespace gasnet::coll {

size_t SplitOf(size_t n) { return std::bit_floor(n - 1); }

void Combiner::Combine(const Reduction& how, void* result,
                       const void* const* sources, size_t count,
                       size_t elements) {
  how_ = &how;
  if (count == 2 && elements * how.elem_size <= kChunk &&
      how.kernels.of_two != nullptr) {
    return how.kernels.of_two(result, sources, elements);
  }
  at_.resize(std::max(at_.size(), count));
  const size_t size = how.elem_size;
  const size_t step = std::max<size_t>(1, kChunk / size);
  for (size_t done = 0; done < elements; done += step) {
    const size_t some = std::min(step, elements - done);
    for (size_t i = 0; i < count; ++i) {
      at_[i] = static_cast<const std::byte*>(sources[i]) + done * size;
    }
    auto* const to = static_cast<std::byte*>(result) + done * size;
    const std::byte* const is = Subtree(at_.data(), count, some, to, 0);
    if (is != to) std::memmove(to, is, some * size);
  }
}

// Combines a subtree. Returns the address of the result: `out`, or the source
// itself if there is only one source.
const std::byte* Combiner::Subtree(const std::byte* const* sources,
                                   size_t count, size_t elements,
                                   std::byte* out, size_t level) {
  if (count == 1) return sources[0];
  const Kernels& kernels = how_->kernels;
  const auto* const raw = reinterpret_cast<const void* const*>(sources);
  if (kernels.of_two != nullptr) {
    if (count == 4) return kernels.of_four(out, raw, elements), out;
    if (count == 8) return kernels.of_eight(out, raw, elements), out;
  }
  const size_t split = SplitOf(count);
  const size_t bytes = std::max(elements * how_->elem_size, kChunk);
  const std::byte* const left =
      Subtree(sources, split, elements, Scratch(2 * level, bytes), level + 1);
  const std::byte* const right =
      Subtree(sources + split, count - split, elements,
              Scratch(2 * level + 1, bytes), level + 1);
  Pair(out, left, right, elements);
  return out;
}

void Combiner::Pair(void* result, const void* left, const void* right,
                    size_t elements) {
  if (how_->kernels.of_two != nullptr) {
    const void* const both[] = {left, right};
    how_->kernels.of_two(result, both, elements);
  } else if (how_->into_right != nullptr) {
    PairIntoRight(result, left, right, elements);
  } else {
    PairByFunction(result, left, right, elements);
  }
}

void Combiner::PairByFunction(void* result, const void* left, const void* right,
                              size_t elements) {
  // The function may write all results before it reads `right`. So if `right`
  // is the result, it is copied first.
  if (result == right) right = Aside(right, elements);
  try {
    how_->function(result, elements, left, elements, right, how_->elem_size,
                   how_->function_flags, how_->function_arg);
  } catch (...) {
    RefuseUnwinding("reduction function",
                    how_->name & ~Reduction::kFunctionName,
                    reinterpret_cast<void (*)()>(how_->function));
  }
}

void Combiner::PairIntoRight(void* result, const void* left, const void* right,
                             size_t elements) {
  if (result == left) left = Aside(left, elements);
  if (result != right) std::memcpy(result, right, elements * how_->elem_size);
  try {
    how_->into_right(left, result, elements, how_->into_right_data);
  } catch (...) {
    RefuseUnwinding("reduction function", 0,
                    reinterpret_cast<void (*)()>(how_->into_right));
  }
}

// Returns a copy of the elements. The copy is valid until the next call.
const void* Combiner::Aside(const void* from, size_t elements) {
  const size_t bytes = elements * how_->elem_size;
  std::byte* const aside = Scratch(kAside, bytes);
  std::memcpy(aside, from, bytes);
  return aside;
}

std::byte* Combiner::Scratch(size_t level, size_t bytes) {
  if (scratch_.size() <= level) {
    scratch_.resize(level + 1);
    room_.resize(level + 1);
  }
  if (room_[level] < bytes) {
    scratch_[level] = std::make_unique_for_overwrite<std::byte[]>(bytes);
    room_[level] = bytes;
  }
  return scratch_[level].get();
}

// tree[i] is a subtree of 2^i sources, for each bit i that is set in the number
// of sources so far. Combining these subtrees from the right gives the
// canonical tree.
void Combiner::Prefixes(const Reduction& how, void* const* results,
                        const void* const* sources, size_t count,
                        size_t elements) {
  how_ = &how;
  const size_t bytes = elements * how.elem_size;
  std::vector<const std::byte*> tree(64);
  std::vector<std::unique_ptr<std::byte[]>> own(64);
  const auto result_of = [&](size_t so_far, void* to) {
    const std::byte* sum = nullptr;
    for (size_t bits = so_far; bits != 0; bits &= bits - 1) {
      const std::byte* const part = tree[std::countr_zero(bits)];
      if (sum == nullptr) {
        sum = part;
      } else {
        Pair(to, part, sum, elements);
        sum = static_cast<const std::byte*>(to);
      }
    }
    if (sum != to) std::memcpy(to, sum, bytes);
  };
  for (size_t k = 0; k < count; ++k) {
    if (how.exclusive && k > 0) result_of(k, results[k]);
    const auto* part = static_cast<const std::byte*>(sources[k]);
    size_t level = 0;
    for (; (k >> level & 1) != 0; ++level) {
      std::byte* const to = Scratch(level, bytes);
      Pair(to, tree[level], part, elements);
      part = to;
    }
    if (level > 0) {
      if (own[level] == nullptr) {
        own[level] = std::make_unique_for_overwrite<std::byte[]>(bytes);
      }
      std::memcpy(own[level].get(), part, bytes);
      part = own[level].get();
    }
    tree[level] = part;
    if (!how.exclusive) result_of(k + 1, results[k]);
  }
}

// Combines subtrees like carries in an addition: two subtrees of equal size
// become one subtree of twice the size.
void Combiner::ExtendChain(const Reduction& how, size_t rank,
                           const std::byte* before, const std::byte* own,
                           std::byte* after, std::byte* result) {
  how_ = &how;
  const size_t bytes = how.elem_count * how.elem_size;
  if (bytes == 0) return;
  const auto carries = static_cast<size_t>(std::countr_one(rank));
  const size_t stay = ChainBlocks(rank) - carries;
  std::byte* const last = after + stay * bytes;
  const std::byte* sum = own;
  WillRead(own, bytes);
  for (size_t i = stay + carries; i > stay; --i) {
    Pair(last, before + (i - 1) * bytes, sum, how.elem_count);
    sum = last;
  }
  if (stay > 0) std::memcpy(after, before, stay * bytes);
  if (sum != last) std::memcpy(last, own, bytes);
  if (!how.exclusive) return Total(result, after, ChainBlocks(rank + 1));
  if (rank > 0) Total(result, before, ChainBlocks(rank));
}

void Combiner::Total(std::byte* result, const std::byte* subtrees,
                     size_t count) {
  const size_t bytes = how_->elem_count * how_->elem_size;
  const std::byte* sum = subtrees + (count - 1) * bytes;
  WillWrite(result, bytes);
  if (count == 1) std::memcpy(result, sum, bytes);
  for (size_t i = count - 1; i > 0; --i) {
    Pair(result, subtrees + (i - 1) * bytes, sum, how_->elem_count);
    sum = result;
  }
}

}  // namespace gasnet::coll
