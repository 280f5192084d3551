// Sends the acknowledgements that are owed and that no packet carries. Urgent
// ones leave at the end of a poll, others after a delay. Called under the lock
// of the channels.
//
// If two ranks send each other large packets, each one waits for the end of a
// loan. That loan ends when the other rank's acknowledgement arrives, but both
// ranks delay their acknowledgements. These acknowledgements are called
// crossing. They are sent after a poll that finds nothing more.
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

  // Records that a packet of `bytes` bytes was accepted, or was a duplicate.
  void OnPacket(Channel& channel, size_t bytes);

  // Ends a poll. Costs two comparisons if there is nothing to do.
  void EndPoll(bool found_nothing) {
    if (found_nothing && some_cross_) [[unlikely]]
      EndCrossings();
    SendUrgent();
  }
  void SendUrgent() {
    if (!urgent_.empty()) SendToUrgent();
  }
  // Sends acknowledgements whose delay is over. Sets the deadline for the next
  // call.
  void SendDue(Channel& channel, int64_t now);
  // Sends all acknowledgements, before the process ends.
  void SendAll();

 private:
  [[gnu::noinline]] void EndCrossings();
  void SendToUrgent();

  const Timing& timing_;
  ChannelTable& channels_;
  Transmitter& transmitter_;
  Deadline& deadline_;
  std::vector<Channel*> urgent_;  // channels that owe an acknowledgement now
  bool some_cross_ = false;       // some channel may have `crosses` set
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ACKNOWLEDGER_H_
