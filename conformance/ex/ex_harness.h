// Shared by the programs over GASNet-EX: the start of a job, and the addresses
// of segments. harness.h has the rest. Its Barrier, FinishJob and checks may be
// used once JoinEx has returned.
#ifndef CONFORMANCE_EX_EX_HARNESS_H_
#define CONFORMANCE_EX_EX_HARNESS_H_

#include <gasnetex.h>
#include <stddef.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {

// The objects of this process.
inline gex_Client_t client = GEX_CLIENT_INVALID;
inline gex_EP_t ep = GEX_EP_INVALID;
inline gex_TM_t tm = GEX_TM_INVALID;
inline gex_Segment_t segment = GEX_SEGMENT_INVALID;

inline gex_Rank_t Me() { return gex_System_QueryJobRank(); }
inline gex_Rank_t Size() { return gex_System_QueryJobSize(); }
inline gex_Rank_t Next() { return (Me() + 1) % Size(); }

// Expands to one row of a handler table, with flags and number of arguments.
#define EX_HANDLER(index, function, flags, nargs)                       \
  {                                                                     \
    (gex_AM_Index_t)(index), (gex_AM_Fn_t)(function), (flags), (nargs), \
        nullptr, #function                                              \
  }

// Calls gex_Client_Init, and registers handlers. When JoinEx returns, all
// processes have registered their handlers. There is no segment yet.
inline void JoinEx(int* argc, char*** argv, gex_AM_Entry_t* table,
                   size_t entries, gex_Flags_t flags = 0) {
  CHECK_OK(
      gex_Client_Init(&client, &ep, &tm, "CONFORMANCE", argc, argv, flags));
  CHECK_OK(gex_EP_RegisterHandlers(ep, table, entries));
  Barrier();
}

// The start addresses of the processes' segments, by jobrank (SegmentOf).
inline std::vector<char*> segments;

// Fills `segments`. Called when all processes have segments.
inline void FindSegments() {
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    void* address = nullptr;
    uintptr_t bytes = 0;
    gex_Event_Wait(
        gex_EP_QueryBoundSegmentNB(tm, rank, &address, nullptr, &bytes, 0));
    CHECK(bytes > 0);
    segments.push_back(static_cast<char*>(address));
  }
  Barrier();
}

// Calls JoinEx, and attaches a segment of at least `bytes` bytes in each
// process. When StartEx returns, all processes know all segments.
inline void StartEx(int* argc, char*** argv, gex_AM_Entry_t* table,
                    size_t entries, size_t bytes, gex_Flags_t flags = 0) {
  JoinEx(argc, argv, table, entries, flags);
  const size_t pages = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE;
  CHECK_OK(gex_Segment_Attach(&segment, tm, pages * GASNET_PAGESIZE));
  FindSegments();
}

// Returns the start of the segment of a process. Also legal in handlers.
inline char* SegmentOf(gex_Rank_t jobrank) { return segments[jobrank]; }

}  // namespace conformance

#endif  // CONFORMANCE_EX_EX_HARNESS_H_
