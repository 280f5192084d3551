// Shared by programs with endpoints other than the primordial one. Makes
// endpoints with their own segments, and finds the addresses of these segments
// in all processes. Used after StartExJob of ex_rma.h.
#ifndef CONFORMANCE_EX_EX_ENDPOINTS_H_
#define CONFORMANCE_EX_EX_ENDPOINTS_H_

#include <gasnetex.h>
#include <stddef.h>
#include <stdlib.h>

#include <array>
#include <vector>

#include "conformance/ex/ex_rma.h"

namespace conformance {

// The number of endpoints. The segment of endpoint 1 is memory of the client,
// at an odd address. The segment of endpoint 2 is memory of the library.
constexpr gex_EP_Index_t kEndpoints = 3;

struct Endpoints {
  std::array<gex_EP_t, kEndpoints> ep;
  std::array<gex_Segment_t, kEndpoints> segment;
  std::vector<char> memory;
  // Start addresses of the segments, by endpoint and jobrank.
  std::array<std::vector<char*>, kEndpoints> base;
};
inline Endpoints eps;

inline char* BaseOf(gex_EP_Index_t index, gex_Rank_t jobrank) {
  return eps.base[index][jobrank];
}

// Finds the segments of all endpoints in all processes, and fills `eps.base`.
inline void FindBases(size_t bytes) {
  for (gex_EP_Index_t index = 0; index < kEndpoints; ++index) {
    eps.base[index].clear();
    for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
      void* address = nullptr;
      uintptr_t size = 0;
      gex_Event_Wait(gex_EP_QueryBoundSegmentNB(gex_TM_Pair(ex.ep, index), rank,
                                                &address, nullptr, &size, 0));
      CHECK(size >= bytes);
      eps.base[index].push_back(static_cast<char*>(address));
    }
  }
}

// Makes endpoints 1 and 2 with segments of at least `bytes` bytes. Publishes
// these segments to all processes.
inline void MakeEndpoints(size_t bytes, gex_EP_Capabilities_t capabilities) {
  eps.ep[0] = ex.ep;
  eps.segment[0] = ex.segment;
  eps.memory.resize(bytes + 1);
  for (gex_EP_Index_t index = 1; index < kEndpoints; ++index) {
    CHECK_OK(gex_EP_Create(&eps.ep[index], ex.client, capabilities, 0));
    CHECK_EQ(gex_EP_QueryIndex(eps.ep[index]), index);
    CHECK_OK(gex_Segment_Create(&eps.segment[index], ex.client,
                                index == 1 ? eps.memory.data() + 1 : nullptr,
                                bytes, GEX_MK_HOST, 0));
    CHECK_OK(gex_EP_BindSegment(eps.ep[index], eps.segment[index], 0));
    CHECK(gex_EP_QuerySegment(eps.ep[index]) == eps.segment[index]);
  }
  CHECK_OK(
      gex_EP_PublishBoundSegment(ex.tm, eps.ep.data() + 1, kEndpoints - 1, 0));
  FindBases(bytes);
  Barrier();
}

}  // namespace conformance

#endif  // CONFORMANCE_EX_EX_ENDPOINTS_H_
