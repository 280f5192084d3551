// Sends Longs with a payload that is too large for a frame: the payload goes
// ahead as a put, and the header follows. The provider's LongPath (paths.h)
// determines how the conduit keeps the header behind the payload.
//
//   payload posted --kOrdered, kFenced--------------> header sent --> done
//                  `-kInTwoSteps, when it is complete-^
//
// An ordered or fenced Long is done when its header is sent, if the client will
// leave the source unchanged. Otherwise it is done when the put is complete.
//
// Not thread-safe: used under the lock of the network.
#ifndef CONDUITS_OFI_LONGS_H_
#define CONDUITS_OFI_LONGS_H_

#include "conduits/ofi/messages.h"
#include "conduits/ofi/paths.h"
#include "conduits/ofi/transfers.h"
#include "core/am/message.h"
#include "core/lane.h"
#include "core/rank.h"
#include "core/rma/pending_count.h"

namespace gasnet::ofi {

class Longs {
 public:
  Longs(LongPath path, Messages& messages, Transfers& transfers)
      : path_(path), messages_(messages), transfers_(transfers) {}

  // Advances a Long by a step. Returns kRetry until the Long is done
  // (am/link.h, kSendsInSteps). Always returns kRetry for a message without a
  // send state, because the progress could be kept nowhere.
  am::Post Send(Rank peer, Lane lane, const am::Message& message);

 private:
  bool PostPayload(Rank peer, const am::Message& message,
                   rma::PendingCount& complete);

  const LongPath path_;
  Messages& messages_;
  Transfers& transfers_;
  rma::PendingCount unawaited_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_LONGS_H_
