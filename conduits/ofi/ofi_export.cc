// The C functions of gasnet.h, instantiated for this conduit.
#include "conduits/ofi/ofi_conduit.h"

#define GASNETI_CONDUIT ::gasnet::ofi::OfiConduit

#include "export/conduit.inc"
