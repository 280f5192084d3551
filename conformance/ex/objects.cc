// The client, its endpoint, its team and its segment. Tests the properties of
// new objects. Tests the data that clients attach to objects, also in a handler
// (GASNet-EX, sections 4.2, 5.1 to 5.5, 6.1, 6.2, 7.1, 8.2 and 9.1).
#include <gasnet_mk.h>
#include <string.h>

#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kSwapData = 200, kDone };

int marks[8];
std::atomic<int> swapped{0};

void CheckNew() {
  CHECK_EQ(Me(), gasnet_mynode());
  CHECK_EQ(Size(), gasnet_nodes());
  CHECK_EQ(gex_TM_QueryRank(tm), Me());
  CHECK_EQ(gex_TM_QuerySize(tm), Size());
  CHECK(gex_TM_QueryClient(tm) == client);
  CHECK(gex_TM_QueryEP(tm) == ep);
  CHECK(gex_TM_QueryCData(tm) == nullptr);
  CHECK(gex_EP_QueryClient(ep) == client);
  CHECK_EQ(gex_EP_QueryIndex(ep), 0);
  CHECK(gex_EP_QuerySegment(ep) == GEX_SEGMENT_INVALID);
  CHECK(gex_EP_QueryCData(ep) == nullptr);
  CHECK(gex_Client_QueryCData(client) == nullptr);
  CHECK_EQ(gex_Client_QueryFlags(client) & GEX_FLAG_USES_GASNET1, 0);
  CHECK_EQ(gex_Client_QueryFlags(client) & GEX_FLAG_DEFER_THREADS,
           GEX_FLAG_DEFER_THREADS);
  CHECK(strcmp(gex_Client_QueryName(client), "Chosen_1") == 0);
}

void CheckSegment() {
  CHECK(segment != GEX_SEGMENT_INVALID);
  CHECK(gex_EP_QuerySegment(ep) == segment);
  CHECK(gex_Segment_QueryClient(segment) == client);
  CHECK_EQ(gex_Segment_QueryFlags(segment), 0);
  CHECK_EQ(gex_Segment_QuerySize(segment), (2 + Me()) * GASNET_PAGESIZE);
  CHECK(gex_Segment_QueryAddr(segment) == SegmentOf(Me()));
  CHECK(gex_Segment_QueryCData(segment) == nullptr);
  memset(gex_Segment_QueryAddr(segment), 1, gex_Segment_QuerySize(segment));
}

void SetData(int first) {
  gex_Client_SetCData(client, &marks[first]);
  gex_EP_SetCData(ep, &marks[first + 1]);
  gex_TM_SetCData(tm, &marks[first + 2]);
  gex_Segment_SetCData(segment, &marks[first + 3]);
}
void CheckData(int first) {
  CHECK(gex_Client_QueryCData(client) == &marks[first]);
  CHECK(gex_EP_QueryCData(ep) == &marks[first + 1]);
  CHECK(gex_TM_QueryCData(tm) == &marks[first + 2]);
  CHECK(gex_Segment_QueryCData(segment) == &marks[first + 3]);
}

void SwapData(gex_Token_t) {
  CheckData(0);
  SetData(4);
  CheckData(4);
  ++swapped;
}

// Checks two more endpoints. They have only the capability RMA.
void CheckFurther(gex_EP_t first, gex_EP_t second) {
  CHECK(gex_EP_QueryIndex(first) != gex_EP_QueryIndex(second));
  CHECK(gex_EP_QueryClient(first) == client);
  CHECK(gex_EP_QueryCData(first) == nullptr);
  gex_EP_SetCData(first, marks);
  CHECK(gex_EP_QueryCData(first) == marks);
  CHECK(gex_EP_QueryCData(second) == nullptr);
  gex_AM_Entry_t entry =
      EX_HANDLER(0, SwapData, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0);
  CHECK_RESULT(gex_EP_RegisterHandlers(first, &entry, 1), GASNET_ERR_BAD_ARG);

  static char memory[64];
  gex_Segment_t made = GEX_SEGMENT_INVALID;
  CHECK_OK(
      gex_Segment_Create(&made, client, memory, sizeof memory, GEX_MK_HOST, 0));
  CHECK_RESULT(gex_EP_BindSegment(ep, made, 0), GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gex_EP_BindSegment(GEX_EP_INVALID, made, 0), GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gex_EP_BindSegment(first, GEX_SEGMENT_INVALID, 0),
               GASNET_ERR_BAD_ARG);
  CHECK(gex_EP_QuerySegment(first) == GEX_SEGMENT_INVALID);
  CHECK_OK(gex_EP_BindSegment(first, made, 0));
  // endpoints may share a segment
  CHECK_OK(gex_EP_BindSegment(second, made, 0));
  CHECK_RESULT(gex_EP_BindSegment(first, made, 0), GASNET_ERR_BAD_ARG);

  // The segment of this process is known. The segments of other processes are
  // not known, because they were never published.
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    void *there = nullptr, *here = nullptr;
    uintptr_t size = 1;
    CHECK(gex_EP_QueryBoundSegmentNB(gex_TM_Pair(ep, gex_EP_QueryIndex(second)),
                                     rank, &there, &here, &size,
                                     GEX_FLAG_IMMEDIATE) == GEX_EVENT_INVALID);
    CHECK_EQ(size, rank == Me() ? sizeof memory : 0);
    if (rank == Me()) CHECK(there == memory);
  }
  CHECK_RESULT(gex_EP_PublishBoundSegment(tm, nullptr, 0, 0), GASNET_OK);
  gex_EP_t invalid = GEX_EP_INVALID;
  CHECK_RESULT(gex_EP_PublishBoundSegment(tm, &invalid, 1, 0),
               GASNET_ERR_BAD_ARG);
  Barrier();
  gex_Segment_Destroy(made, 0);
  CHECK(gex_EP_QuerySegment(second) == GEX_SEGMENT_INVALID);
}

void CheckEndpoints() {
  gex_EP_t made[GASNET_MAXEPS + 1];
  int count = 1;
  for (;; ++count) {
    gex_EP_t* const next = &made[count];
    *next = ep;
    const int result = gex_EP_Create(next, client, GEX_EP_CAPABILITY_RMA, 0);
    if (result != GASNET_OK) {
      CHECK_RESULT(result, GASNET_ERR_RESOURCE);
      CHECK(*next == ep);  // the failed call left it unchanged
      break;
    }
    CHECK(count < GASNET_MAXEPS);
    CHECK(gex_EP_QueryIndex(*next) != 0);
    CHECK(gex_EP_QuerySegment(*next) == GEX_SEGMENT_INVALID);
  }
  gex_EP_t none = ep;
  CHECK_RESULT(gex_EP_Create(&none, client, ~GEX_EP_CAPABILITY_ALL, 0),
               GASNET_ERR_BAD_ARG);
  CHECK(none == ep);
  CHECK(count >= 32);
  CheckFurther(made[1], made[2]);
}

void CheckKinds() {
  gex_MK_t kind = GEX_MK_INVALID;
  gex_MK_Create_args_t wanted = {};
#ifndef GASNET_HAVE_MK_CLASS_CUDA_UVA
  wanted.gex_class = GEX_MK_CLASS_CUDA_UVA;
  CHECK_RESULT(gex_MK_Create(&kind, client, &wanted, 0), GASNET_ERR_BAD_ARG);
#endif
#ifndef GASNET_HAVE_MK_CLASS_HIP
  wanted.gex_class = GEX_MK_CLASS_HIP;
  CHECK_RESULT(gex_MK_Create(&kind, client, &wanted, 0), GASNET_ERR_BAD_ARG);
#endif
  CHECK(kind == GEX_MK_INVALID);
}

// Checks a segment in the client's own memory, and one in the library's memory.
void CheckMadeSegments() {
  static char memory[100];
  gex_Segment_t made = GEX_SEGMENT_INVALID;
  CHECK_OK(gex_Segment_Create(&made, client, memory + 1, 55, GEX_MK_HOST, 0));
  CHECK(gex_Segment_QueryAddr(made) == memory + 1);
  CHECK_EQ(gex_Segment_QuerySize(made), 55);
  CHECK(gex_Segment_QueryCData(made) == nullptr);
  gex_Segment_SetCData(made, marks);
  CHECK(gex_Segment_QueryCData(made) == marks);
  CHECK_BYTES(memory, sizeof memory, 0);
  gex_Segment_Destroy(made, 0);

  CHECK_OK(gex_Segment_Create(&made, client, nullptr, 5000, GEX_MK_HOST, 0));
  CHECK(gex_Segment_QuerySize(made) >= 5000);
  memset(gex_Segment_QueryAddr(made), 7, gex_Segment_QuerySize(made));
  gex_Segment_Destroy(made, 0);

  const gex_Segment_t before = made;
  CHECK_RESULT(gex_Segment_Create(&made, client, memory, 0, GEX_MK_HOST, 0),
               GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gex_Segment_Create(&made, client, memory, 9, GEX_MK_INVALID, 0),
               GASNET_ERR_BAD_ARG);
  CHECK(made == before);
}

void CheckProgressThreads() {
  unsigned count = 17;
  const gex_ProgressThreadInfo_t* info = nullptr;
  CHECK_RESULT(gex_System_QueryProgressThreads(client, nullptr, &info, 0),
               GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gex_System_QueryProgressThreads(client, &count, nullptr, 0),
               GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gex_System_QueryProgressThreads(client, &count, &info,
                                               GEX_FLAG_IMMEDIATE),
               GASNET_ERR_BAD_ARG);
  CHECK_OK(gex_System_QueryProgressThreads(client, &count, &info, 0));
  CHECK_EQ(count, 0);
}

void CheckSystem() {
  CHECK(gex_System_GetVerboseErrors() != 0);
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_System_GetVerboseErrors(), 0);
#ifdef GASNET_SEQ
  CHECK_EQ(gex_System_QueryMaxThreads(), 1);
#else
  CHECK(gex_System_QueryMaxThreads() > 1);
#endif
  CHECK(gex_System_QueryHiddenAMConcurrencyLevel() <=
        GASNET_HIDDEN_AM_CONCURRENCY_LEVEL);
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kSwapData, SwapData, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  char name[] = "Chosen_1";
  CHECK_OK(gex_Client_Init(&client, &ep, &conformance::tm, name, &argc, &argv,
                           GEX_FLAG_DEFER_THREADS));
  memset(name, 'X', 4);  // the library has copied the name
  CheckNew();
  CheckSystem();
  CHECK_OK(gex_EP_RegisterHandlers(ep, handlers, COUNT_OF(handlers)));
  for (const uintptr_t wrong :
       {uintptr_t{0}, uintptr_t{GASNET_PAGESIZE + 1},
        gasnet_getMaxLocalSegmentSize() + GASNET_PAGESIZE}) {
    CHECK_RESULT(gex_Segment_Attach(&segment, conformance::tm, wrong),
                 GASNET_ERR_BAD_ARG);
    CHECK(segment == GEX_SEGMENT_INVALID);
  }
  // Each process requests a different size.
  CHECK_OK(gex_Segment_Attach(&segment, conformance::tm,
                              (2 + Me()) * GASNET_PAGESIZE));
  FindSegments();
  CheckSegment();
  SetData(0);
  CheckData(0);
  Barrier();
  CHECK_EQ(gex_AM_RequestShort0(conformance::tm, Next(), kSwapData, 0), 0);
  GASNET_BLOCKUNTIL(swapped == 1);
  CheckData(4);
  CheckEndpoints();
  CheckKinds();
  CheckMadeSegments();
  CheckProgressThreads();
  return FinishJob();
}
