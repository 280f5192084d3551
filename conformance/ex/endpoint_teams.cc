// Teams of endpoints that are not primordial: their properties, and operations
// that name their members. These are puts, gets, transfers in pieces, messages,
// collectives and atomics (GASNet-EX, sections 6.2, 9.3, 9.6 and 13 to 16).
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <string.h>

#include <atomic>
#include <vector>

#include "conformance/ex/ex_endpoints.h"

namespace conformance {
namespace {

constexpr int kNote = 200;
constexpr size_t kArea = 1 << 16;  // bytes of a segment for one process
constexpr size_t kCounter = 8 * kArea;

std::atomic<int> noted{0};

void OnNote(gex_Token_t token, gex_AM_Arg_t index) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_EP);
  CHECK_EQ(gex_EP_QueryIndex(info.gex_ep), index);
  ++noted;
}
gex_AM_Entry_t table[] = {
    {kNote, reinterpret_cast<gex_AM_Fn_t>(OnNote),
     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, nullptr, "OnNote"},
};

// Returns the index of a process's endpoint in the team. Indices go round
// through all endpoints, beginning with the last process.
gex_EP_Index_t IndexOf(gex_Rank_t rank) {
  return static_cast<gex_EP_Index_t>((ex.size - 1 - rank + 1) % kEndpoints);
}
gex_Rank_t JobrankOf(gex_Rank_t rank) { return ex.size - 1 - rank; }

gex_TM_t Create() {
  std::vector<gex_EP_Location_t> members;
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
    members.push_back({JobrankOf(rank), IndexOf(rank)});
  }
  gex_TM_t made = GEX_TM_INVALID;
  gex_TM_Create(&made, 1, ex.tm, members.data(), ex.size, nullptr, 0,
                GEX_FLAG_TM_NO_SCRATCH);
  return made;
}

void CheckQueries(gex_TM_t tm) {
  const gex_Rank_t me = JobrankOf(ex.rank);
  CHECK_EQ(gex_TM_QuerySize(tm), ex.size);
  CHECK_EQ(gex_TM_QueryRank(tm), me);
  CHECK(gex_TM_QueryEP(tm) == eps.ep[IndexOf(me)]);
  CHECK(gex_TM_QueryClient(tm) == ex.client);
  CHECK(gex_TM_QueryCData(tm) == nullptr);
  gex_TM_SetCData(tm, &noted);
  CHECK(gex_TM_QueryCData(tm) == &noted);
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
    const gex_EP_Location_t at = gex_TM_TranslateRankToEP(tm, rank, 0);
    CHECK_EQ(at.gex_rank, JobrankOf(rank));
    CHECK_EQ(at.gex_ep_index, IndexOf(rank));
    CHECK_EQ(gex_TM_TranslateRankToJobrank(tm, rank), JobrankOf(rank));
    CHECK_EQ(gex_TM_TranslateJobrankToRank(tm, JobrankOf(rank)), rank);
  }
}

char* AreaOf(gex_TM_t tm, gex_Rank_t rank) {
  void* address = nullptr;
  CHECK_EQ(gex_Segment_QueryBound(tm, rank, &address, nullptr, nullptr), 0);
  const gex_EP_Location_t at = gex_TM_TranslateRankToEP(tm, rank, 0);
  CHECK(address == BaseOf(at.gex_ep_index, at.gex_rank));
  return static_cast<char*>(address) + ex.rank * kArea;
}

void Transfer(gex_TM_t tm, gex_Rank_t rank, uint32_t seed) {
  char* const there = AreaOf(tm, rank);
  std::vector<char> source(kArea), back(kArea);
  FillPattern(source.data(), kArea, seed);
  CHECK_EQ(gex_RMA_PutBlocking(tm, rank, there, source.data(), kArea, 0), 0);
  gex_Event_Wait(gex_RMA_GetNB(tm, back.data(), rank, there, kArea, 0));
  CHECK_PATTERN(back.data(), kArea, seed);
}

// Transfers rows of all widths, there and back, by each kind of call.
void TransferPieces(gex_TM_t tm, gex_Rank_t rank, uint32_t seed) {
  char* const there = AreaOf(tm, rank);
  std::vector<char> source(kArea), back(kArea);
  for (const size_t width : {size_t{1}, size_t{24}, size_t{2000}}) {
    FillPattern(source.data(), kArea, ++seed);
    memset(back.data(), 0, kArea);
    const size_t count[] = {kArea / 2 / width};
    const ptrdiff_t wide[] = {static_cast<ptrdiff_t>(2 * width)};
    const ptrdiff_t tight[] = {static_cast<ptrdiff_t>(width)};
    CHECK_EQ(gex_VIS_StridedPutBlocking(tm, rank, there, wide, source.data(),
                                        tight, width, count, 1, 0),
             0);
    gex_Event_Wait(gex_VIS_StridedGetNB(tm, back.data(), tight, rank, there,
                                        wide, width, count, 1, 0));
    CHECK_PATTERN(back.data(), count[0] * width, seed);
    std::vector<void*> far, near;
    for (size_t i = 0; i < count[0]; ++i) {
      far.push_back(there + 2 * width * i);
      near.push_back(back.data() + width * i);
    }
    memset(back.data(), 7, kArea);
    CHECK_EQ(gex_VIS_IndexedPutNBI(tm, rank, count[0], far.data(), width,
                                   count[0], near.data(), width, 0),
             0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    memset(back.data(), 0, kArea);
    CHECK_EQ(gex_VIS_IndexedGetBlocking(tm, count[0], near.data(), width, rank,
                                        count[0], far.data(), width, 0),
             0);
    CHECK_BYTES(back.data(), count[0] * width, 7);
  }
}

void SendNotes(gex_TM_t tm) {
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
    CHECK_EQ(gex_AM_RequestShort1(tm, rank, kNote, 0, IndexOf(rank)), 0);
  }
  GASNET_BLOCKUNTIL(noted == static_cast<int>(ex.size));
  noted = 0;
}

void Collect(gex_TM_t tm) {
  int64_t mine = 1 + gex_TM_QueryRank(tm);
  int64_t sum = 0;
  gex_Event_Wait(gex_Coll_ReduceToAllNB(tm, &sum, &mine, GEX_DT_I64,
                                        sizeof mine, 1, GEX_OP_ADD, nullptr,
                                        nullptr, 0));
  CHECK_EQ(sum, ex.size * (ex.size + 1) / 2);
  int64_t root = mine == 1 ? 77 : 0;
  gex_Event_Wait(gex_Coll_BroadcastNB(tm, 0, &root, &root, sizeof root, 0));
  CHECK_EQ(root, 77);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
}

// Returns the address of a counter behind the areas. The address is aligned
// even if the client's memory is not.
void* CounterOf(gex_Rank_t rank) {
  const auto end = reinterpret_cast<uintptr_t>(
      BaseOf(IndexOf(rank), JobrankOf(rank)) + kCounter);
  return reinterpret_cast<void*>((end + 7) / 8 * 8);
}

// Adds to the counter of every process, from every process.
void Count(gex_TM_t tm) {
  gex_AD_t domain = GEX_AD_INVALID;
  gex_AD_Create(&domain, tm, GEX_DT_U64, GEX_OP_FADD | GEX_OP_INC | GEX_OP_GET,
                0);
  for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
    void* const counter = CounterOf(rank);
    uint64_t old = 0;
    for (int i = 0; i < 5; ++i) {
      gex_Event_Wait(
          gex_AD_OpNB_U64(domain, &old, rank, counter, GEX_OP_FADD, 2, 0, 0));
      CHECK(old < 15 * ex.size);
      gex_Event_Wait(gex_AD_OpNB_U64(domain, nullptr, JobrankOf(rank), counter,
                                     GEX_OP_INC, 0, 0,
                                     GEX_FLAG_RANK_IS_JOBRANK));
    }
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  uint64_t all = 0;
  const gex_Rank_t me = gex_TM_QueryRank(tm);
  gex_Event_Wait(
      gex_AD_OpNB_U64(domain, &all, me, CounterOf(me), GEX_OP_GET, 0, 0, 0));
  CHECK_EQ(all, 15 * ex.size);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  gex_AD_Destroy(domain);
}

// Splits a team. The new teams must keep its endpoints.
void Split(gex_TM_t tm) {
  gex_TM_t half = GEX_TM_INVALID;
  const gex_Rank_t me = gex_TM_QueryRank(tm);
  gex_TM_Split(&half, tm, static_cast<int>(me % 2), -static_cast<int>(me),
               nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  CHECK(gex_TM_QueryEP(half) == gex_TM_QueryEP(tm));
  for (gex_Rank_t rank = 0; rank < gex_TM_QuerySize(half); ++rank) {
    const gex_EP_Location_t at = gex_TM_TranslateRankToEP(half, rank, 0);
    const gex_Rank_t whole = gex_TM_TranslateJobrankToRank(tm, at.gex_rank);
    CHECK_EQ(whole % 2, me % 2);
    CHECK_EQ(at.gex_ep_index, IndexOf(whole));
    Transfer(half, rank, 300 + ex.rank + rank);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(half, 0));
  CHECK_EQ(gex_TM_Destroy(half, nullptr, 0), 0);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  const size_t bytes = kCounter + 4096;
  StartExJob(&argc, &argv, bytes, table, 1);
  MakeEndpoints(bytes, GEX_EP_CAPABILITY_ALL);
  for (gex_EP_Index_t index = 1; index < kEndpoints; ++index) {
    CHECK_OK(gex_EP_RegisterHandlers(eps.ep[index], table, 1));
    memset(gex_Segment_QueryAddr(eps.segment[index]), 0, bytes);
  }
  memset(gex_Segment_QueryAddr(ex.segment), 0, bytes);
  Barrier();
  for (int round = 0; round < 2; ++round) {
    const gex_TM_t tm = Create();
    CheckQueries(tm);
    for (gex_Rank_t rank = 0; rank < ex.size; ++rank) {
      Transfer(tm, rank, 1 + ex.rank * 10 + rank);
      TransferPieces(tm, rank, 100 + ex.rank * 10 + rank);
    }
    SendNotes(tm);
    Collect(tm);
    if (round == 0) Count(tm);
    Split(tm);
    CHECK_EQ(gex_TM_Destroy(tm, nullptr, 0), 0);
  }
  // Destroys the remaining objects. Their indices must then be free again.
  Barrier();
  for (gex_EP_Index_t index = 1; index < kEndpoints; ++index) {
    gex_Segment_Destroy(eps.segment[index], 0);
    gex_EP_Destroy(eps.ep[index], 0);
  }
  gex_EP_t again = GEX_EP_INVALID;
  CHECK_OK(gex_EP_Create(&again, ex.client, GEX_EP_CAPABILITY_RMA, 0));
  CHECK_EQ(gex_EP_QueryIndex(again), 1);
  CHECK(gex_EP_QuerySegment(again) == GEX_SEGMENT_INVALID);
  return FinishJob();
}
