// Statistics count the calls of GASNet-EX with their bytes. They name peers by
// jobrank, even if a call names its peer by a team, a pair or a domain.
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_trace.h>
#include <gasnet_vis.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/ex/ex_harness.h"
#include "conformance/observe/report.h"

namespace conformance {
namespace {

enum { kShort = 200, kMedium, kLong, kReplied, kRepliedMedium, kPrepared };

constexpr size_t kBytes = 4096;
constexpr size_t kPayload = 24;
constexpr size_t kMost = 64;  // negotiated bytes
constexpr size_t kCommitted = 20;

int replies = 0;

void OnShort(gex_Token_t token) {
  CHECK_EQ(gex_AM_ReplyShort0(token, kReplied, 0), 0);
}
void OnMedium(gex_Token_t token, void* buffer, size_t nbytes) {
  CHECK_EQ(gex_AM_ReplyMedium0(token, kRepliedMedium, buffer, nbytes,
                               GEX_EVENT_NOW, 0),
           0);
}
void OnLong(gex_Token_t token, void*, size_t) {
  CHECK_EQ(gex_AM_ReplyShort0(token, kReplied, 0), 0);
}
// Replies with half of the request's payload.
void OnPrepared(gex_Token_t token, void*, size_t nbytes) {
  gex_AM_SrcDesc_t sd =
      gex_AM_PrepareReplyMedium(token, nullptr, nbytes, nbytes, nullptr, 0, 0);
  gex_AM_CommitReplyMedium0(sd, kRepliedMedium, nbytes / 2);
}
void OnReplied(gex_Token_t) { ++replies; }
void OnRepliedMedium(gex_Token_t, void*, size_t) { ++replies; }

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
constexpr gex_Flags_t kReply = GEX_FLAG_AM_REPLY;

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kShort, OnShort, GEX_FLAG_AM_SHORT | kRequest, 0),
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | kRequest, 0),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | kRequest, 0),
    EX_HANDLER(kPrepared, OnPrepared, GEX_FLAG_AM_MEDIUM | kRequest, 0),
    EX_HANDLER(kReplied, OnReplied, GEX_FLAG_AM_SHORT | kReply, 0),
    EX_HANDLER(kRepliedMedium, OnRepliedMedium, GEX_FLAG_AM_MEDIUM | kReply, 0),
};

alignas(64) char local[kBytes];
char* There() { return SegmentOf(Next()); }

// A team whose ranks are in reverse order.
gex_TM_t reversed;
gex_Rank_t NextThere() { return Size() - 1 - Next(); }
// Returns the pair of the primordial endpoints.
gex_TM_t Pair() { return gex_TM_Pair(ep, 0); }

Report Since(bool reset = false) {
  GASNETT_STATS_DUMP(reset);
  const Report report = LastReport();
  CheckTimes(report);
  return report;
}
// Begins to count. The second barrier makes sure that no request arrives before
// the reset. The counts include this second barrier.
void Begin() {
  gex_Coll_BarrierBlocking(tm, 0);
  Since(/*reset=*/true);
  gex_Coll_BarrierBlocking(tm, 0);
}

void CheckCall(const Report& report, const char* name, char group,
               uint64_t calls, uint64_t bytes = 0) {
  const ReportRow row = report.Of("call", name);
  CHECK_EQ(row.Count("calls"), calls);
  CHECK_EQ(row.Count("bytes"), bytes);
  CHECK_EQ(row.group, group);
}

// Checks the count of a call. If the peer's memory is mapped, the call is
// inlined and not counted.
void CheckAccess(const Report& report, const char* name, char group,
                 uint64_t calls, uint64_t bytes) {
  if (InlinesAccesses() && report.Of("call", name).columns.empty()) return;
  CheckCall(report, name, group, calls, bytes);
}

// Checks that all counted operations of these groups, and the bytes of all
// calls, are reported for the next process.
void CheckNext(const Report& report, const std::string& groups) {
  uint64_t operations = 0;
  for (const auto& [name, row] : report.tables.at("call")) {
    if (groups.find(row.group) != std::string::npos) {
      operations += row.Count("calls");
    }
  }
  const ReportRow next = report.OfPeer(Next());
  CHECK_EQ(next.Count("operations"), operations);
  CHECK_EQ(next.Count("bytes"), report.Sum("call", "bytes"));
  CHECK_EQ(report.tables.at("peer").size(), operations > 0 ? 1 : 0);
}

// Checks that all operations are requests to the next process, or replies to
// the previous process.
void CheckBoth(const Report& report, uint64_t requests, uint64_t sent,
               uint64_t replies_there, uint64_t replied) {
  const gex_Rank_t previous = (Me() + Size() - 1) % Size();
  if (previous == Next()) {
    requests += replies_there;
    sent += replied;
  } else {
    CHECK_EQ(report.OfPeer(previous).Count("operations"), replies_there);
    CHECK_EQ(report.OfPeer(previous).Count("bytes"), replied);
  }
  CHECK_EQ(report.OfPeer(Next()).Count("operations"), requests);
  CHECK_EQ(report.OfPeer(Next()).Count("bytes"), sent);
  CHECK_EQ(report.tables.at("peer").size(), previous == Next() ? 1 : 2);
}

void SplitTeam() {
  Begin();
  gex_TM_Split(&reversed, tm, 0, -static_cast<int>(Me()), nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  CHECK_EQ(gex_TM_TranslateRankToJobrank(reversed, NextThere()), Next());
  CheckCall(Since(), "gex_TM_Split", 'O', 1);
}

// Sends one request of each kind by each way to name the peer.
void Messages() {
  Begin();
  replies = 0;
  const struct {
    gex_TM_t team;
    gex_Rank_t rank;
  } kWays[] = {{tm, Next()}, {reversed, NextThere()}, {Pair(), Next()}};
  for (const auto& [team, rank] : kWays) {
    CHECK_EQ(gex_AM_RequestShort0(team, rank, kShort, 0), 0);
    CHECK_EQ(gex_AM_RequestMedium0(team, rank, kMedium, local, kPayload,
                                   GEX_EVENT_NOW, 0),
             0);
    CHECK_EQ(gex_AM_RequestLong0(team, rank, kLong, local, kPayload, There(),
                                 GEX_EVENT_NOW, 0),
             0);
  }
  GASNET_BLOCKUNTIL(replies == 9);
  gex_Coll_BarrierBlocking(tm, 0);
  const Report report = Since();
  CheckCall(report, "gex_AM_RequestShort", 'A', 3);
  CheckCall(report, "gex_AM_RequestMedium", 'A', 3, 3 * kPayload);
  CheckCall(report, "gex_AM_RequestLong", 'A', 3, 3 * kPayload);
  CheckCall(report, "gex_AM_ReplyShort", 'A', 6);
  CheckCall(report, "gex_AM_ReplyMedium", 'A', 3, 3 * kPayload);
  CheckCall(report, "gex_Coll_BarrierBlocking", 'B', 2);
  CHECK_EQ(report.Of("handler", std::to_string(kLong)).Count("bytes"),
           3 * kPayload);
  CheckBoth(report, 9, 6 * kPayload, 9, 3 * kPayload);
}

void Prepared() {
  Begin();
  replies = 0;
  for (const bool sends : {true, false, true}) {
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(
        reversed, NextThere(), nullptr, kMost, kMost, nullptr, 0, 0);
    if (sends) {
      gex_AM_CommitRequestMedium0(sd, kPrepared, kCommitted);
    } else {
      CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
    }
  }
  GASNET_BLOCKUNTIL(replies == 2);
  gex_Coll_BarrierBlocking(tm, 0);
  const Report report = Since();
  CheckCall(report, "gex_AM_PrepareRequestMedium", 'A', 3);
  CheckCall(report, "gex_AM_CommitRequestMedium", 'A', 2, 2 * kCommitted);
  CheckCall(report, "gex_AM_CancelRequestMedium", 'A', 1);
  CheckCall(report, "gex_AM_PrepareReplyMedium", 'A', 2);
  CheckCall(report, "gex_AM_CommitReplyMedium", 'A', 2, kCommitted);
  CHECK_EQ(report.Of("handler", std::to_string(kPrepared)).Count("bytes"),
           2 * kCommitted);
  CheckBoth(report, 2, 2 * kCommitted, 2, kCommitted);
}

void Transfers(size_t size) {
  Begin();
  CHECK_EQ(gex_RMA_PutBlocking(tm, Next(), There(), local, size, 0), 0);
  CHECK_EQ(gex_RMA_PutBlocking(reversed, NextThere(), There(), local, size, 0),
           0);
  CHECK_EQ(gex_RMA_GetBlocking(tm, local, Next(), There(), size + 1, 0), 0);
  gex_Event_Wait(gex_RMA_PutNB(reversed, NextThere(), There(), local, size + 2,
                               GEX_EVENT_DEFER, 0));
  gex_Event_Wait(
      gex_RMA_GetNB(reversed, local, NextThere(), There(), size + 3, 0));
  CHECK_EQ(gex_RMA_PutNBI(Pair(), Next(), There(), local, size + 4,
                          GEX_EVENT_DEFER, 0),
           0);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  CHECK_EQ(gex_RMA_GetNBI(reversed, local, NextThere(), There(), size + 5, 0),
           0);
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK_EQ(gex_RMA_PutBlockingVal(tm, Next(), There(), 7, 3, 0), 0);
  CHECK_EQ(gex_RMA_GetBlockingVal(tm, Next(), There(), 3, 0), 7);
  const Report report = Since();
  CheckAccess(report, "gex_RMA_PutBlocking", 'P', 2, 2 * size);
  CheckAccess(report, "gex_RMA_GetBlocking", 'G', 1, size + 1);
  CheckAccess(report, "gex_RMA_PutNB", 'P', 1, size + 2);
  CheckAccess(report, "gex_RMA_GetNB", 'G', 1, size + 3);
  CheckAccess(report, "gex_RMA_PutNBI", 'P', 1, size + 4);
  CheckAccess(report, "gex_RMA_GetNBI", 'G', 1, size + 5);
  CheckAccess(report, "gex_RMA_PutBlockingVal", 'P', 1, 3);
  CheckAccess(report, "gex_RMA_GetBlockingVal", 'G', 1, 3);
  CheckCall(report, "gex_Event_Wait", 'S', 2);
  CheckCall(report, "gex_NBI_Wait", 'S', 2);
  CheckNext(report, "PG");
}

const size_t* UnreadableCounts() {
  void* const page = mmap(nullptr, GASNET_PAGESIZE, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  return static_cast<const size_t*>(page);
}

void Pieces() {
  Begin();
  const gex_Memvec_t there[] = {{There(), 30}, {There() + 100, 12}};
  const gex_Memvec_t here[] = {{local, 42}};
  CHECK_EQ(
      gex_VIS_VectorPutBlocking(reversed, NextThere(), 2, there, 1, here, 0),
      0);
  gex_Event_Wait(gex_VIS_VectorGetNB(tm, 1, here, Next(), 2, there, 0));
  void* const places[] = {There(), There() + 50, There() + 100};
  void* const own[] = {local};
  CHECK_EQ(gex_VIS_IndexedPutNBI(tm, Next(), 3, places, 10, 1, own, 30, 0), 0);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  const ptrdiff_t strides[] = {16, -64};
  const size_t count[] = {3, 2};
  CHECK_EQ(
      gex_VIS_StridedPutBlocking(reversed, NextThere(), There() + 64, strides,
                                 local + 64, strides, 8, count, 2, 0),
      0);
  // A transfer of empty elements does not use the counts.
  CHECK_EQ(gex_VIS_StridedPutBlocking(tm, Next(), There(), strides, local,
                                      strides, 0, UnreadableCounts(), 1, 0),
           0);
  // A transfer without dimensions moves one element.
  CHECK_EQ(gex_VIS_StridedGetBlocking(tm, local, nullptr, Next(), There(),
                                      nullptr, 11, nullptr, 0, 0),
           0);
  const Report report = Since();
  CheckCall(report, "gex_VIS_VectorPutBlocking", 'P', 1, 42);
  CheckCall(report, "gex_VIS_VectorGetNB", 'G', 1, 42);
  CheckCall(report, "gex_VIS_IndexedPutNBI", 'P', 1, 30);
  CheckCall(report, "gex_VIS_StridedPutBlocking", 'P', 2, 48);
  CheckCall(report, "gex_VIS_StridedGetBlocking", 'G', 1, 11);
  CheckNext(report, "PG");
}

// Checks the counts of atomics. `add` is a parameter, because atomics with a
// constant operation would be inlined and not counted.
void Atomics(gex_OP_t add) {
  Begin();
  gex_AD_t integers;
  gex_AD_t reals;
  gex_AD_Create(&integers, reversed, GEX_DT_I64, GEX_OP_FADD | GEX_OP_ADD, 0);
  gex_AD_Create(&reals, tm, GEX_DT_DBL, GEX_OP_FADD, 0);
  int64_t integer = 0;
  double real = 0;
  gex_Event_Wait(gex_AD_OpNB_I64(integers, &integer, NextThere(), There(),
                                 GEX_OP_FADD & add, 1, 0, 0));
  gex_Event_Wait(gex_AD_OpNB_I64(integers, &integer, Next(), There(),
                                 GEX_OP_FADD & add, 1, 0,
                                 GEX_FLAG_RANK_IS_JOBRANK));
  CHECK_EQ(gex_AD_OpNBI_DBL(reals, &real, Next(), There() + 64, GEX_OP_FADD, 1,
                            0, 0),
           0);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  const Report report = Since();
  CheckCall(report, "gex_AD_Create", 'O', 2);
  CheckCall(report, "gex_AD_OpNB_I64", 'R', 2);
  CheckCall(report, "gex_AD_OpNBI_DBL", 'R', 1);
  CheckNext(report, "R");
  gex_Coll_BarrierBlocking(tm, 0);
  gex_AD_Destroy(integers);
  gex_AD_Destroy(reals);
}

void Collectives() {
  Begin();
  gex_Event_Wait(gex_Coll_BroadcastNB(reversed, 0, local, local, 100, 0));
  int64_t values[5] = {1, 2, 3, 4, 5};
  gex_Event_Wait(gex_Coll_ReduceToAllNB(tm, values, values, GEX_DT_I64, 8, 5,
                                        GEX_OP_ADD, nullptr, nullptr, 0));
  gex_Event_Wait(gex_Coll_ReduceToOneNB(tm, 0, values, values, GEX_DT_I64, 8, 3,
                                        GEX_OP_ADD, nullptr, nullptr, 0));
  gex_Event_Wait(gex_Coll_BarrierNB(reversed, 0));
  const Report report = Since();
  CheckCall(report, "gex_Coll_BroadcastNB", 'W', 1, 100);
  CheckCall(report, "gex_Coll_ReduceToAllNB", 'W', 1, 40);
  CheckCall(report, "gex_Coll_ReduceToOneNB", 'W', 1, 24);
  CheckCall(report, "gex_Coll_BarrierNB", 'B', 1);
  CheckCall(report, "gex_Event_Wait", 'S', 4);
  CHECK_EQ(report.Sum("call", "calls"), 9);
  CHECK(report.tables.at("peer").empty());
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, sizeof handlers / sizeof *handlers, kBytes);
  SplitTeam();
  Messages();
  Prepared();
  Transfers(argc > 100 ? 1 : 101);
  Pieces();
  Atomics(argc > 100 ? GEX_OP_GET : GEX_OP_FADD);
  Collectives();
  gex_Coll_BarrierBlocking(conformance::tm, 0);
  CHECK_EQ(gex_TM_Destroy(reversed, nullptr, 0), 0);
  return FinishJob();
}
