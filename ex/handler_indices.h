// The active-message handlers of GASNet-EX's atomics and endpoints. Their
// indices lie between those of the collectives and those of strided transfers.
#ifndef EX_HANDLER_INDICES_H_
#define EX_HANDLER_INDICES_H_

#include <cstdint>

#include "coll/handler_indices.h"
#include "vis/handler_indices.h"

namespace gasnet::ex {

// Active-message handler indices. All ranks of a job use the same numbers,
// since they travel in messages.
enum ExHandlerIndex : uint8_t {
  kAtomicRequest = 112,
  kAtomicDoneReply,
  kAtomicGetReply,
  kAtomicFetchReply,
  kFurtherRequest,
  kFurtherReply,
  kHandlerIndexEnd,
};

static_assert(uint8_t{kAtomicRequest} >= uint8_t{coll::kHandlerIndexEnd});
static_assert(uint8_t{kHandlerIndexEnd} <= uint8_t{vis::kPutRequest});

}  // namespace gasnet::ex

#endif  // EX_HANDLER_INDICES_H_
