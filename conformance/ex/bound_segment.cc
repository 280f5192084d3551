// Each process finds the address and the size of every segment. It reads and
// writes the segments of its neighbours in place (GASNet-EX, sections 6.5 and
// 7.4).
#include <string.h>

#include <atomic>
#include <initializer_list>
#include <memory>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kTell = 200 };

struct Place {
  void* address;
  uintptr_t size;
};
std::unique_ptr<Place[]> places;
std::atomic<int> told{0};

void OnTell(gex_Token_t token, void* buffer, size_t bytes) {
  CHECK_EQ(bytes, sizeof(Place));
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  memcpy(&places[info.gex_srcrank], buffer, bytes);
  ++told;
}

bool IsNeighbour(gex_Rank_t rank) {
  gex_RankInfo_t* neighbours;
  gex_Rank_t count;
  gex_System_QueryNbrhdInfo(&neighbours, &count, nullptr);
  for (gex_Rank_t i = 0; i < count; ++i) {
    if (neighbours[i].gex_jobrank == rank) return true;
  }
  return false;
}

void CheckAnswer(gex_Rank_t rank, const void* there, const void* here,
                 uintptr_t size) {
  CHECK(there == places[rank].address);
  CHECK_EQ(size, places[rank].size);
  if (rank == Me()) CHECK(here == there);
  if (here != nullptr) CHECK(IsNeighbour(rank));
}

void Ask(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags) {
  void *there, *here;
  uintptr_t size;
  const gex_Event_t event =
      gex_EP_QueryBoundSegmentNB(tm, rank, &there, &here, &size, flags);
  if (event == GEX_EVENT_NO_OP) {
    CHECK(flags == GEX_FLAG_IMMEDIATE && rank != Me());
    return;
  }
  if (flags == GEX_FLAG_IMMEDIATE) CHECK(event == GEX_EVENT_INVALID);
  gex_Event_Wait(event);
  CheckAnswer(rank, there, here, size);
}

void AskInEveryWay(gex_Rank_t rank) {
  for (const gex_TM_t pair_or_team : {tm, gex_TM_Pair(ep, 0)}) {
    Ask(pair_or_team, rank, 0);
    Ask(pair_or_team, rank, GEX_FLAG_IMMEDIATE);
    void *there, *here;
    uintptr_t size;
    CHECK_EQ(gex_Segment_QueryBound(pair_or_team, rank, &there, &here, &size),
             0);
    CheckAnswer(rank, there, here, size);
    // Every result pointer may be null.
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(pair_or_team, rank, nullptr,
                                              nullptr, nullptr, 0));
    CHECK_EQ(
        gex_Segment_QueryBound(pair_or_team, rank, nullptr, nullptr, nullptr),
        0);
  }
}

// Writes at both ends of each neighbour's segment, to bytes that belong to this
// process. Checks these bytes in later rounds.
void TouchNeighbours(int round) {
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    void* here = nullptr;
    uintptr_t size = 0;
    gex_Event_Wait(
        gex_EP_QueryBoundSegmentNB(tm, rank, nullptr, &here, &size, 0));
    if (here == nullptr) continue;
    char* const bytes = static_cast<char*>(here);
    if (round == 0) {
      bytes[Me()] = bytes[size - 1 - Me()] = static_cast<char>(Me() + 1);
    } else {
      CHECK_EQ(bytes[rank], rank + 1);
      CHECK_EQ(bytes[size - 1 - rank], rank + 1);
    }
  }
}
void CheckTouched() {
  const char* const mine = static_cast<char*>(gex_Segment_QueryAddr(segment));
  const uintptr_t size = gex_Segment_QuerySize(segment);
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    void* here = nullptr;
    gex_Event_Wait(
        gex_EP_QueryBoundSegmentNB(tm, rank, nullptr, &here, nullptr, 0));
    const int expected = here != nullptr ? static_cast<int>(rank) + 1 : 0;
    CHECK_EQ(mine[rank], expected);
    CHECK_EQ(mine[size - 1 - rank], expected);
  }
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kTell, OnTell, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  places = std::make_unique<Place[]>(Size());
  CHECK_OK(gex_Segment_Attach(&segment, conformance::tm,
                              (3 - Me() % 3) * GASNET_PAGESIZE));
  const Place mine = {gex_Segment_QueryAddr(segment),
                      gex_Segment_QuerySize(segment)};
  Barrier();
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    CHECK_EQ(gex_AM_RequestMedium0(conformance::tm, rank, kTell, &mine,
                                   sizeof mine, GEX_EVENT_NOW, 0),
             0);
  }
  GASNET_BLOCKUNTIL(told == static_cast<int>(Size()));
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) AskInEveryWay(rank);
  Barrier();
  TouchNeighbours(0);
  Barrier();
  CheckTouched();
  TouchNeighbours(1);
  // A process that publishes its segment again keeps the segment. All answers
  // must stay the same.
  CHECK_OK(gex_EP_PublishBoundSegment(conformance::tm, &ep, Me() % 2, 0));
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) AskInEveryWay(rank);
  return FinishJob();
}
