// The active-message handlers of vector, indexed and strided transfers. Their
// indices are above those of the collectives and below the client's.
#ifndef VIS_HANDLER_INDICES_H_
#define VIS_HANDLER_INDICES_H_

#include <cstdint>

#include "coll/handler_indices.h"
#include "core/am/message.h"

namespace gasnet::vis {

// Active-message handler indices. They travel in messages, so all ranks of a
// job use the same numbers.
enum VisHandlerIndex : uint8_t {
  kPutRequest = 120,
  kGetRequest,
  kGetReply,
  kPeerCompletionRequest,
  kHandlerIndexEnd,
};

static_assert(uint8_t{kPutRequest} >= uint8_t{coll::kHandlerIndexEnd});
static_assert(uint8_t{kHandlerIndexEnd} <= am::kFirstClientHandler);

}  // namespace gasnet::vis

#endif  // VIS_HANDLER_INDICES_H_
