// The C functions of gasnet/ex_job.h, ex_endpoint.h and ex_hybrid.h.
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "base/env.h"
#include "base/log.h"
#include "base/round_up.h"
#include "core/phase.h"
#include "core/runtime/conduit.h"
#include "core/runtime/runtime.h"
#include "core/thread/rules.h"
#include "ex/client.h"
#include "export/ex/checked_object.h"
#include "export/ex/peers.h"
#include "export/ex/refusal.h"
#include "export/job_functions.h"
#include "export/linked_library.h"
#include "gasnet.h"
#include "gasnet_mk.h"

namespace {
using JobFunctions = gasnet::exported::JobFunctions;
using gasnet::RequireAttached;
using gasnet::RequireInitialised;
using gasnet::ex::Client;
using gasnet::ex::Neighbours;
using gasnet::exported::CheckedObject;
using gasnet::exported::NodeOf;
using gasnet::exported::Refuse;

template <class T>
void Set(T* to, const T& value) {
  if (to != nullptr) *to = value;
}

gasneti_client& CheckedClient(const char* call, gex_Client_t client) {
  return CheckedObject(call, "client", client);
}
gasneti_ep& CheckedEndpoint(const char* call, gex_EP_t ep) {
  return CheckedObject(call, "endpoint", ep);
}
gasneti_segment& CheckedSegment(const char* call, gex_Segment_t segment) {
  return CheckedObject(call, "segment", segment);
}

void SetObjects(gex_Client_t* client, gex_EP_t* endpoint, gex_TM_t* tm) {
  Client& mine = Client::Mine();
  Set<gex_Client_t>(client, &mine.client());
  Set<gex_EP_t>(endpoint, &mine.endpoint());
  Set<gex_TM_t>(tm, &gasneti_tm_all);
}

void TellGroup(const Neighbours::Group& group, gex_RankInfo_t** info,
               gex_Rank_t* count, gex_Rank_t* my_index) {
  Set<gex_RankInfo_t*>(info, group.ranks.data());
  Set(count, static_cast<gex_Rank_t>(group.ranks.size()));
  Set(my_index, group.my_index);
}

// A segment that is known: that of a primordial endpoint, from the end of
// gex_Segment_Attach on.
struct Bound {
  void* there = nullptr;
  void* here = nullptr;
  uintptr_t size = 0;
};
Bound FindBound(gasnet::Rank node) {
  if (!JobFunctions::IsSegmentAttached()) return {};
  const gasnet::Segment& segment = gasnet::runtime->segments()[node];
  if (segment.size == 0) return {};
  void* const there = reinterpret_cast<void*>(segment.base);
  return {there, gasnet::runtime->peers()[node].Find(there), segment.size};
}

int RefuseEndpoint(const char* call, gex_EP_t ep) {
  return Refuse(GASNET_ERR_BAD_ARG,
                "%s: %s; only gex_Segment_Attach gives the primordial endpoint "
                "a segment, and there is no other endpoint",
                call,
                ep == GEX_EP_INVALID ? "the endpoint is GEX_EP_INVALID"
                                     : "the endpoint is primordial");
}
}  // namespace

extern "C" {

int gasneti_core_client_init(gex_Client_t* client_p, gex_EP_t* ep_p,
                             gex_TM_t* tm_p, const char* name, int* argc,
                             char*** argv, gex_Flags_t flags,
                             const gasnet::Conduit* conduit,
                             const char* config) {
  const int result = JobFunctions::InitClient(
      config, name == nullptr ? "" : name, flags,
      [=] { return gasnet::Runtime::Start(*conduit, argc, argv, config); });
  if (result == GASNET_OK) SetObjects(client_p, ep_p, tm_p);
  return result;
}
void gasnet_QueryGexObjects(gex_Client_t* client_p, gex_EP_t* endpoint_p,
                            gex_TM_t* tm_p, gex_Segment_t* segment_p) {
  RequireInitialised("gasnet_QueryGexObjects");
  SetObjects(client_p, endpoint_p, tm_p);
  Set(segment_p, Client::Mine().endpoint().segment.load());
}

gex_Flags_t gex_Client_QueryFlags(gex_Client_t client) {
  return CheckedClient("gex_Client_QueryFlags", client).flags;
}
const char* gex_Client_QueryName(gex_Client_t client) {
  return CheckedClient("gex_Client_QueryName", client).name.c_str();
}
void gex_Client_SetCData(gex_Client_t client, const void* val) {
  CheckedClient("gex_Client_SetCData", client).data.Set(val);
}
void* gex_Client_QueryCData(gex_Client_t client) {
  return CheckedClient("gex_Client_QueryCData", client).data.Get();
}

int gex_System_GetVerboseErrors(void) {
  RequireInitialised("gex_System_GetVerboseErrors");
  return Client::Mine().verbose_errors().load();
}
void gex_System_SetVerboseErrors(int enable) {
  RequireInitialised("gex_System_SetVerboseErrors");
  Client::Mine().verbose_errors().store(enable != 0);
}
uint64_t gex_System_QueryMaxThreads(void) {
  RequireInitialised("gex_System_QueryMaxThreads");
  return Client::Mine().max_threads();
}
int gex_System_QueryHiddenAMConcurrencyLevel(void) {
  RequireInitialised("gex_System_QueryHiddenAMConcurrencyLevel");
  return Client::Mine().hidden_threads();
}
void gex_System_QueryNbrhdInfo(gex_RankInfo_t** info_p,
                               gex_Rank_t* info_count_p,
                               gex_Rank_t* my_info_index_p) {
  RequireInitialised("gex_System_QueryNbrhdInfo");
  TellGroup(Client::Mine().neighbours().neighbourhood(), info_p, info_count_p,
            my_info_index_p);
}
void gex_System_QueryHostInfo(gex_RankInfo_t** info_p, gex_Rank_t* info_count_p,
                              gex_Rank_t* my_info_index_p) {
  RequireInitialised("gex_System_QueryHostInfo");
  TellGroup(Client::Mine().neighbours().host(), info_p, info_count_p,
            my_info_index_p);
}
void gex_System_QueryMyPosition(gex_Rank_t* nbrhd_set_size_p,
                                gex_Rank_t* nbrhd_set_rank_p,
                                gex_Rank_t* host_set_size_p,
                                gex_Rank_t* host_set_rank_p) {
  RequireInitialised("gex_System_QueryMyPosition");
  const Neighbours& mine = Client::Mine().neighbours();
  Set(nbrhd_set_size_p, mine.neighbourhood().groups);
  Set(nbrhd_set_rank_p, mine.neighbourhood().my_group);
  Set(host_set_size_p, mine.host().groups);
  Set(host_set_rank_p, mine.host().my_group);
}
// The library has no threads that a client could start.
int gex_System_QueryProgressThreads(gex_Client_t client, unsigned* count_p,
                                    const gex_ProgressThreadInfo_t** info_p,
                                    gex_Flags_t flags) {
  constexpr char kCall[] = "gex_System_QueryProgressThreads";
  RequireInitialised(kCall);
  if (count_p == nullptr || info_p == nullptr || flags != 0) {
    return Refuse(GASNET_ERR_BAD_ARG, "%s: %s", kCall,
                  flags != 0 ? "flags must be 0" : "a pointer is NULL");
  }
  if ((CheckedClient(kCall, client).flags & GEX_FLAG_DEFER_THREADS) == 0) {
    return Refuse(GASNET_ERR_RESOURCE,
                  "%s: the client was made without GEX_FLAG_DEFER_THREADS",
                  kCall);
  }
  *count_p = 0;
  *info_p = nullptr;
  return GASNET_OK;
}

gex_Client_t gex_EP_QueryClient(gex_EP_t ep) {
  return &CheckedEndpoint("gex_EP_QueryClient", ep).client;
}
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep) {
  CheckedEndpoint("gex_EP_QueryFlags", ep);
  return 0;
}
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep) {
  return CheckedEndpoint("gex_EP_QuerySegment", ep)
      .segment.load(std::memory_order_acquire);
}
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep) {
  CheckedEndpoint("gex_EP_QueryIndex", ep);
  return 0;
}
void gex_EP_SetCData(gex_EP_t ep, const void* val) {
  CheckedEndpoint("gex_EP_SetCData", ep).data.Set(val);
}
void* gex_EP_QueryCData(gex_EP_t ep) {
  return CheckedEndpoint("gex_EP_QueryCData", ep).data.Get();
}

int gex_EP_Create(gex_EP_t* /*ep_p*/, gex_Client_t /*client*/,
                  gex_EP_Capabilities_t capabilities, gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_EP_Create";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  if ((capabilities & ~GEX_EP_CAPABILITY_ALL) != 0) {
    return Refuse(GASNET_ERR_BAD_ARG, "%s: capabilities 0x%x are unknown",
                  kCall,
                  static_cast<unsigned>(capabilities & ~GEX_EP_CAPABILITY_ALL));
  }
  return Refuse(GASNET_ERR_RESOURCE,
                "%s: a process has at most %d endpoint (GASNET_MAXEPS)", kCall,
                GASNET_MAXEPS);
}
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t* table,
                            size_t numentries) {
  constexpr char kCall[] = "gex_EP_RegisterHandlers";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  const absl::Status registered = CheckedEndpoint(kCall, ep).entries.Register(
      {table, numentries}, gasnet::runtime->engine().handlers());
  if (registered.ok()) return GASNET_OK;
  return Refuse(registered.code() == absl::StatusCode::kInvalidArgument
                    ? GASNET_ERR_BAD_ARG
                    : GASNET_ERR_RESOURCE,
                "%s: %s", kCall, std::string(registered.message()).c_str());
}
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t /*segment*/,
                       gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_EP_BindSegment";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  return RefuseEndpoint(kCall, ep);
}
// The segments of primordial endpoints are published when they are attached.
int gex_EP_PublishBoundSegment(gex_TM_t /*tm*/, gex_EP_t* eps, size_t num_eps,
                               gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_EP_PublishBoundSegment";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  for (const gex_EP_t ep : std::span(eps, num_eps)) {
    if (ep == GEX_EP_INVALID) return RefuseEndpoint(kCall, ep);
  }
  return GASNET_OK;
}
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank,
                                       void** owneraddr_p, void** localaddr_p,
                                       uintptr_t* size_p, gex_Flags_t flags) {
  constexpr char kCall[] = "gex_EP_QueryBoundSegmentNB";
  RequireAttached(kCall);
  if ((flags & GEX_FLAG_IMMEDIATE) == 0) {
    gasnet::thread::RequireMayCommunicate(kCall);
  }
  const Bound bound = FindBound(NodeOf(kCall, tm, rank));
  Set(owneraddr_p, bound.there);
  Set(localaddr_p, bound.here);
  Set(size_p, bound.size);
  return GEX_EVENT_INVALID;
}
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void** owneraddr_p,
                           void** localaddr_p, uintptr_t* size_p) {
  constexpr char kCall[] = "gex_Segment_QueryBound";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  const Bound bound = FindBound(NodeOf(kCall, tm, rank));
  if (bound.size == 0) return 1;
  Set(owneraddr_p, bound.there);
  Set(localaddr_p, bound.here);
  Set(size_p, bound.size);
  return 0;
}

gex_Client_t gex_Segment_QueryClient(gex_Segment_t seg) {
  return CheckedSegment("gex_Segment_QueryClient", seg).client;
}
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t seg) {
  CheckedSegment("gex_Segment_QueryFlags", seg);
  return 0;
}
void* gex_Segment_QueryAddr(gex_Segment_t seg) {
  return CheckedSegment("gex_Segment_QueryAddr", seg).address;
}
uintptr_t gex_Segment_QuerySize(gex_Segment_t seg) {
  return CheckedSegment("gex_Segment_QuerySize", seg).size;
}
void gex_Segment_SetCData(gex_Segment_t seg, const void* val) {
  CheckedSegment("gex_Segment_SetCData", seg).data.Set(val);
}
void* gex_Segment_QueryCData(gex_Segment_t seg) {
  return CheckedSegment("gex_Segment_QueryCData", seg).data.Get();
}

int gex_Segment_Attach(gex_Segment_t* segment_p, gex_TM_t tm, uintptr_t size) {
  constexpr char kCall[] = "gex_Segment_Attach";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  if (tm != &gasneti_tm_all) {
    return Refuse(GASNET_ERR_BAD_ARG,
                  "%s: the team must be that of all processes", kCall);
  }
  const int result = JobFunctions::AttachSegment(size);
  if (result == GASNET_OK) {
    Set(segment_p, Client::Mine().endpoint().segment.load());
  }
  return result;
}
int gex_Segment_Create(gex_Segment_t* segment_p, gex_Client_t client,
                       gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_Segment_Create";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  const uintptr_t most = gasnet::runtime->segment_limits().local;
  if (kind != GEX_MK_HOST || length == 0 ||
      (address == nullptr && length > most)) {
    return Refuse(GASNET_ERR_BAD_ARG,
                  "%s: the kind must be GEX_MK_HOST, and length 1 to %zu, not "
                  "%zu",
                  kCall, static_cast<size_t>(most),
                  static_cast<size_t>(length));
  }
  gasneti_segment* const made = gasnet::ex::MakeSegment(
      CheckedClient(kCall, client), address,
      address == nullptr ? gasnet::RoundUp(length, GASNET_PAGESIZE) : length);
  if (made == nullptr) {
    return Refuse(GASNET_ERR_RESOURCE, "%s: no memory for %zu bytes", kCall,
                  static_cast<size_t>(length));
  }
  *segment_p = made;
  return GASNET_OK;
}
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_Segment_Destroy";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  if (segment == GEX_SEGMENT_INVALID ||
      segment == Client::Mine().endpoint().segment.load()) {
    gasnet::Fatal(
        "%s: %s", kCall,
        segment == GEX_SEGMENT_INVALID
            ? "the segment is GEX_SEGMENT_INVALID"
            : "the segment of gex_Segment_Attach cannot be destroyed");
  }
  gasnet::ex::DestroySegment(segment);
}

// Ordinary memory is no class of objects, and there is no other class.
int gex_MK_Create(gex_MK_t* /*kind_p*/, gex_Client_t /*client*/,
                  const gex_MK_Create_args_t* args, gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_MK_Create";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  if (CheckedObject(kCall, "args", args).gex_class == GEX_MK_CLASS_HOST) {
    gasnet::Fatal("%s: GEX_MK_CLASS_HOST; GEX_MK_HOST is that kind", kCall);
  }
  return Refuse(GASNET_ERR_BAD_ARG,
                "%s: memory kinds of class %d are not supported", kCall,
                static_cast<int>(args->gex_class));
}
void gex_MK_Destroy(gex_MK_t kind, gex_Flags_t /*flags*/) {
  gasnet::Fatal("gex_MK_Destroy: %s", kind == GEX_MK_HOST
                                          ? "GEX_MK_HOST cannot be destroyed"
                                          : "there is no such kind");
}

}  // extern "C"
