// A build with checks refuses handles of GASNet-EX that name no object, or an
// object that no longer exists (GASNet-EX, section 23): null handles, destroyed
// teams and domains, and events that were synced before. It also refuses
// scratch space outside of the segment.
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <string.h>

#include <atomic>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

// Discards a result. A call that is refused never returns one.
template <class T>
void Ignore(const T&) {}

// --- Null handles ---

void NoClient() { Ignore(gex_Client_QueryName(GEX_CLIENT_INVALID)); }
void NoClientData() { gex_Client_SetCData(GEX_CLIENT_INVALID, nullptr); }
void NoEndpoint() { Ignore(gex_EP_QuerySegment(GEX_EP_INVALID)); }
void NoEndpointToRegister() {
  Ignore(gex_EP_RegisterHandlers(GEX_EP_INVALID, nullptr, 0));
}
void NoEndpointOfPair() { Ignore(gex_TM_Pair(GEX_EP_INVALID, 0)); }
void NoSegment() { Ignore(gex_Segment_QueryAddr(GEX_SEGMENT_INVALID)); }
void NoTeam() { Ignore(gex_TM_QueryRank(GEX_TM_INVALID)); }
void NoDomain() { Ignore(gex_AD_QueryOps(GEX_AD_INVALID)); }
void NoDomainToDestroy() { gex_AD_Destroy(GEX_AD_INVALID); }
void NoToken() {
  Ignore(gex_Token_MaxReplyMedium(nullptr, GEX_EVENT_NOW, 0, 0));
}
void NoTokenToAsk() {
  gex_Token_Info_t info;
  Ignore(gex_Token_Info(nullptr, &info, GEX_TI_ALL));
}
void NoDescriptor() { Ignore(gex_AM_SrcDescSize(GEX_AM_SRCDESC_NO_OP)); }

// --- Destroyed objects. The team contains only this process. ---

gex_TM_t team;
gex_AD_t domain;

void DomainOfDestroyedTeam() {
  gex_TM_Destroy(team, nullptr, 0);
  gex_AD_Create(&domain, team, GEX_DT_I32, GEX_OP_ADD, 0);
}
void CollectiveOfDestroyedTeam() {
  gex_TM_Destroy(team, nullptr, 0);
  Ignore(gex_Coll_BarrierNB(team, 0));
}
void TeamWithDomain() {
  gex_AD_Create(&domain, team, GEX_DT_I32, GEX_OP_ADD, 0);
  gex_TM_Destroy(team, nullptr, 0);
}
void DestroyedDomain() {
  gex_AD_Create(&domain, team, GEX_DT_I32, GEX_OP_ADD, 0);
  gex_AD_Destroy(domain);
  Ignore(gex_AD_OpNB_I32(domain, nullptr, 0, SegmentOf(Me()), GEX_OP_ADD, 1, 0,
                         0));
}

// Syncs a barrier's event a second time. The other processes begin their part
// at a signal, so that the first barrier is not complete at once. Once this
// barrier is complete, the library reuses the event's memory for another
// collective.
enum { kGo = 200 };
std::atomic<bool> may_go{false};
void OnGo(gex_Token_t) { may_go = true; }

void SyncedCollective() {
  const gex_Event_t first = gex_Coll_BarrierNB(tm, 0);
  CHECK(first != GEX_EVENT_INVALID);
  CHECK_EQ(gex_AM_RequestShort0(tm, 1, kGo, 0), 0);
  gex_Event_Wait(first);
  for (int i = 0; i < 20; ++i) {
    gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  }
  const gex_Event_t last = gex_Coll_BarrierNB(tm, 0);
  Ignore(last);
  gex_Event_Wait(first);
}

// --- Scratch space ---

char outside[64];
void ScratchOutside() {
  gex_TM_Split(&team, tm, 0, 0, outside, sizeof outside, 0);
}
void NoScratch() { gex_TM_Split(&team, tm, 0, 0, nullptr, 0, 0); }

constexpr Case kCases[] = {
    {"no_client", NoClient},
    {"no_client_data", NoClientData},
    {"no_endpoint", NoEndpoint},
    {"no_endpoint_to_register", NoEndpointToRegister},
    {"no_endpoint_of_pair", NoEndpointOfPair},
    {"no_segment", NoSegment},
    {"no_team", NoTeam},
    {"no_domain", NoDomain},
    {"no_domain_to_destroy", NoDomainToDestroy},
    {"no_token", NoToken},
    {"no_token_to_ask", NoTokenToAsk},
    {"no_descriptor", NoDescriptor},
    {"domain_of_destroyed_team", DomainOfDestroyedTeam},
    {"collective_of_destroyed_team", CollectiveOfDestroyedTeam},
    {"team_with_domain", TeamWithDomain},
    {"destroyed_domain", DestroyedDomain},
    {"synced_collective", SyncedCollective},
    {"scratch_outside", ScratchOutside},
    {"no_scratch", NoScratch},
};

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kGo, OnGo, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0),
};

// Runs the part of the other processes.
void Follow(const char* name) {
  if (strcmp(name, "synced_collective") != 0) return;
  GASNET_BLOCKUNTIL(may_go);
  for (int i = 0; i < 22; ++i) Ignore(gex_Coll_BarrierNB(tm, 0));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 4096,
          GEX_FLAG_USES_GASNET1);
  // Each process has its own team. The process is the only member.
  gex_TM_Split(&team, conformance::tm, static_cast<int>(Me()), 0, nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  if (Me() != 0) Follow(argv[1]);
  RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
