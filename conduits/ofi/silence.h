// Notices that this rank has waited long for something: a transfer or a message
// that does not complete, a peer that gives no credit back, a provider that
// takes no message or transfer for a peer and only answers "again". The job
// goes on; one line names the peer that this rank waits for, once. Marks are
// sent behind injected messages, since nothing else reports that they have left
// (injected.h).
//
// Time counts in seconds in which this rank looked: a client that computes for
// a minute has not waited. Not thread-safe: used under the lock of the network.
#ifndef CONDUITS_OFI_SILENCE_H_
#define CONDUITS_OFI_SILENCE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/transfers.h"
#include "conduits/ofi/waited.h"

namespace gasnet::ofi {

class Silence {
 public:
  // `seconds`: the time after which a wait is reported; 0 if it never is.
  Silence(double seconds, Seconds& clock, Messages& messages,
          const Transfers& transfers)
      : seconds_(seconds),
        clock_(clock),
        messages_(messages),
        transfers_(transfers) {}

  // Returns true if anything is waited for, so that a sleeper must look.
  bool IsWaiting() const {
    return transfers_.IsWaiting() || messages_.IsWaiting();
  }

  // Returns the transfer or message that has been waited for too long, the
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

#endif  // CONDUITS_OFI_SILENCE_H_
