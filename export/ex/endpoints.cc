// The C functions of gasnet/ex_endpoint.h that concern endpoints.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "base/log.h"
#include "core/endpoint_index.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "core/thread/rules.h"
#include "ex/client.h"
#include "ex/publication.h"
#include "export/ex/objects.h"
#include "export/ex/out_argument.h"
#include "export/ex/peers.h"
#include "export/ex/refusal.h"
#include "export/ex/team_of.h"
#include "export/job_functions.h"
#include "export/observed.h"
#include "extended/argument_checks.h"
#include "gasnetex.h"

namespace {
using gasnet::Fatal;
using gasnet::RequireAttached;
using gasnet::ex::Client;
using gasnet::exported::CheckedEndpoint;
using gasnet::exported::CheckEndpoint;
using gasnet::exported::CheckSegment;
using gasnet::exported::Refuse;
using gasnet::exported::Run;
using gasnet::exported::Set;
using gasnet::exported::TargetOf;
using gasnet::extended::CheckCall;
using gasnet::extended::Target;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;

static_assert(GASNET_MAXEPS == gasnet::kMaxEndpoints);

// A segment that this process knows. there: its address at the owner. here: its
// address in this process. size: its bytes.
struct KnownSegment {
  void* there = nullptr;
  void* here = nullptr;
  uintptr_t size = 0;
};
KnownSegment FindBound(Target target) {
  const bool is_first = target.endpoint == 0;
  if (is_first && !gasnet::exported::JobFunctions::IsSegmentAttached())
    return {};
  const gasnet::Segment segment =
      is_first ? gasnet::runtime->segments()[target.node]
               : gasnet::runtime->further_segments().Published(target.node,
                                                               target.endpoint);
  if (segment.size == 0) return {};
  void* const there = reinterpret_cast<void*>(segment.base);
  if (is_first) {
    return {there, gasnet::runtime->peers()[target.node].Find(there),
            segment.size};
  }
  const bool is_mine = target.node == gasnet::runtime->job().rank();
  return {there, is_mine ? there : nullptr, segment.size};
}

bool IsLegal(const char* call, gex_EP_t ep, gex_Segment_t segment,
             gex_Flags_t flags) {
  const char* why = nullptr;
  if (ep == GEX_EP_INVALID) {
    why = "the endpoint is GEX_EP_INVALID";
  } else if (segment == GEX_SEGMENT_INVALID) {
    why = "the segment is GEX_SEGMENT_INVALID";
  } else if (flags != 0) {
    why = "flags must be 0";
  } else if (ep->index == 0) {
    why = "only gex_Segment_Attach gives the primordial endpoint a segment";
  } else if (ep->segment.load() != nullptr) {
    why = "the endpoint already has a segment";
  } else {
    return true;
  }
  Refuse(GASNET_ERR_BAD_ARG, "%s: %s", call, why);
  return false;
}
}  // namespace

extern "C" {

gex_Client_t gex_EP_QueryClient(gex_EP_t ep) {
  return &CheckedEndpoint("gex_EP_QueryClient", ep).client;
}
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep) {
  return CheckedEndpoint("gex_EP_QueryFlags", ep).flags;
}
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep) {
  return CheckedEndpoint("gex_EP_QuerySegment", ep)
      .segment.load(std::memory_order_acquire);
}
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep) {
  return CheckedEndpoint("gex_EP_QueryIndex", ep).index;
}
void gex_EP_SetCData(gex_EP_t ep, const void* val) {
  CheckedEndpoint("gex_EP_SetCData", ep).data.Set(val);
}
void* gex_EP_QueryCData(gex_EP_t ep) {
  return CheckedEndpoint("gex_EP_QueryCData", ep).data.Get();
}

int gex_EP_Create(gex_EP_t* ep_p, gex_Client_t client,
                  gex_EP_Capabilities_t capabilities, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEPCreate, &gex_EP_Create>(ep_p, client, capabilities,
                                                   flags);
  constexpr char kCall[] = "gex_EP_Create";
  CheckCall(kCall);
  if ((capabilities & ~GEX_EP_CAPABILITY_ALL) != 0) {
    return Refuse(
        GASNET_ERR_BAD_ARG,
        "%s: capabilities 0x%x are unknown; GEX_EP_CAPABILITY_ALL is 0x%x",
        kCall, static_cast<unsigned>(capabilities & ~GEX_EP_CAPABILITY_ALL),
        static_cast<unsigned>(GEX_EP_CAPABILITY_ALL));
  }
  if ((flags & ~GEX_FLAG_HINT_ACCEL_ALL) != 0) {
    return Refuse(GASNET_ERR_BAD_ARG,
                  "%s: flags are 0x%x; they may be GEX_FLAG_HINT_ACCEL_*",
                  kCall, static_cast<unsigned>(flags));
  }
  gasneti_ep* const made = Client::Mine().MakeEndpoint(capabilities, flags);
  if (made == nullptr) {
    return Refuse(GASNET_ERR_RESOURCE,
                  "%s: a process has at most %d endpoints (GASNET_MAXEPS)",
                  kCall, GASNET_MAXEPS);
  }
  *ep_p = made;
  return GASNET_OK;
}

void gex_EP_Destroy(gex_EP_t ep, gex_Flags_t flags) {
  constexpr char kCall[] = "gex_EP_Destroy";
  CheckCall(kCall);
  CheckEndpoint(kCall, ep);
  if (flags != 0) {
    Fatal("%s: flags are 0x%x; they must be 0", kCall,
          static_cast<unsigned>(flags));
  }
  if (ep->index == 0) {
    Fatal("%s: the primordial endpoint cannot be destroyed", kCall);
  }
  if (const unsigned teams = ep->teams.load(); teams > 0) {
    Fatal("%s: endpoint %u is in %u teams; destroy them first", kCall,
          ep->index, teams);
  }
  Client::Mine().End(*ep);
}

int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t* table,
                            size_t numentries) {
  constexpr char kCall[] = "gex_EP_RegisterHandlers";
  CheckCall(kCall);
  CheckEndpoint(kCall, ep);
  if (ep->dispatcher == nullptr) {
    return Refuse(GASNET_ERR_BAD_ARG,
                  "%s: endpoint %u was made without GEX_EP_CAPABILITY_AM",
                  kCall, ep->index);
  }
  const absl::Status registered =
      ep->entries.Register({table, numentries}, ep->dispatcher->handlers());
  if (registered.ok()) return GASNET_OK;
  return Refuse(registered.code() == absl::StatusCode::kInvalidArgument
                    ? GASNET_ERR_BAD_ARG
                    : GASNET_ERR_RESOURCE,
                "%s: %s", kCall, std::string(registered.message()).c_str());
}

int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEPBindSegment, &gex_EP_BindSegment>(ep, segment,
                                                             flags);
  constexpr char kCall[] = "gex_EP_BindSegment";
  CheckCall(kCall);
  if (ep != GEX_EP_INVALID) CheckEndpoint(kCall, ep);
  if (segment != GEX_SEGMENT_INVALID) CheckSegment(kCall, segment);
  if (!IsLegal(kCall, ep, segment, flags)) return GASNET_ERR_BAD_ARG;
  Client::Bind(*ep, segment);
  return GASNET_OK;
}

// Publishes segments. Even a process with an invalid argument takes part, so
// that the other processes do not wait forever.
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t* eps, size_t num_eps,
                               gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEPPublishBoundSegment, &gex_EP_PublishBoundSegment>(
        tm, eps, num_eps, flags);
  constexpr char kCall[] = "gex_EP_PublishBoundSegment";
  gasnet::ex::ExTeam& team = gasnet::exported::TeamOf(kCall, tm);
  gasnet::thread::RequireMayCommunicate(kCall);
  const std::span all(eps, num_eps);
  const bool legal =
      flags == 0 && std::ranges::find(all, GEX_EP_INVALID) == all.end();
  gasnet::ex::Publication publication(kCall);
  for (const gex_EP_t ep : legal ? all : std::span<gex_EP_t>()) {
    CheckEndpoint(kCall, ep);
    publication.Add(*ep);
  }
  publication.Publish(team);
  if (legal) return GASNET_OK;
  return Refuse(GASNET_ERR_BAD_ARG, "%s: %s", kCall,
                flags != 0 ? "flags must be 0"
                           : "one of the endpoints is GEX_EP_INVALID");
}

// Reports a bound segment, or none if the segment was not published to this
// process. The call never asks the segment's owner.
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank,
                                       void** owneraddr_p, void** localaddr_p,
                                       uintptr_t* size_p, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexEPQueryBoundSegmentNB, &gex_EP_QueryBoundSegmentNB>(
        tm, rank, owneraddr_p, localaddr_p, size_p, flags);
  constexpr char kCall[] = "gex_EP_QueryBoundSegmentNB";
  RequireAttached(kCall);
  if ((flags & GEX_FLAG_IMMEDIATE) == 0) {
    gasnet::thread::RequireMayCommunicate(kCall);
  }
  const KnownSegment bound = FindBound(TargetOf(kCall, tm, rank, 0));
  Set(owneraddr_p, bound.there);
  Set(localaddr_p, bound.here);
  Set(size_p, bound.size);
  return GEX_EVENT_INVALID;
}
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void** owneraddr_p,
                           void** localaddr_p, uintptr_t* size_p) {
  constexpr char kCall[] = "gex_Segment_QueryBound";
  CheckCall(kCall);
  const KnownSegment bound = FindBound(TargetOf(kCall, tm, rank, 0));
  if (bound.size == 0) return 1;
  Set(owneraddr_p, bound.there);
  Set(localaddr_p, bound.here);
  Set(size_p, bound.size);
  return 0;
}

}  // extern "C"
