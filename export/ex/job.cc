// The C functions of gasnet/ex_job.h, ex_kinds.h and ex_hybrid.h.
#include <cstdint>

#include "base/env.h"
#include "base/log.h"
#include "core/phase.h"
#include "core/runtime/conduit.h"
#include "core/runtime/runtime.h"
#include "core/thread/rules.h"
#include "ex/client.h"
#include "export/ex/checked_object.h"
#include "export/ex/out_argument.h"
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
using gasnet::exported::Refuse;
using gasnet::exported::Set;

gasneti_client& CheckedClient(const char* call, gex_Client_t client) {
  return CheckedObject(call, "client", client);
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
// Reports that the library has no threads that a client could start.
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

// Always fails: the only class of memory is host memory, and its only kind
// already exists.
int gex_MK_Create(gex_MK_t* /*kind_p*/, gex_Client_t /*client*/,
                  const gex_MK_Create_args_t* args, gex_Flags_t /*flags*/) {
  constexpr char kCall[] = "gex_MK_Create";
  RequireAttached(kCall);
  gasnet::thread::RequireMayCommunicate(kCall);
  if (CheckedObject(kCall, "args", args).gex_class == GEX_MK_CLASS_HOST) {
    gasnet::Fatal(
        "%s: GEX_MK_CLASS_HOST cannot be made; GEX_MK_HOST is its only kind",
        kCall);
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
