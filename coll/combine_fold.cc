// Folds contiguous elements to one element: first it combines neighbours in
// pairs, then pairs of pairs, and so on. Kernels and functions combine two
// vectors. Therefore a pass copies the even and the odd elements of a chunk to
// separate places. A whole chunk is a subtree, because its number of elements
// is a power of two.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "coll/combine.h"
#include "coll/tuning.h"

namespace gasnet::coll {
namespace {

// Copies the even elements and the odd elements to separate places. `evens` may
// equal `elements`.
template <class Size>
void UnzipBy(Size size, const std::byte* elements, size_t pairs,
             std::byte* evens, std::byte* odds) {
  for (size_t i = 0; i < pairs; ++i) {
    std::memmove(odds + i * size, elements + (2 * i + 1) * size, size);
    std::memmove(evens + i * size, elements + 2 * i * size, size);
  }
}

void Unzip(size_t size, const std::byte* elements, size_t pairs,
           std::byte* evens, std::byte* odds) {
  const auto by = [&](auto known) {
    UnzipBy(known, elements, pairs, evens, odds);
  };
  switch (size) {
    case 1:
      return by(std::integral_constant<size_t, 1>());
    case 2:
      return by(std::integral_constant<size_t, 2>());
    case 4:
      return by(std::integral_constant<size_t, 4>());
    case 8:
      return by(std::integral_constant<size_t, 8>());
    case 16:
      return by(std::integral_constant<size_t, 16>());
    default:
      return by(size);
  }
}

}  // namespace

void Combiner::Fold(const Reduction& how, void* result, const void* elements,
                    size_t count) {
  how_ = &how;
  const size_t step =
      std::bit_floor(std::max<size_t>(1, kChunk / how.elem_size));
  const size_t chunks = count / step;
  const auto* at = static_cast<const std::byte*>(elements);
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    AddChunk(chunk, FoldChunk(at, step));
    at += step * how.elem_size;
  }
  const size_t rest = count % step;
  const std::byte* sum = rest == 0 ? nullptr : FoldChunk(at, rest);
  for (size_t bits = chunks; bits != 0; bits &= bits - 1) {
    const std::byte* const left =
        Folded(static_cast<size_t>(std::countr_zero(bits)));
    if (sum != nullptr) Pair(result, left, sum, 1);
    sum = sum == nullptr ? left : static_cast<const std::byte*>(result);
  }
  if (sum != result) std::memcpy(result, sum, how.elem_size);
}

// Folds a chunk. Returns the address of the result. The result is in scratch
// memory, unless the chunk has only one element.
const std::byte* Combiner::FoldChunk(const std::byte* elements, size_t count) {
  if (count == 1) return elements;
  const size_t size = how_->elem_size;
  const size_t bytes = std::max(kChunk, size);
  std::byte* const evens = Scratch(kEvens, bytes);
  std::byte* const odds = Scratch(kOdds, bytes);
  for (size_t pairs = 0; count > 1; count -= pairs) {
    pairs = count / 2;
    Unzip(size, elements, pairs, evens, odds);
    Pair(evens, evens, odds, pairs);
    if (count % 2 != 0) {
      std::memcpy(evens + pairs * size, elements + (count - 1) * size, size);
    }
    elements = evens;
  }
  return elements;
}

// Adds a chunk's sum. Combines subtrees like carries in an addition: two
// subtrees of equal size become one subtree of twice the size.
void Combiner::AddChunk(size_t chunk, const std::byte* sum) {
  size_t level = 0;
  for (; (chunk >> level & 1) != 0; ++level) {
    std::byte* const left = Folded(level);
    Pair(left, left, sum, 1);
    sum = left;
  }
  std::memcpy(Folded(level), sum, how_->elem_size);
}

std::byte* Combiner::Folded(size_t level) {
  return Scratch(kFolded + level, how_->elem_size);
}

}  // namespace gasnet::coll
