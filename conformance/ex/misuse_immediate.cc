// Calls of GASNet-EX that do not accept GEX_FLAG_IMMEDIATE. A build with checks
// refuses the flag (GASNet-EX, sections 2.6, 14.3 and 16.1).
#include <gasnet_coll.h>
#include <gasnet_vis.h>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

constexpr gex_Flags_t kNow = GEX_FLAG_IMMEDIATE;
constexpr gex_AM_Index_t kReply = 200;

char source[64];
gex_Event_t none[] = {GEX_EVENT_INVALID};

void OnReply(gex_Token_t, void*, size_t) {}

// Discard a result. A call that is refused never returns one.
void Ignore(int) {}
void Ignore(gex_Event_t) {}

void CollBarrier() { Ignore(gex_Coll_BarrierNB(tm, kNow)); }
void CollBroadcast() {
  Ignore(gex_Coll_BroadcastNB(tm, 0, source, source, 8, kNow));
}
void Split() {
  gex_TM_t made;
  gex_TM_Split(&made, tm, 0, 0, nullptr, 0, GEX_FLAG_TM_NO_SCRATCH | kNow);
}
void Destroy() { Ignore(gex_TM_Destroy(tm, nullptr, kNow)); }
void TestSome() { Ignore(gex_Event_TestSome(none, 1, kNow)); }
void WaitAll() { gex_Event_WaitAll(none, 1, kNow); }
void TestImplicit() { Ignore(gex_NBI_Test(GEX_EC_ALL, kNow)); }
void WaitImplicit() { gex_NBI_Wait(GEX_EC_ALL, kNow); }
void BeginRegion() { gex_NBI_BeginAccessRegion(kNow); }
void EndRegion() {
  gex_NBI_BeginAccessRegion(0);
  Ignore(gex_NBI_EndAccessRegion(kNow));
}
void Cancel() {
  Ignore(gex_AM_CancelRequestMedium(
      gex_AM_PrepareRequestMedium(tm, 0, nullptr, 8, 8, nullptr, 0, 0), kNow));
}
void Arm(gex_Flags_t flags) {
  gex_VIS_SetPeerCompletionHandler(kReply, source, 8, flags);
}
void Armed() { Arm(kNow); }
const ptrdiff_t stride[] = {8};
const size_t count[] = {2};
void ArmedPut() {
  Arm(0);
  Ignore(gex_VIS_StridedPutNB(tm, 0, SegmentOf(0), stride, source, stride, 8,
                              count, 1, kNow));
}
void ArmedPutBlocking() {
  Arm(0);
  Ignore(gex_VIS_StridedPutBlocking(tm, 0, SegmentOf(0), stride, source, stride,
                                    8, count, 1, kNow));
}

constexpr Case kCases[] = {
    {"barrier", CollBarrier},
    {"broadcast", CollBroadcast},
    {"split", Split},
    {"destroy", Destroy},
    {"test_some", TestSome},
    {"wait_all", WaitAll},
    {"test_implicit", TestImplicit},
    {"wait_implicit", WaitImplicit},
    {"begin_region", BeginRegion},
    {"end_region", EndRegion},
    {"cancel", Cancel},
    {"arm", Armed},
    {"armed_put", ArmedPut},
    {"armed_put_blocking", ArmedPutBlocking},
};

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kReply, OnReply, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 4096);
  RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
