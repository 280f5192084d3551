// An outgoing message, encoded for Portals (header.h). The packet points to the
// message. The caller owns the message.
#ifndef CONDUITS_PORTALS_PACKET_H_
#define CONDUITS_PORTALS_PACKET_H_

#include <cstddef>
#include <cstdint>

#include "conduits/portals/header.h"
#include "core/am/message.h"

namespace gasnet::portals_conduit {

struct PortalsPacket {
  // Returns the packet of a message that is sent in one piece.
  static PortalsPacket Whole(const am::Message& message);
  // Returns the packet of a message whose payload is in offer number `offer`.
  // The target fetches the payload from there (offers.h).
  static PortalsPacket Offered(const am::Message& message, uint32_t offer);
  // Returns the packet of the header of a Long whose payload is sent apart.
  static PortalsPacket HeaderOfLong(const am::Message& message);
  // Returns the empty reply, for a handler that has sent none.
  static PortalsPacket Nothing() {
    return {{.form = Form::kNothing}, {}, nullptr, 0};
  }

  size_t bytes() const { return layout.end; }
  void WriteBody(std::byte* body) const;

  PortalsHeader header;
  BodyLayout layout;
  const am::Message* message;  // null if the packet is empty
  uint32_t offer;              // index of the offer, if the payload is fetched
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_PACKET_H_
