// Indices of the collectives' active-message handlers. They lie above the
// indices of the extended API and below those of the client.
#ifndef COLL_HANDLER_INDICES_H_
#define COLL_HANDLER_INDICES_H_

#include <cstdint>

#include "core/am/message.h"
#include "extended/handler_indices.h"

namespace gasnet::coll {

// All ranks of a job must have the same indices, because messages carry them.
enum CollHandlerIndex : uint8_t {
  kCollRequest = 96,      // a header
  kCollLongRequest,       // a header with value and landing
  kCollPayloadRequest,    // a header and bytes
  kCollPieceRequest,      // some bytes of a part
  kCollLongPieceRequest,  // like kCollPieceRequest, as a Long message
  kHandlerIndexEnd,
};

static_assert(uint8_t{kCollRequest} >= uint8_t{extended::kHandlerIndexEnd});
static_assert(uint8_t{kHandlerIndexEnd} <= am::kFirstClientHandler);

}  // namespace gasnet::coll

#endif  // COLL_HANDLER_INDICES_H_
