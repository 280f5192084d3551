// Longs whose payload is too large for a frame: the payload goes ahead as a
// put, and the message follows without it. The provider's LongPath (paths.h)
// says how the message is kept behind the payload.
//
//   payload posted --kOrdered, kFenced--------------> header sent --> done
//                  `-kInTwoSteps, when it is complete-^
//
// If the source must stay until it has been read, a Long that is ordered or
// fenced is done when the put is complete. If the source stays anyway, it is
// done when its header is sent.
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
#include "core/rma/under_way.h"

namespace gasnet::ofi {

class Longs {
 public:
  Longs(LongPath path, Messages& messages, Transfers& transfers)
      : path_(path), messages_(messages), transfers_(transfers) {}

  // Takes a step of a Long. Returns kRetry until it is done (am/link.h,
  // kSendsInSteps). If the message has no journey, it returns kRetry for ever.
  am::Post Send(Rank peer, Lane lane, const am::Message& message);

 private:
  bool PostPayload(Rank peer, const am::Message& message,
                   rma::UnderWay& complete);

  const LongPath path_;
  Messages& messages_;
  Transfers& transfers_;
  rma::UnderWay unawaited_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_LONGS_H_
