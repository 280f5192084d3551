// Serves the timers of packets in flight: repeats lost packets, or asks the
// peer for an answer, and detects silent peers. Called under the lock of the
// channels.
#ifndef CORE_DATAGRAM_RETRANSMISSION_TIMER_H_
#define CORE_DATAGRAM_RETRANSMISSION_TIMER_H_

#include <cstdint>

#include "core/datagram/channel.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/send_window.h"
#include "core/datagram/statistics.h"
#include "core/datagram/transmitter.h"

namespace gasnet::datagram {

class RetransmissionTimer {
 public:
  RetransmissionTimer(const ChannelOptions& options, PacketPool& pool,
                      Transmitter& transmitter, DatagramStatistics& statistics)
      : options_(options),
        pool_(pool),
        transmitter_(transmitter),
        statistics_(statistics) {}

  // Serves the lanes of a channel, and sets the deadline for the next call.
  // `looked` says that a poll has just found the port empty. Then no answer of
  // a peer waits in the port.
  void LookAfter(Channel& channel, int64_t now, bool looked);

 private:
  void Count(SendWindow::Expiry expiry);
  bool HasLeft(const Channel& channel) const {
    return options_.has_left && options_.has_left(channel.peer);
  }
  void NoteSilence(Channel& channel, int64_t now);

  const ChannelOptions& options_;
  PacketPool& pool_;
  Transmitter& transmitter_;
  DatagramStatistics& statistics_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_RETRANSMISSION_TIMER_H_
