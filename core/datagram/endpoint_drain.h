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
  drain_steps_.fetch_add(1, std::memory_order_relaxed);
  Settle();
  const int64_t now = transmitter_.ReadClock();
  for (unsigned left = kDrainBatches; left > 0; --left) {
    typename P::Batch* const batch = port_.ReceiveSpare();
    if (batch == nullptr) break;
    for (const MutableBytes datagram : batch->datagrams()) {
      Channel* const channel = packets_.AcceptUnhandled(datagram, now);
      if (channel != nullptr) Pump(*channel);
    }
    port_.Release(batch);
  }
  Flush();
  channels_.ForActive([&](Channel& channel) {
    if (channel.owed_packets > 0) transmitter_.SendAck(channel);
  });
  if (now >= deadline_.load(std::memory_order_relaxed)) {
    LookAfterTimers(now, false);
  }
  return pool_.used() == 0;
}

template <Port P>
template <class Wait>
bool Endpoint<P>::Drain(int64_t deadline, Wait wait) {
  while (!DrainStep()) {
    if (port_.Now() >= deadline) return false;
    wait();
  }
  return true;
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_DRAIN_H_
