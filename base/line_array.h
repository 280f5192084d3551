// An array of objects that share no cache line with anything outside the array.
#ifndef BASE_LINE_ARRAY_H_
#define BASE_LINE_ARRAY_H_

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "base/cache_line.h"
#include "base/round_up.h"

namespace gasnet {

struct LineArrayDelete {
  void operator()(void* memory) const {
    ::operator delete (memory, std::align_val_t{kCacheLine});
  }
};

template <class T>
using LineArray = std::unique_ptr<T[], LineArrayDelete>;

// Returns `count` objects, each made by its default constructor.
template <class T>
LineArray<T> MakeLineArray(size_t count) {
  static_assert(std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= kCacheLine);
  void* const memory = ::operator new (RoundUp(count * sizeof(T), kCacheLine),
                                       std::align_val_t{kCacheLine});
  T* const first = static_cast<T*>(memory);
  std::uninitialized_default_construct_n(first, count);
  return LineArray<T>(first);
}

}  // namespace gasnet

#endif  // BASE_LINE_ARRAY_H_
