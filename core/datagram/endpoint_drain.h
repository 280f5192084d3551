// Endpoint: what is left to do before the process ends.
#ifndef CORE_DATAGRAM_ENDPOINT_DRAIN_H_
#define CORE_DATAGRAM_ENDPOINT_DRAIN_H_

#include <mutex>

#include "core/datagram/endpoint.h"

namespace gasnet::datagram {

template <Port P>
bool Endpoint<P>::DrainStep() {
  const Guard guard(lock_, std::try_to_lock);
  if (!guard.owns_lock()) return false;
  const int64_t now = transmitter_.ReadClock();
  while (typename P::Batch* const batch = port_.Receive()) {
    for (const MutableBytes datagram : batch->datagrams()) {
      const Arrival arrival = receiver_.Accept(datagram, am::Lanes::kAll, now);
      if (arrival.channel == nullptr) continue;
      if (arrival.acknowledges) Pump(*arrival.channel);
    }
    port_.Release(batch);
  }
  Flush();
  channels_.ForActive([&](Channel& channel) {
    if (channel.owed_packets > 0) transmitter_.SendAck(channel);
  });
  if (now >= deadline_.load(std::memory_order_relaxed)) LookAfterTimers(now);
  return pool_.used() == 0;
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_DRAIN_H_
