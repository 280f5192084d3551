// A process of the job, by its number: 0 to one less than there are.
#ifndef CORE_RANK_H_
#define CORE_RANK_H_

#include <cstdint>

namespace gasnet {

using Rank = uint32_t;

}  // namespace gasnet

#endif  // CORE_RANK_H_
