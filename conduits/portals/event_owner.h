// The operation that an event tells of, by its user_ptr (tagged.h).
#ifndef CONDUITS_PORTALS_EVENT_OWNER_H_
#define CONDUITS_PORTALS_EVENT_OWNER_H_

#include <string>

#include "core/rank.h"

namespace gasnet::portals {

// The rank that it goes to.
Rank PeerOf(void* user);

// The operation in words, with that rank.
std::string Describe(void* user);

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_EVENT_OWNER_H_
