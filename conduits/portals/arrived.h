// A message that has arrived. It is decoded from its header and body, and is
// checked.
#ifndef CONDUITS_PORTALS_ARRIVED_H_
#define CONDUITS_PORTALS_ARRIVED_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "conduits/portals/header.h"
#include "core/am/message.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet::portals_conduit {

struct Arrived {
  PortalsHeader header;
  std::array<int32_t, am::kMaxArgs> args;
  // The payload. The payload of a Long is at its destination in this rank's
  // segment.
  std::byte* payload = nullptr;
  size_t nbytes = 0;
  // The number of the sender's offer (offers.h), if this rank must fetch the
  // payload.
  uint32_t offer = 0;
};

// Decodes and checks a message. Its bytes may be anything. Returns null, or the
// reason why the message is invalid. Copies the payload of a packed Long to its
// destination, unless this rank must fetch the payload.
const char* Read(const PortalsHeader& header, std::byte* body, size_t nbytes,
                 const Segment& segment, Arrived& arrived);

// Returns the message in the dispatcher's form. The caller must keep `arrived`
// until the handler has run.
am::Incoming IncomingOf(Rank source, Lane lane, const Arrived& arrived);

// Ends the job because a message from `source` is malformed. `what` names the
// kind of the message, such as "request".
[[noreturn, gnu::cold, gnu::noinline]] void Malformed(Rank source,
                                                      const char* what,
                                                      const char* why);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_ARRIVED_H_
