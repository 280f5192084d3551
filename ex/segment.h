// A segment of GASNet-EX: host memory of this process. The primordial one is
// the memory that the runtime has attached. Others are made by
// gex_Segment_Create; they own their memory unless the client gave it.
#ifndef EX_SEGMENT_H_
#define EX_SEGMENT_H_

#include <cstdint>

#include "ex/client_data.h"
#include "gasnet/ex_types.h"

struct gasneti_segment {
  gasneti_client* client = nullptr;
  void* address = nullptr;
  uintptr_t size = 0;  // bytes
  bool owns_memory = false;
  gasnet::ex::ClientData data;
};

namespace gasnet::ex {

// Makes a segment of `length` bytes at the address, or in new memory, of whole
// pages, if that is null. Returns null if there is no memory.
gasneti_segment* MakeSegment(gasneti_client& client, void* address,
                             uintptr_t length);
void DestroySegment(gasneti_segment* segment);

}  // namespace gasnet::ex

#endif  // EX_SEGMENT_H_
