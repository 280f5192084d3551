// A message that has arrived, decoded from its header and body, and checked.
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
  Header header;
  std::array<int32_t, am::kMaxArgs> args;
  // The payload of a Long is at its destination in this rank's segment.
  std::byte* payload = nullptr;
  size_t nbytes = 0;
  // If the payload is fetched: the number of the sender's offer (offers.h).
  uint32_t offer = 0;
};

// Decodes and checks a message; the bytes may be anything. Returns null, or the
// reason why they are no valid message. Copies the payload of a packed Long to
// its destination, unless the payload has to be fetched.
const char* Read(const Header& header, std::byte* body, size_t nbytes,
                 const Segment& segment, Arrived& arrived);

// Returns the message for the dispatcher. The caller keeps `arrived` until the
// handler has run.
am::Incoming IncomingOf(Rank source, Lane lane, const Arrived& arrived);

// Ends the job because a message from `source` is malformed. `what` names its
// kind, such as "request".
[[noreturn, gnu::cold, gnu::noinline]] void Malformed(Rank source,
                                                      const char* what,
                                                      const char* why);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_ARRIVED_H_
