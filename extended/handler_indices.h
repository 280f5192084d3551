// The active-message handlers of the extended API, below the client's.
#ifndef EXTENDED_HANDLER_INDICES_H_
#define EXTENDED_HANDLER_INDICES_H_

#include <cstdint>

namespace gasnet::extended {

// The same on all ranks of a job: they travel in messages.
enum HandlerIndex : uint8_t {
  kPutMediumRequest = 1,
  kPutLongRequest,
  kMemsetRequest,
  kPutDoneReply,
  kGetMediumRequest,
  kGetMediumReply,
  kGetLongRequest,
  kGetLongReply,
  kGetLandRequest,
  kGetLandReply,
  kBarrierRequest,
  kHandlerIndexEnd,
};

}  // namespace gasnet::extended

#endif  // EXTENDED_HANDLER_INDICES_H_
