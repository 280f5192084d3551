// ChannelDriver: what is left to do before the process ends.
#ifndef CORE_DATAGRAM_CHANNEL_DRIVER_DRAIN_H_
#define CORE_DATAGRAM_CHANNEL_DRIVER_DRAIN_H_

#include "core/datagram/channel_driver.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

template <Port P>
bool ChannelDriver<P>::DrainStep() {
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

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_DRIVER_DRAIN_H_
