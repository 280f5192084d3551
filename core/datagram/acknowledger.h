// Sends the acknowledgements that are owed and that no packet takes along:
// those that are urgent at the end of a poll, the others when they have waited
// for the delay. Under the lock of the channels.
//
// Where large packets have come while as much is in flight to their sender,
// both ranks wait for the end of what they lent, each for the other's delay.
// The acknowledgements cross: a poll that finds nothing more sends them.
#ifndef CORE_DATAGRAM_ACKNOWLEDGER_H_
#define CORE_DATAGRAM_ACKNOWLEDGER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/datagram/channel.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/deadline.h"
#include "core/datagram/transmitter.h"

namespace gasnet::datagram {

class Acknowledger {
 public:
  Acknowledger(const Timing& timing, ChannelTable& channels,
               Transmitter& transmitter, Deadline& deadline);

  // A packet of so many bytes was taken in, or was an old one.
  void OnPacket(Channel& channel, size_t bytes);

  // At the end of every poll. Costs two comparisons when nothing is going on.
  void EndPoll(bool found_nothing) {
    if (found_nothing && some_cross_) [[unlikely]]
      EndCrossings();
    SendUrgent();
  }
  void SendUrgent() {
    if (!urgent_.empty()) SendToUrgent();
  }
  // Sends what has waited for the delay. The deadline is when to come again.
  void SendDue(Channel& channel, int64_t now);
  // Before the process ends: sends all.
  void SendAll();

 private:
  [[gnu::noinline]] void EndCrossings();
  void SendToUrgent();

  const Timing& timing_;
  ChannelTable& channels_;
  Transmitter& transmitter_;
  Deadline& deadline_;
  std::vector<Channel*> urgent_;  // owe an acknowledgement now
  bool some_cross_ = false;       // there may be channels with `crosses`
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ACKNOWLEDGER_H_
