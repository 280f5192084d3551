// The unit in which memory moves between the caches of processors.
#ifndef CORE_HOSTSHM_LINE_H_
#define CORE_HOSTSHM_LINE_H_

#include <cstddef>

namespace gasnet::hostshm {

inline constexpr size_t kLine = 64;

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_LINE_H_
