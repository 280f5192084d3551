// The C functions of gasnet/ex_endpoint.h that concern segments.
#include <cstdint>

#include "base/log.h"
#include "base/round_up.h"
#include "core/runtime/runtime.h"
#include "ex/client.h"
#include "export/ex/objects.h"
#include "export/ex/refusal.h"
#include "export/job_functions.h"
#include "export/observed.h"
#include "extended/argument_checks.h"
#include "gasnetex.h"

namespace {
using gasnet::Fatal;
using gasnet::ex::Client;
using gasnet::exported::CheckedSegment;
using gasnet::exported::Refuse;
using gasnet::exported::Run;
using gasnet::extended::CheckCall;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
}  // namespace

extern "C" {

gex_Client_t gex_Segment_QueryClient(gex_Segment_t seg) {
  return CheckedSegment("gex_Segment_QueryClient", seg).client;
}
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t seg) {
  gasnet::exported::CheckSegment("gex_Segment_QueryFlags", seg);
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
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexSegmentAttach, &gex_Segment_Attach>(segment_p, tm,
                                                             size);
  constexpr char kCall[] = "gex_Segment_Attach";
  CheckCall(kCall);
  if (tm != &gasneti_tm_all) {
    return Refuse(GASNET_ERR_BAD_ARG,
                  "%s: the team must be that of all processes", kCall);
  }
  const int result = gasnet::exported::JobFunctions::AttachSegment(size);
  if (result == GASNET_OK && segment_p != nullptr) {
    *segment_p = Client::Mine().endpoint().segment.load();
  }
  return result;
}

int gex_Segment_Create(gex_Segment_t* segment_p, gex_Client_t client,
                       gex_Addr_t address, uintptr_t length, gex_MK_t kind,
                       gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexSegmentCreate, &gex_Segment_Create>(
        segment_p, client, address, length, kind, flags);
  constexpr char kCall[] = "gex_Segment_Create";
  CheckCall(kCall);
  const uintptr_t most = address == nullptr
                             ? gasnet::runtime->segment_limits().local
                             : ~reinterpret_cast<uintptr_t>(address);
  if (kind != GEX_MK_HOST || flags != 0) {
    return Refuse(
        GASNET_ERR_BAD_ARG, "%s: %s", kCall,
        flags != 0 ? "flags must be 0" : "the kind must be GEX_MK_HOST");
  }
  if (length == 0 || length > most) {
    return Refuse(GASNET_ERR_BAD_ARG, "%s: length is %zu; it must be 1 to %zu",
                  kCall, static_cast<size_t>(length),
                  static_cast<size_t>(most));
  }
  gasneti_segment* const made = Client::Mine().MakeSegment(
      address,
      address == nullptr ? gasnet::RoundUp(length, GASNET_PAGESIZE) : length);
  if (made == nullptr) {
    return Refuse(GASNET_ERR_RESOURCE, "%s: no memory for %zu bytes", kCall,
                  static_cast<size_t>(length));
  }
  *segment_p = made;
  return GASNET_OK;
}

void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexSegmentDestroy, &gex_Segment_Destroy>(segment, flags);
  constexpr char kCall[] = "gex_Segment_Destroy";
  CheckCall(kCall);
  if (segment == Client::Mine().endpoint().segment.load()) {
    Fatal("%s: the segment of gex_Segment_Attach cannot be destroyed", kCall);
  }
  if (flags != 0) {
    Fatal("%s: flags are 0x%x; they must be 0", kCall,
          static_cast<unsigned>(flags));
  }
  gasnet::exported::CheckSegment(kCall, segment);
  Client::Mine().End(*segment);
}

}  // extern "C"
