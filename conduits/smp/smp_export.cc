#include "conduits/smp/smp_conduit.h"

#define GASNETI_CONDUIT ::gasnet::smp::kConduit

#include "export/linked_library.inc"
