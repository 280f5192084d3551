// Tells peers which memory of this process they can map. If a range lies in one
// mapping of a file, FindBacking records the file in a MapRecord of the
// interface.
//
// The interface's `setup` lock guards everything.
#ifndef PORTALS_MEMORY_SHARED_MAPS_H_
#define PORTALS_MEMORY_SHARED_MAPS_H_

#include <cstdint>

#include "portals/engine/view.h"

namespace gasnet::portals4 {

// The backing of a range of this process's memory: the permissions of the
// range, and the record of the file that peers can map.
struct Backing {
  bool readable = false;
  bool writable = false;
  uint32_t mapping = 0;  // 1 + slot of MapRecord; 0: peers cannot map the range
};

// Finds the backing of a range. `maps` is the number of records in use.
Backing FindBacking(const View& view, uint32_t& maps, uint64_t start,
                    uint64_t size);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SHARED_MAPS_H_
