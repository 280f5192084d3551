// An interface's shared memory with as few records as possible. Tests of the
// records use it.
#ifndef PORTALS_TESTING_LEAST_REGION_H_
#define PORTALS_TESTING_LEAST_REGION_H_

#include <cstdint>

#include "portals/engine/layout.h"
#include "portals/memory/region.h"

namespace gasnet::portals4 {

constexpr Counts LeastCounts(uint32_t pts = 1, uint32_t entries = 1) {
  return {.pts = pts,
          .entries = entries,
          .unexpected = 1,
          .mds = 1,
          .eqs = 1,
          .cts = 1,
          .triggers = 1};
}

// Makes a region. One list may take all of its entries.
inline Region MakeRegion(const Counts& counts) {
  return Region::Create({.nid = 1,
                         .pid = 1,
                         .uid = 1,
                         .kind = 1,
                         .max_list_size = counts.entries},
                        counts);
}

}  // namespace gasnet::portals4

#endif  // PORTALS_TESTING_LEAST_REGION_H_
