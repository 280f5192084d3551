// Sends Longs with a payload that is too large for a frame. The payload goes
// ahead as a put, and the header follows. The provider's LongPath (paths.h)
// determines how the conduit keeps the header behind the payload.
//
//   payload posted --kOrdered, kFenced--------------> header sent --> done
//                  `-kInTwoSteps, when the put is complete-^
//
// With kOrdered or kFenced, a Long whose client leaves the source unchanged is
// done when its header is sent. Every other Long is done when its header is
// sent and its put is complete.
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
  Longs(LongPath path, OfiMessages& messages, OfiTransfers& transfers)
      : path_(path), messages_(messages), transfers_(transfers) {}

  // Advances a Long by a step. Returns kRetry until the Long is done
  // (am/link.h, kSendsInSteps). Always returns kRetry for a message without a
  // send state, because there is no place to keep the progress.
  am::Post Send(Rank peer, Lane lane, const am::Message& message);

 private:
  bool PostPayload(Rank peer, const am::Message& message,
                   rma::PendingCount& complete);

  const LongPath path_;
  OfiMessages& messages_;
  OfiTransfers& transfers_;
  rma::PendingCount unawaited_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_LONGS_H_
