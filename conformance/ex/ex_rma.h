// Shared by programs over GASNet-EX that move data. Starts a job with a
// segment. The job may use the calls of both interfaces. harness.h has the
// rest. Its Barrier, FinishJob and checks may be used once StartExJob has
// returned.
#ifndef CONFORMANCE_EX_EX_RMA_H_
#define CONFORMANCE_EX_EX_RMA_H_

#include <gasnetex.h>
#include <stddef.h>

#include "conformance/harness.h"

namespace conformance {

// The objects of this process, and its place in the job.
struct ExJob {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  gex_Rank_t rank;
  gex_Rank_t size;
};
inline ExJob ex;

// Calls gex_Client_Init, gex_EP_RegisterHandlers, gex_Segment_Attach and a
// barrier. Each process then has at least `bytes` bytes of memory that its
// peers may access.
inline void StartExJob(int* argc, char*** argv, size_t bytes,
                       gex_AM_Entry_t* table = nullptr, size_t entries = 0) {
  CHECK_OK(gex_Client_Init(&ex.client, &ex.ep, &ex.tm, "CONFORMANCE", argc,
                           argv, GEX_FLAG_USES_GASNET1));
  if (entries > 0) CHECK_OK(gex_EP_RegisterHandlers(ex.ep, table, entries));
  const size_t pages = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE;
  CHECK_OK(gex_Segment_Attach(&ex.segment, ex.tm, pages * GASNET_PAGESIZE));
  ex.rank = gex_TM_QueryRank(ex.tm);
  ex.size = gex_TM_QuerySize(ex.tm);
  Barrier();
}

// Returns the start of the segment of a process.
inline char* BaseOf(gex_Rank_t jobrank) {
  void* address = nullptr;
  uintptr_t bytes = 0;
  gex_Event_Wait(
      gex_EP_QueryBoundSegmentNB(ex.tm, jobrank, &address, nullptr, &bytes, 0));
  CHECK(bytes > 0);
  return static_cast<char*>(address);
}

}  // namespace conformance

#endif  // CONFORMANCE_EX_EX_RMA_H_
