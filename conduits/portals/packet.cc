#include "conduits/portals/packet.h"

#include <cstdint>
#include <cstring>

#include "core/am/payload.h"

namespace gasnet::portals_conduit {
namespace {

// Returns the shape of a message that is sent in one piece.
MessageShape ShapeOf(am::Category category) {
  switch (category) {
    case am::Category::kShort:
      return MessageShape::kShort;
    case am::Category::kMedium:
      return MessageShape::kMedium;
    case am::Category::kLong:
      break;
  }
  return MessageShape::kPackedLong;
}

PortalsPacket Of(const am::Message& message, MessageShape shape) {
  PortalsHeader header;
  header.shape = shape;
  header.num_args = message.num_args;
  header.handler = message.handler;
  header.endpoint = message.endpoint;
  header.across = message.across;
  header.payload =
      HasPayload(shape) ? static_cast<uint16_t>(message.nbytes) : uint16_t{0};
  header.word =
      message.num_args > 0 ? static_cast<uint32_t>(message.args[0]) : 0;
  return {header, BodyLayout::Of(shape, message.num_args, header.payload),
          &message, 0};
}

void Store(std::byte* at, uint64_t value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

PortalsPacket PortalsPacket::Whole(const am::Message& message) {
  return Of(message, ShapeOf(message.category));
}

PortalsPacket PortalsPacket::Offered(const am::Message& message,
                                     uint32_t offer) {
  PortalsPacket packet = Of(message, ShapeOf(message.category));
  packet.header.payload = 0;
  packet.header.is_fetched = true;
  packet.layout = BodyLayout::Of(packet.header.shape, message.num_args, 0,
                                 /*is_fetched=*/true);
  packet.offer = offer;
  return packet;
}

PortalsPacket PortalsPacket::HeaderOfLong(const am::Message& message) {
  return Of(message, MessageShape::kLong);
}

void PortalsPacket::WriteBody(std::byte* body) const {
  if (message == nullptr) return;
  const unsigned first = FirstArgInBody(header.shape);
  if (message->num_args > first) {
    std::memcpy(body, message->args + first,
                (message->num_args - first) * sizeof(int32_t));
  }
  if (message->category == am::Category::kLong) {
    Store(body + layout.dest, reinterpret_cast<uintptr_t>(message->dest_addr));
    if (header.shape == MessageShape::kLong) {
      Store(body + layout.size, message->nbytes);
    }
  }
  if (header.is_fetched) {
    Store(body + layout.size, uint64_t{offer} << 32 | message->nbytes);
  }
  if (header.payload > 0) am::WritePayload(body + layout.payload, *message);
}

}  // namespace gasnet::portals_conduit
