// The progress of a link in sending a message that takes several steps. An
// example is a Long message: remote memory access sends its payload first, and
// the header follows.
//
// The sender zeroes this state for each message. It keeps the state from the
// first call of Send that returns kRetry to the call that returns kDone
// (am/link.h, LinkSendsInSteps). So no step is repeated, and Send never waits.
#ifndef CORE_RMA_SEND_STATE_H_
#define CORE_RMA_SEND_STATE_H_

#include <cstddef>

#include "core/rma/pending_count.h"

namespace gasnet::am {

struct SendState {
  // Returns true if a step has changed the state.
  bool HasBegun() const { return posted > 0 || held != nullptr; }

  size_t posted = 0;  // number of payload bytes that are posted
  rma::PendingCount sources;
  rma::PendingCount complete;
  void* held = nullptr;  // owned by the link
};

}  // namespace gasnet::am

#endif  // CORE_RMA_SEND_STATE_H_
