// Rounds sizes up to multiples of a unit.
#ifndef BASE_ROUND_UP_H_
#define BASE_ROUND_UP_H_

#include <cstddef>

namespace gasnet {

// Returns the least multiple of `unit` that is at least `value`. `unit` is not
// 0.
constexpr size_t RoundUp(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace gasnet

#endif  // BASE_ROUND_UP_H_
