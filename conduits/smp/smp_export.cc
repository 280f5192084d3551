// The C functions of gasnet.h, instantiated for this conduit.
#include "conduits/smp/smp_conduit.h"

#define GASNETI_CONDUIT ::gasnet::smp::SmpConduit

#include "export/conduit.inc"
