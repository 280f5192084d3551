// Tells peers which memory of this process they can map: for a range that lies
// in one mapping of a file, writes the file into a MapRecord of the interface.
//
// Under the interface's lock for set-up.
#ifndef PORTALS_MEMORY_SHARED_MAPS_H_
#define PORTALS_MEMORY_SHARED_MAPS_H_

#include <cstdint>

#include "portals/engine/view.h"

namespace gasnet::portals4 {

// Whether a range of this process is there, and where peers find it.
struct Backing {
  bool readable = false;
  bool writable = false;
  uint32_t mapping = 0;  // 1 + slot of MapRecord; 0: peers cannot map it
};

// `maps` counts the records that are in use.
Backing FindBacking(const View& view, uint32_t& maps, uint64_t start,
                    uint64_t size);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_SHARED_MAPS_H_
