// Programs that use both interfaces, and begin with either one. The interfaces
// share their objects, handlers, events, access regions, locks and barriers
// (GASNet-EX, section 1.9). The argument selects the interface that
// the program begins with.
#include <string.h>

#include <atomic>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kOld = 150, kOldReply, kNew = 160, kNewReply };

constexpr size_t kBytes = 50000;

std::atomic<int> handled{0}, replied{0};

void OnOld(gasnet_token_t token, gasnet_handlerarg_t key) {
  CHECK_EQ(key, -3);
  gex_Token_Info_t info;
  const gex_TI_t valid =
      gex_Token_Info(token, &info, GEX_TI_SRCRANK | GEX_TI_EP);
  CHECK_EQ(valid & (GEX_TI_SRCRANK | GEX_TI_EP), GEX_TI_SRCRANK | GEX_TI_EP);
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_EQ(info.gex_srcrank, source);
  CHECK(info.gex_ep == ep);
  CHECK_EQ(gex_AM_ReplyShort1(token, kNewReply, 0, key - 1), 0);
  ++handled;
}
void OnNew(gex_Token_t token, gex_AM_Arg_t key) {
  CHECK_EQ(key, -5);
  CHECK_OK(gasnet_AMReplyShort1(token, kOldReply, key - 1));
  ++handled;
}
void OnOldReply(gasnet_token_t, gasnet_handlerarg_t key) {
  CHECK_EQ(key, -6);
  ++replied;
}
void OnNewReply(gex_Token_t, gex_AM_Arg_t key) {
  CHECK_EQ(key, -4);
  ++replied;
}

gex_AM_Entry_t new_handlers[] = {
    EX_HANDLER(kNew, OnNew, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1),
    EX_HANDLER(kNewReply, OnNewReply, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1),
};
gasnet_handlerentry_t old_handlers[] = {HANDLER(kOld, OnOld),
                                        HANDLER(kOldReply, OnOldReply)};

// Registers the handlers of the old interface through GASNet-EX. This program
// does not call gasnet_attach.
gex_AM_Entry_t old_handlers_anew[] = {
    EX_HANDLER(kOld, OnOld, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1),
    EX_HANDLER(kOldReply, OnOldReply, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1),
};

constexpr size_t RoundUp(size_t bytes) {
  return (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
}

void StartOld(int* argc, char*** argv) {
  CHECK_OK(gasnet_init(argc, argv));
  gasnet_QueryGexObjects(&client, &ep, &tm, &segment);
  CHECK(client != GEX_CLIENT_INVALID && ep != GEX_EP_INVALID);
  CHECK(tm != GEX_TM_INVALID && segment == GEX_SEGMENT_INVALID);
  CHECK(gex_EP_QuerySegment(ep) == GEX_SEGMENT_INVALID);
  CHECK_OK(gasnet_attach(old_handlers, COUNT_OF(old_handlers),
                         RoundUp(2 * kBytes), 0));
  CHECK_OK(gex_EP_RegisterHandlers(ep, new_handlers, COUNT_OF(new_handlers)));
  gex_AM_Entry_t taken[] = {
      EX_HANDLER(kOld, OnNew, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1)};
  gex_System_SetVerboseErrors(0);
  CHECK(gex_EP_RegisterHandlers(ep, taken, 1) != GASNET_OK);
}

void StartNew(int* argc, char*** argv) {
  CHECK_OK(gex_Client_Init(&client, &ep, &tm, "HYBRID", argc, argv,
                           GEX_FLAG_USES_GASNET1));
  CHECK_OK(gex_EP_RegisterHandlers(ep, new_handlers, COUNT_OF(new_handlers)));
  CHECK_OK(gex_EP_RegisterHandlers(ep, old_handlers_anew,
                                   COUNT_OF(old_handlers_anew)));
  CHECK_OK(gex_Segment_Attach(&segment, tm, RoundUp(2 * kBytes)));
}

void CheckObjects() {
  gex_Client_t its_client;
  gex_EP_t its_ep;
  gex_TM_t its_tm;
  gex_Segment_t its_segment;
  gasnet_QueryGexObjects(&its_client, &its_ep, &its_tm, &its_segment);
  CHECK(its_client == client && its_ep == ep && its_tm == tm);
  segment = gex_EP_QuerySegment(ep);
  CHECK(its_segment == segment);
  gasnet_QueryGexObjects(nullptr, nullptr, nullptr, nullptr);
  CHECK_EQ(gex_Client_QueryFlags(client) & GEX_FLAG_USES_GASNET1,
           GEX_FLAG_USES_GASNET1);
  CHECK_EQ(gasnet_mynode(), Me());
  CHECK_EQ(gasnet_nodes(), Size());
  gasnet_seginfo_t info[64];
  CHECK_OK(gasnet_getSegmentInfo(info, 64));
  CHECK(info[Me()].addr == gex_Segment_QueryAddr(segment));
  CHECK_EQ(info[Me()].size, gex_Segment_QuerySize(segment));
  CHECK(SegmentOf(Next()) == info[Next()].addr);
}

void SendBoth() {
  CHECK_OK(gasnet_AMRequestShort1(Next(), kOld, -3));
  CHECK_EQ(gex_AM_RequestShort1(tm, Next(), kOld, 0, -3), 0);
  CHECK_OK(gasnet_AMRequestShort1(Next(), kNew, -5));
  CHECK_EQ(gex_AM_RequestShort1(tm, Next(), kNew, 0, -5), 0);
  GASNET_BLOCKUNTIL(handled == 4 && replied == 4);
}

char out[kBytes], in[kBytes];
uint32_t key = 0;

char* There() { return SegmentOf(Next()); }

void Spoil() {
  FillPattern(out, kBytes, ++key);
  memset(in, 0, kBytes);
}

void CrossHandles() {
  Spoil();
  gex_Event_Wait(gasnet_put_nb_bulk(Next(), There(), out, kBytes));
  gasnet_handle_t handle = gex_RMA_GetNB(tm, in, Next(), There(), kBytes, 0);
  gasnet_wait_syncnb(handle);
  CHECK_PATTERN(in, kBytes, key);

  Spoil();
  handle = gex_RMA_PutNB(tm, Next(), There(), out, kBytes, GEX_EVENT_DEFER, 0);
  while (gasnet_try_syncnb(handle) != GASNET_OK) CHECK_OK(gasnet_AMPoll());
  gex_Event_t event = gasnet_get_nb_bulk(in, Next(), There(), kBytes);
  gex_Event_WaitAll(&event, 1, 0);
  CHECK_PATTERN(in, kBytes, key);
}

// Starts implicit operations by one interface, and waits for them by the other.
void CrossImplicit() {
  Spoil();
  gasnet_put_nbi_bulk(Next(), There(), out, kBytes);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  CHECK_EQ(gex_RMA_GetNBI(tm, in, Next(), There(), kBytes, 0), 0);
  gasnet_wait_syncnbi_gets();
  CHECK_PATTERN(in, kBytes, key);

  Spoil();
  gasnet_begin_nbi_accessregion();
  CHECK_EQ(gex_RMA_PutNBI(tm, Next(), There(), out, kBytes, GEX_EVENT_DEFER, 0),
           0);
  gex_Event_Wait(gex_NBI_EndAccessRegion(0));
  gex_NBI_BeginAccessRegion(0);
  gasnet_get_nbi_bulk(in, Next(), There(), kBytes);
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  CHECK_PATTERN(in, kBytes, key);

  Spoil();
  gasnet_put_bulk(Next(), There(), out, kBytes);
  CHECK_EQ(gex_RMA_GetBlocking(tm, in, Next(), There(), kBytes, 0), 0);
  CHECK_PATTERN(in, kBytes, key);
  gasnet_put_val(Next(), There(), 0x1234, 2);
  CHECK_EQ(gex_RMA_GetBlockingVal(tm, Next(), There(), 2, 0), 0x1234);
}

void CrossLocks() {
  gasnet_hsl_t lock = GEX_HSL_INITIALIZER;
  gex_HSL_Lock(&lock);
  gasnet_hsl_unlock(&lock);
  CHECK_OK(gasnet_hsl_trylock(&lock));
  gex_HSL_Unlock(&lock);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  if (strcmp(argv[1], "gasnet_init") == 0) {
    StartOld(&argc, &argv);
  } else {
    StartNew(&argc, &argv);
  }
  FindSegments();
  CheckObjects();
  Barrier();
  SendBoth();
  Barrier();
  CrossHandles();
  CrossImplicit();
  CrossLocks();
  return FinishJob();
}
