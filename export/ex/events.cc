// The C functions of gasnet/ex_event.h.
#include "export/ex/immediate.h"
#include "export/observed.h"
#include "extended/front.h"
#include "gasnetex.h"

namespace {
using gasnet::exported::Run;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using ExtendedFront = gasnet::extended::Front;
using gasnet::exported::RefuseImmediate;
using gasnet::extended::Parts;
using gasnet::extended::Serving;

// Returns the parts of an Iop that correspond to the categories. The category
// of messages needs no part, since a message's source is free when its call
// returns.
Parts PartsOf(gex_EC_t categories) {
  Parts parts = 0;
  if ((categories & GEX_EC_GET) != 0) parts |= gasnet::extended::kGets;
  if ((categories & GEX_EC_PUT) != 0) parts |= gasnet::extended::kPuts;
  if ((categories & GEX_EC_RMW) != 0) parts |= gasnet::extended::kRmws;
  if ((categories & GEX_EC_LC) != 0) parts |= gasnet::extended::kSources;
  return parts;
}
}  // namespace

extern "C" {

int gasneti_gex_Event_Test(gex_Event_t event) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEventTest, &gasneti_gex_Event_Test>(event);
  return !ExtendedFront::Try("gex_Event_Test", event, Serving::kNot);
}
void gex_Event_Wait(gex_Event_t event) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEventWait, &gex_Event_Wait>(event);
  ExtendedFront::Wait("gex_Event_Wait", event);
}
int gex_Event_TestSome(gex_Event_t* pevent, size_t numevents,
                       gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEventTestSome, &gex_Event_TestSome>(pevent, numevents,
                                                             flags);
  RefuseImmediate("gex_Event_TestSome", flags);
  return !ExtendedFront::TrySome("gex_Event_TestSome", pevent, numevents,
                                 Serving::kNot);
}
void gex_Event_WaitSome(gex_Event_t* pevent, size_t numevents,
                        gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEventWaitSome, &gex_Event_WaitSome>(pevent, numevents,
                                                             flags);
  RefuseImmediate("gex_Event_WaitSome", flags);
  ExtendedFront::WaitSome("gex_Event_WaitSome", pevent, numevents);
}
int gex_Event_TestAll(gex_Event_t* pevent, size_t numevents,
                      gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEventTestAll, &gex_Event_TestAll>(pevent, numevents,
                                                           flags);
  RefuseImmediate("gex_Event_TestAll", flags);
  return !ExtendedFront::TryAll("gex_Event_TestAll", pevent, numevents,
                                Serving::kNot);
}
void gex_Event_WaitAll(gex_Event_t* pevent, size_t numevents,
                       gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEventWaitAll, &gex_Event_WaitAll>(pevent, numevents,
                                                           flags);
  RefuseImmediate("gex_Event_WaitAll", flags);
  ExtendedFront::WaitAll("gex_Event_WaitAll", pevent, numevents);
}
gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t event_category) {
  return ExtendedFront::LeafOf("gex_Event_QueryLeaf", root,
                               PartsOf(event_category));
}

void gex_NBI_BeginAccessRegion(gex_Flags_t flags) {
  RefuseImmediate("gex_NBI_BeginAccessRegion", flags);
  ExtendedFront::BeginRegion("gex_NBI_BeginAccessRegion");
}
gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexNBIEndAccessRegion, &gex_NBI_EndAccessRegion>(flags);
  RefuseImmediate("gex_NBI_EndAccessRegion", flags);
  return ExtendedFront::EndRegion("gex_NBI_EndAccessRegion");
}
int gex_NBI_Test(gex_EC_t event_mask, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexNBITest, &gex_NBI_Test>(event_mask, flags);
  RefuseImmediate("gex_NBI_Test", flags);
  return !ExtendedFront::TryParts("gex_NBI_Test", PartsOf(event_mask));
}
void gex_NBI_Wait(gex_EC_t event_mask, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexNBIWait, &gex_NBI_Wait>(event_mask, flags);
  RefuseImmediate("gex_NBI_Wait", flags);
  ExtendedFront::WaitParts("gex_NBI_Wait", PartsOf(event_mask));
}

}  // extern "C"
