// The rank of a process: its number in the job, counted from 0.
#ifndef CORE_RANK_H_
#define CORE_RANK_H_

#include <cstdint>

namespace gasnet {

using Rank = uint32_t;

}  // namespace gasnet

#endif  // CORE_RANK_H_
