// The bytes of a cache line. A line is the unit in which memory moves between
// the caches of processors.
#ifndef BASE_CACHE_LINE_H_
#define BASE_CACHE_LINE_H_

#include <cstddef>

namespace gasnet {

inline constexpr size_t kCacheLine = 64;

}  // namespace gasnet

#endif  // BASE_CACHE_LINE_H_
