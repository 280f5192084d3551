// The completion of a transfer that is under way (rma.h): the poster's counter,
// and the observation of the transfer (core/observe/seam.h). So a network that
// counts a transfer cannot forget to have it observed.
//
// A member of the network's record of the transfer. The thread that posts calls
// Begin. The thread that takes the completion calls End. The network orders the
// two calls, like all accesses to its record.
#ifndef CORE_RMA_COMPLETION_H_
#define CORE_RMA_COMPLETION_H_

#include <cstddef>

#include "core/observe/seam.h"
#include "core/observe/transfer_kind.h"
#include "core/rank.h"
#include "core/rma/pending_count.h"

namespace gasnet::rma {

using observe::TransferKind;

class Completion {
 public:
  // Begins a transfer of `nbytes` bytes, which the network has accepted. Called
  // before the network can complete the transfer. `counter` lives until then.
  void Begin(PendingCount* counter, TransferKind kind, Rank peer,
             size_t nbytes) {
    counter_ = counter;
    counter_->Begin();
    observation_.Post(kind, peer, nbytes);
  }
  void End() {
    observation_.Complete();
    counter_->End();
  }

 private:
  PendingCount* counter_ = nullptr;
  observe::TransferObservation observation_;
};

}  // namespace gasnet::rma

#endif  // CORE_RMA_COMPLETION_H_
