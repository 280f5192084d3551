// With GASNET_UDP_PROGRESS=1 and GASNET_OFI_PROGRESS=1, puts and gets to the
// segment of a further endpoint complete at processes of other hosts that
// compute and make no call, also before gex_Segment_Attach. After it, this
// holds for both segments. Without these settings, the waits of process 0 would
// never end. Processes that share memory with process 0 take no part, since
// their further segments are not mapped there.
#include <sched.h>
#include <string.h>

#include <vector>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

constexpr int kRounds = 5;
constexpr size_t kBytes = 20000;

// The beginning of each segment.
struct Words {
  uint32_t gone;  // written by puts alone: the number of rounds that have ended
  char area[kBytes];
};

// Reads what puts write while this process makes no call. The thread sanitizer
// must not see the reads, since nothing that it knows orders them with the
// puts.
__attribute__((noinline, no_sanitize("thread"))) uint32_t Peek(
    const volatile uint32_t* word) {
  return *word;
}
__attribute__((noinline, no_sanitize("thread"))) void PeekAll(
    const volatile char* area, char* to) {
  for (size_t i = 0; i < kBytes; ++i) to[i] = area[i];
}

// Returns true if the process shares memory with this one.
bool IsNear(gex_Rank_t rank) {
  gex_RankInfo_t* near = nullptr;
  gex_Rank_t count = 0;
  gex_System_QueryNbrhdInfo(&near, &count, nullptr);
  for (gex_Rank_t i = 0; i < count; ++i) {
    if (near[i].gex_jobrank == rank) return true;
  }
  return false;
}

// The segments of one endpoint index, by jobrank, and a team that reaches them.
struct Side {
  gex_TM_t team;
  std::vector<Words*> at;
};

Side MakeSide(gex_EP_Index_t index) {
  Side side = {index == 0 ? tm : gex_TM_Pair(ep, index), {}};
  for (gex_Rank_t rank = 0; rank < Size(); ++rank) {
    void* address = nullptr;
    uintptr_t size = 0;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(side.team, rank, &address,
                                              nullptr, &size, 0));
    CHECK(size >= sizeof(Words));
    side.at.push_back(static_cast<Words*>(address));
  }
  Barrier();
  return side;
}

void BindFurtherEndpoint() {
  gex_EP_t further = GEX_EP_INVALID;
  gex_Segment_t own = GEX_SEGMENT_INVALID;
  CHECK_OK(gex_EP_Create(&further, client, GEX_EP_CAPABILITY_RMA, 0));
  CHECK_OK(
      gex_Segment_Create(&own, client, nullptr, sizeof(Words), GEX_MK_HOST, 0));
  memset(gex_Segment_QueryAddr(own), 0, sizeof(Words));
  CHECK_OK(gex_EP_BindSegment(further, own, 0));
  CHECK_OK(gex_EP_PublishBoundSegment(tm, &further, 1, 0));
}

void Transfer(const Side& side, gex_Rank_t rank, uint32_t seed) {
  char source[kBytes];
  char got[kBytes];
  FillPattern(source, kBytes, seed);
  for (const size_t bytes : {size_t{8}, kBytes}) {
    char* const there = side.at[rank]->area;
    CHECK_EQ(gex_RMA_PutBlocking(side.team, rank, there, source, bytes, 0), 0);
    CHECK_EQ(gex_RMA_GetBlocking(side.team, got, rank, there, bytes, 0), 0);
    CHECK_PATTERN(got, bytes, seed);
  }
}

void RunRounds(const Side& side) {
  for (uint32_t round = 1; round <= kRounds; ++round) {
    if (Me() == 0) {
      for (gex_Rank_t rank = 1; rank < Size(); ++rank) {
        if (IsNear(rank)) continue;
        Transfer(side, rank, round);
        CHECK_EQ(gex_RMA_PutBlockingVal(side.team, rank, &side.at[rank]->gone,
                                        round, sizeof round, 0),
                 0);
      }
    } else if (!IsNear(0)) {
      while (Peek(&side.at[Me()]->gone) < round) sched_yield();
      char found[kBytes];
      PeekAll(side.at[Me()]->area, found);
      CHECK_PATTERN(found, kBytes, round);
    }
    Barrier();
  }
  side.at[Me()]->gone = 0;
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT: the whole program is in there
  JoinEx(&argc, &argv, nullptr, 0);
  BindFurtherEndpoint();
  const Side further = MakeSide(1);
  RunRounds(further);
  const size_t pages = (sizeof(Words) + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE;
  CHECK_OK(
      gex_Segment_Attach(&segment, conformance::tm, pages * GASNET_PAGESIZE));
  memset(gex_Segment_QueryAddr(segment), 0, sizeof(Words));
  Barrier();
  RunRounds(MakeSide(0));
  RunRounds(further);
  return FinishJob();
}
