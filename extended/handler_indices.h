// The indices of the active-message handlers of the extended API. They are
// lower than the client's.
#ifndef EXTENDED_HANDLER_INDICES_H_
#define EXTENDED_HANDLER_INDICES_H_

#include <cstdint>

namespace gasnet::extended {

// All ranks of a job use the same indices, since the indices travel in
// messages.
enum ExtendedHandlerIndex : uint8_t {
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
