#include "conduits/udp/udp_conduit.h"

#define GASNETI_CONDUIT ::gasnet::udp::kConduit

#include "export/linked_library.inc"
