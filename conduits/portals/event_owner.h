// Finds the operation that an event reports on, by the event's user_ptr
// (tagged.h).
#ifndef CONDUITS_PORTALS_EVENT_OWNER_H_
#define CONDUITS_PORTALS_EVENT_OWNER_H_

#include <string>

#include "core/rank.h"

namespace gasnet::portals_conduit {

// Returns the rank that the operation goes to.
Rank PeerOf(void* user);

// Describes the operation and its target rank in words.
std::string Describe(void* user);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_EVENT_OWNER_H_
