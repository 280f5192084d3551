#include "conduits/portals/portals_conduit.h"

#define GASNETI_CONDUIT ::gasnet::portals::kConduit

#include "export/linked_library.inc"
