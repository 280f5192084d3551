// Calls that are legal anywhere: in handlers of requests and replies, while a
// lock is held, and between Prepare and Commit (GASNet-EX, section 2.2).
#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kRequest = 200, kReply };

gex_HSL_t lock = GEX_HSL_INITIALIZER;
std::atomic<int> handled{0};
int data;

void CallQueries() {
  CHECK_EQ(gasnet_mynode(), gex_System_QueryJobRank());
  CHECK_EQ(gasnet_nodes(), gex_System_QueryJobSize());
  gex_Client_t its_client;
  gex_EP_t its_ep;
  gex_TM_t its_tm;
  gex_Segment_t its_segment;
  gasnet_QueryGexObjects(&its_client, &its_ep, &its_tm, &its_segment);
  CHECK(its_client == client && its_ep == ep && its_tm == tm);
  CHECK(its_segment == segment);
  CHECK(gex_Client_QueryName(client) != nullptr);
  CHECK_EQ(gex_Client_QueryFlags(client) & GEX_FLAG_USES_GASNET1,
           GEX_FLAG_USES_GASNET1);
  CHECK(gex_Segment_QueryClient(segment) == client);
  CHECK_EQ(gex_Segment_QueryFlags(segment), 0);
  CHECK(gex_Segment_QueryAddr(segment) != nullptr);
  CHECK(gex_Segment_QuerySize(segment) > 0);
  CHECK(gex_EP_QueryClient(ep) == client);
  CHECK_EQ(gex_EP_QueryFlags(ep), 0);
  CHECK(gex_EP_QuerySegment(ep) == segment);
  CHECK_EQ(gex_EP_QueryIndex(ep), 0);
  CHECK(gex_TM_QueryClient(tm) == client);
  CHECK(gex_TM_QueryEP(tm) == ep);
  gex_TM_QueryFlags(tm);
  CHECK_EQ(gex_TM_QueryRank(tm), Me());
  CHECK_EQ(gex_TM_QuerySize(tm), Size());
  CHECK(gex_TM_Pair(ep, 0) == gex_TM_Pair(ep, 0));
  CHECK(gex_TM_Pair(ep, 0) != tm);
}

void CallSystem() {
  gex_RankInfo_t* info;
  gex_Rank_t count, mine, size, number;
  gex_System_QueryNbrhdInfo(&info, &count, &mine);
  CHECK_EQ(info[mine].gex_jobrank, Me());
  gex_System_QueryHostInfo(&info, &count, &mine);
  CHECK_EQ(info[mine].gex_jobrank, Me());
  gex_System_QueryMyPosition(&size, &number, &size, &number);
  gex_System_SetVerboseErrors(1);
  CHECK_EQ(gex_System_GetVerboseErrors(), 1);
  CHECK(gex_System_QueryMaxThreads() >= 1);
  gex_System_QueryHiddenAMConcurrencyLevel();
  gex_Client_SetCData(client, &data);
  CHECK(gex_Client_QueryCData(client) == &data);
  gex_EP_SetCData(ep, &data);
  CHECK(gex_EP_QueryCData(ep) == &data);
  gex_TM_SetCData(tm, &data);
  CHECK(gex_TM_QueryCData(tm) == &data);
  gex_Segment_SetCData(segment, &data);
  CHECK(gex_Segment_QueryCData(segment) == &data);
}

void CallLimits() {
  for (const gex_Rank_t rank : {Next(), GEX_RANK_INVALID}) {
    CHECK(gex_AM_MaxRequestMedium(tm, rank, GEX_EVENT_NOW, 0, 1) >= 512);
    CHECK(gex_AM_MaxReplyMedium(tm, rank, GEX_EVENT_NOW, 0, 1) >= 512);
    CHECK(gex_AM_MaxRequestLong(tm, rank, nullptr, 0, 1) >= 512);
    CHECK(gex_AM_MaxReplyLong(tm, rank, nullptr, 0, 1) >= 512);
  }
  // Runtimes expect limits of almost 64 KiB on every conduit.
  CHECK(gex_AM_LUBRequestMedium() >= 65000);
  CHECK(gex_AM_LUBReplyMedium() >= 65000);
  CHECK(gex_AM_LUBRequestLong() >= 512 && gex_AM_LUBReplyLong() >= 512);
  CHECK_EQ(gex_AM_MaxArgs(), gasnet_AMMaxArgs());
  uintptr_t bytes = 0;
  const gex_Event_t event = gex_EP_QueryBoundSegmentNB(
      tm, Me(), nullptr, nullptr, &bytes, GEX_FLAG_IMMEDIATE);
  CHECK(event == GEX_EVENT_INVALID && bytes > 0);
  // This call may return GEX_EVENT_NO_OP: the answer for another process need
  // not be known yet.
  const gex_Event_t other = gex_EP_QueryBoundSegmentNB(
      tm, Next(), nullptr, nullptr, nullptr, GEX_FLAG_IMMEDIATE);
  CHECK(other == GEX_EVENT_INVALID || other == GEX_EVENT_NO_OP);
}

// Calls the lock functions. Locks may nest if they are released in reverse
// order.
void CallLocks() {
  gex_HSL_t inner;
  gex_HSL_Init(&inner);
  gex_HSL_Lock(&inner);
  gex_HSL_Unlock(&inner);
  CHECK_OK(gex_HSL_Trylock(&inner));
  gex_HSL_Unlock(&inner);
  gex_HSL_Destroy(&inner);
}

void CallAny() {
  CallQueries();
  CallSystem();
  CallLimits();
  CallLocks();
}

void CallAnyWithLock() {
  gex_HSL_Lock(&lock);
  CallAny();
  gex_HSL_Unlock(&lock);
}

void CallWithToken(gex_Token_t token) {
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_ALL);
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_EQ(info.gex_srcrank, source);
}

void OnRequest(gex_Token_t token, void*, size_t bytes) {
  CallAny();
  CallAnyWithLock();
  gex_HSL_Lock(&lock);
  CallWithToken(token);
  CHECK(gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 0) >= 512);
  CHECK(gex_Token_MaxReplyLong(token, GEX_EVENT_NOW, 0, 0) >= 512);
  gex_HSL_Unlock(&lock);
  const gex_AM_SrcDesc_t sd =
      gex_AM_PrepareReplyMedium(token, nullptr, bytes, bytes, nullptr, 0, 0);
  CallAny();
  CallAnyWithLock();
  CallWithToken(token);
  FillPattern(gex_AM_SrcDescAddr(sd), bytes, 2);
  CHECK_EQ(gex_AM_SrcDescSize(sd), bytes);
  gex_AM_CommitReplyMedium(sd, kReply, bytes);
}
void OnReply(gex_Token_t token, void* buffer, size_t bytes) {
  CHECK_PATTERN(buffer, bytes, 2);
  CallAny();
  CallAnyWithLock();
  CallWithToken(token);
  ++handled;
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kRequest, OnRequest, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST,
               0),
    EX_HANDLER(kReply, OnReply, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  constexpr size_t kBytes = 700;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 4096,
          GEX_FLAG_USES_GASNET1);
  Barrier();
  CallAny();
  CallAnyWithLock();
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    const gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(
        conformance::tm, peer, nullptr, kBytes, kBytes, nullptr, 0, 0);
    CallAny();
    CallAnyWithLock();
    FillPattern(gex_AM_SrcDescAddr(sd), kBytes, 1);
    gex_AM_CommitRequestMedium(sd, kRequest, kBytes);
  }
  GASNET_BLOCKUNTIL(handled == static_cast<int>(Size()));
  return FinishJob();
}
