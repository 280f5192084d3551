// The forms of the calls of gasnet/ex_vis.h: blocking, with an event, or
// implicit. A put with a peer completion handler is always complete when its
// call returns.
#ifndef EXPORT_EX_VIS_CALLS_H_
#define EXPORT_EX_VIS_CALLS_H_

#include "base/log.h"
#include "export/ex/immediate.h"
#include "export/ex/peers.h"
#include "extended/target.h"
#include "gasnetex.h"
#include "vis/front.h"
#include "vis/peer_completion.h"

namespace gasnet::exported {

using VisBlocking = vis::VisFront<vis::Blocking>;
using VisExplicit = vis::VisFront<vis::Explicit>;
using VisImplicit = vis::VisFront<vis::Implicit>;

inline extended::Target VisTargetOf(const char* call, gex_TM_t tm,
                                    gex_Rank_t rank) {
  return TargetOf(call, tm, rank, GEX_EP_CAPABILITY_VIS);
}

// Puts, waits for the put, and then sends the message that runs the peer
// completion handler.
template <class... Sides>
void PutArmed(const char* call, extended::Target target, gex_Flags_t flags,
              const Sides&... sides) {
  RefuseImmediate(call, flags);
  if (target.endpoint != 0) {
    Fatal(
        "%s: gex_VIS_SetPeerCompletionHandler was called before, and the put "
        "goes to endpoint %u; its message goes to primordial endpoints",
        call, target.endpoint);
  }
  VisBlocking::Put(call, target, sides...);
  vis::SendPeerCompletion(target.node);
}

template <class... Sides>
int PutBlocking(const char* call, extended::Target target, gex_Flags_t flags,
                const Sides&... sides) {
  Start start(flags);
  if (vis::IsArmed()) {
    PutArmed(call, target, flags, sides...);
  } else {
    VisBlocking::Put(call, target, sides..., start.attempt());
  }
  return start.Code();
}
template <class... Sides>
gex_Event_t PutNB(const char* call, extended::Target target, gex_Flags_t flags,
                  const Sides&... sides) {
  Start start(flags);
  if (!vis::IsArmed())
    return start.Event(
        VisExplicit::Put(call, target, sides..., start.attempt()));
  PutArmed(call, target, flags, sides...);
  return GEX_EVENT_INVALID;
}
template <class... Sides>
int PutNBI(const char* call, extended::Target target, gex_Flags_t flags,
           const Sides&... sides) {
  Start start(flags);
  if (vis::IsArmed()) {
    PutArmed(call, target, flags, sides...);
  } else {
    VisImplicit::Put(call, target, sides..., start.attempt());
  }
  return start.Code();
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_VIS_CALLS_H_
