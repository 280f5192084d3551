// A segment of GASNet-EX: host memory of this process. The primordial segment
// is the memory that the runtime has attached. gex_Segment_Create creates other
// segments, which own their memory unless the client provided it.
#ifndef EX_SEGMENT_H_
#define EX_SEGMENT_H_

#include <cstdint>

#include "ex/client_data.h"
#include "gasnet/ex_types.h"

struct gasneti_segment {
  gasneti_segment() = default;
  ~gasneti_segment();
  gasneti_segment(const gasneti_segment&) = delete;
  gasneti_segment& operator=(const gasneti_segment&) = delete;

  // Takes `length` bytes at its_address as the segment. If its_address is null,
  // takes new memory of whole pages. Returns false if memory is short.
  bool Take(void* its_address, uintptr_t length);

  gasneti_client* client = nullptr;
  void* address = nullptr;
  uintptr_t size = 0;  // bytes
  bool owns_memory = false;
  gasnet::ex::ClientData data;
};

#endif  // EX_SEGMENT_H_
