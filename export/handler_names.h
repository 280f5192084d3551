// The names of the handlers of all layers, in statistics and traces. A new
// handler gets its name here.
#ifndef EXPORT_HANDLER_NAMES_H_
#define EXPORT_HANDLER_NAMES_H_

#include <cstddef>

#include "coll/handler_indices.h"
#include "core/am/message.h"
#include "core/observe/handler_names.h"
#include "core/runtime/endpoints.h"
#include "ex/handler_indices.h"
#include "extended/handler_indices.h"
#include "vis/handler_indices.h"

namespace gasnet::exported {

static_assert(observe::kOwnHandlers == am::kFirstClientHandler);

namespace internal {

constexpr observe::HandlerNames NamesOfLayers() {
  observe::HandlerNames names = {};
  names[extended::kPutMediumRequest] = "put_medium_request";
  names[extended::kPutLongRequest] = "put_long_request";
  names[extended::kMemsetRequest] = "memset_request";
  names[extended::kPutDoneReply] = "put_done_reply";
  names[extended::kGetMediumRequest] = "get_medium_request";
  names[extended::kGetMediumReply] = "get_medium_reply";
  names[extended::kGetLongRequest] = "get_long_request";
  names[extended::kGetLongReply] = "get_long_reply";
  names[extended::kGetLandRequest] = "get_land_request";
  names[extended::kGetLandReply] = "get_land_reply";
  names[extended::kBarrierRequest] = "barrier_request";
  names[coll::kCollRequest] = "coll_request";
  names[coll::kCollLongRequest] = "coll_long_request";
  names[coll::kCollPayloadRequest] = "coll_payload_request";
  names[coll::kCollPieceRequest] = "coll_piece_request";
  names[coll::kCollLongPieceRequest] = "coll_long_piece_request";
  names[ex::kAtomicRequest] = "atomic_request";
  names[ex::kAtomicDoneReply] = "atomic_done_reply";
  names[ex::kAtomicGetReply] = "atomic_get_reply";
  names[ex::kAtomicFetchReply] = "atomic_fetch_reply";
  names[ex::kFurtherRequest] = "endpoint_request";
  names[ex::kFurtherReply] = "endpoint_reply";
  names[vis::kPutRequest] = "vis_put_request";
  names[vis::kGetRequest] = "vis_get_request";
  names[vis::kGetReply] = "vis_get_reply";
  names[vis::kPeerCompletionRequest] = "vis_peer_completion_request";
  names[kPartnerRequest] = "partner_request";
  return names;
}

// Returns true if all indices from `first` to `end` - 1 have names.
constexpr bool AreNamed(const observe::HandlerNames& names, size_t first,
                        size_t end) {
  for (size_t index = first; index < end; ++index) {
    if (names[index] == nullptr) return false;
  }
  return true;
}

}  // namespace internal

inline constexpr observe::HandlerNames kHandlerNames =
    internal::NamesOfLayers();

static_assert(internal::AreNamed(kHandlerNames, extended::kPutMediumRequest,
                                 extended::kHandlerIndexEnd));
static_assert(internal::AreNamed(kHandlerNames, coll::kCollRequest,
                                 coll::kHandlerIndexEnd));
static_assert(internal::AreNamed(kHandlerNames, ex::kAtomicRequest,
                                 ex::kHandlerIndexEnd));
static_assert(internal::AreNamed(kHandlerNames, vis::kPutRequest,
                                 vis::kHandlerIndexEnd));

}  // namespace gasnet::exported

#endif  // EXPORT_HANDLER_NAMES_H_
