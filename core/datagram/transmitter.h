// Seals packets, hands them to the port, and tells the window which ones the
// port took. Every packet carries the acknowledgements of both lanes. Called
// under the lock of the channels.
#ifndef CORE_DATAGRAM_TRANSMITTER_H_
#define CORE_DATAGRAM_TRANSMITTER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/datagram/channel.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/deadline.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/packet_sealer.h"
#include "core/datagram/path_size.h"
#include "core/datagram/port.h"
#include "core/datagram/seal.h"
#include "core/datagram/send_window.h"
#include "core/datagram/statistics.h"
#include "core/datagram/tuning.h"
#include "core/lane.h"

namespace gasnet::datagram {

class Transmitter {
 public:
  Transmitter(Port& port, const ChannelOptions& options, const PathSizes& sizes,
              const Seal& seal, const ChannelTable& channels,
              DatagramStatistics& statistics, Deadline& deadline)
      : port_(port),
        options_(options),
        sizes_(sizes),
        statistics_(statistics),
        deadline_(deadline),
        sealer_(options, sizes, seal, channels) {}

  // Sends as much as the lane's window permits, including the open packet if
  // `with_open` is true. Sets the deadline for the next look at the lane.
  void Transmit(Channel& channel, Lane lane, bool with_open);

  // Sends a packet that carries only acknowledgements. Returns false if the
  // port is full.
  bool SendAck(Channel& channel);

  // Returns the time at which the clock was last read.
  int64_t now() const { return now_; }
  int64_t ReadClock() { return now_ = port_.Now(); }

 private:
  bool Hand(Channel& channel, Lane lane, const SendWindow::Limits& limits,
            std::span<Packet* const> packets);
  [[gnu::cold, gnu::noinline]] bool HandTooLarge(
      Channel& channel, Lane lane, const SendWindow::Limits& limits,
      Packet* packet);
  size_t SendFirst(Channel& channel, size_t count);
  void NoteSent(SendWindow& window, Packet* packet);
  [[gnu::cold, gnu::noinline]] void ConsiderDoubt(Channel& channel,
                                                  const Packet& lost);

  Port& port_;
  const ChannelOptions& options_;
  const PathSizes& sizes_;
  DatagramStatistics& statistics_;
  Deadline& deadline_;
  PacketSealer sealer_;
  // The datagrams of the current call. A member, since constructing the array
  // takes time.
  std::array<Outgoing, kMaxAtOnce> outgoing_;
  int64_t now_ = 0;
  // The maximum number of datagrams in the next call. Datagrams that a full
  // port refuses must be sealed again. So the port is offered few datagrams at
  // first, and more as it takes them.
  size_t at_once_ = kMaxAtOnce;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TRANSMITTER_H_
