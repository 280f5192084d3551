// A detector of long waits. This rank may wait for:
//
//   - a transfer or a message that does not complete
//   - a peer that gives no credit back
//   - a provider that only answers "again" to messages or transfers for a peer
//
// It names the peer in one line, once, and the job goes on. It also sends marks
// behind injected messages, since nothing else reports that they have left
// (injected.h).
//
// Only seconds in which this rank looked count: a client that computes for a
// minute has not waited. Not thread-safe: used under the lock of the network.
#ifndef CONDUITS_OFI_SILENCE_WATCHDOG_H_
#define CONDUITS_OFI_SILENCE_WATCHDOG_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/transfers.h"
#include "conduits/ofi/waited.h"

namespace gasnet::ofi {

class SilenceWatchdog {
 public:
  // `seconds`: the time after which a wait is reported; 0: never.
  SilenceWatchdog(double seconds, Seconds& clock, Messages& messages,
                  const Transfers& transfers)
      : seconds_(seconds),
        clock_(clock),
        messages_(messages),
        transfers_(transfers) {}

  // Returns true if this rank waits for anything, so that a sleeping thread
  // must look.
  bool IsWaiting() const {
    return transfers_.IsWaiting() || messages_.IsWaiting();
  }

  // Returns the transfer or message that this rank has waited for too long, the
  // first time that there is one. `now`: of the monotonic clock.
  std::optional<Waited> Look(int64_t now);

 private:
  const double seconds_;
  Seconds& clock_;
  Messages& messages_;
  const Transfers& transfers_;
  int64_t next_ = 0;
  bool told_ = false;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SILENCE_WATCHDOG_H_
