// The C functions of gasnet.h, instantiated for this conduit.
#include "conduits/portals/portals_conduit.h"

#define GASNETI_CONDUIT ::gasnet::portals::PortalsConduit

#include "export/conduit.inc"
