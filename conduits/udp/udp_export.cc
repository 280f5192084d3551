// The C functions of gasnet.h, instantiated for this conduit.
#include "conduits/udp/udp_conduit.h"

#define GASNETI_CONDUIT ::gasnet::udp::UdpConduit

#include "export/conduit.inc"
