// Puts messages into packets, and packets into the windows of channels. Small
// messages share the lane's open packet, large ones are cut into fragments, and
// lent ones stay in place. Called under the lock of the endpoint.
#ifndef CORE_DATAGRAM_SENDER_H_
#define CORE_DATAGRAM_SENDER_H_

#include "core/am/message.h"
#include "core/datagram/channel.h"
#include "core/datagram/channel_driver.h"

namespace gasnet::datagram {

class DatagramSender {
 public:
  explicit DatagramSender(ChannelDriver& driver) : driver_(driver) {}

  am::Post Send(Channel& channel, am::Lane lane, const am::Message& message);
  // Returns false if no message finds room now.
  static bool MayHaveRoom(Channel& channel, am::Lane lane);

 private:
  bool Place(Channel& channel, am::Lane lane, const am::Message& message);
  bool PlaceFragments(Channel& channel, am::Lane lane,
                      const am::Message& message);
  bool PlaceAlone(Channel& channel, am::Lane lane, const am::Message& message);

  ChannelDriver& driver_;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_SENDER_H_
