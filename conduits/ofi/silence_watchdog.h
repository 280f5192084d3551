// Measures waits. This rank may wait for:
//
//   - a transfer or a message that does not complete
//   - a peer that gives no credit back
//   - a provider that answers every post to a peer with "again"
//
// The watchdog also sends marks behind injected messages, because only a mark
// shows that they have left (injected.h).
//
// Only seconds in which this rank called Look() count: a client that computes
// for a minute has not waited. Not thread-safe: used under the lock of the
// network.
#ifndef CONDUITS_OFI_SILENCE_WATCHDOG_H_
#define CONDUITS_OFI_SILENCE_WATCHDOG_H_

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/transfers.h"
#include "conduits/ofi/waited.h"

namespace gasnet::ofi {

class SilenceWatchdog {
 public:
  SilenceWatchdog(Seconds& clock, OfiMessages& messages,
                  const OfiTransfers& transfers)
      : clock_(clock), messages_(messages), transfers_(transfers) {}

  // Returns true if this rank waits for anything. A sleeping thread must then
  // wake regularly and call Look().
  bool IsWaiting() const {
    return transfers_.IsWaiting() || messages_.IsWaiting();
  }

  // Counts this second, if it is a new one. Returns true if it is. `now` is the
  // time of the monotonic clock.
  bool Look(int64_t now);

  // Returns the transfer or message for which this rank has waited longest.
  // Returns nullopt unless it has waited for a second.
  std::optional<Waited> Longest() const;

 private:
  Seconds& clock_;
  OfiMessages& messages_;
  const OfiTransfers& transfers_;
  int64_t next_ = 0;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SILENCE_WATCHDOG_H_
