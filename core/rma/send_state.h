// The progress of a link in sending a message that takes several steps. An
// example is a Long whose payload goes ahead by remote memory access, followed
// by its header.
//
// The sender keeps this state, initially zero, between the calls of Send for
// one message, from the first call that returns kRetry to the call that returns
// kDone (am/link.h, LinkSendsInSteps). So no step is repeated, and Send never
// waits.
#ifndef CORE_RMA_SEND_STATE_H_
#define CORE_RMA_SEND_STATE_H_

#include <cstddef>

#include "core/rma/pending_count.h"

namespace gasnet::am {

struct SendState {
  // Returns false if no step has changed anything.
  bool HasBegun() const { return posted > 0 || held != nullptr; }

  size_t posted = 0;  // posted bytes from the payload's start
  rma::PendingCount sources;
  rma::PendingCount complete;
  void* held = nullptr;  // owned by the link
};

}  // namespace gasnet::am

#endif  // CORE_RMA_SEND_STATE_H_
