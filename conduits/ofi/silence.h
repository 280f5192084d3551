// Notices that something has been waited for for long: a transfer or a message
// that does not complete, a peer that gives no credit back, a provider that
// takes no message or transfer for a peer and only says "again". The job goes
// on; one line says whom this rank waits for, once. Of injected messages it
// asks first, since nobody hears of them else (injected.h).
//
// Time is counted in seconds in which somebody looked: a client that computes
// for a minute has not waited. Not thread-safe: under the lock of the network.
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
  // seconds: after which it is reported; 0: never.
  Silence(double seconds, Seconds& clock, Messages& messages,
          const Transfers& transfers)
      : seconds_(seconds),
        clock_(clock),
        messages_(messages),
        transfers_(transfers) {}

  // Whether anything is waited for, so that a sleeper must look.
  bool IsWaiting() const {
    return transfers_.IsWaiting() || messages_.IsWaiting();
  }

  // now: of the monotonic clock. The transfer that has been waited for for too
  // long, the first time that there is any.
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
