// The number of a process of the job, from 0 on.
#ifndef CORE_RANK_H_
#define CORE_RANK_H_

#include <cstdint>

namespace gasnet {

using Rank = uint32_t;

}  // namespace gasnet

#endif  // CORE_RANK_H_
