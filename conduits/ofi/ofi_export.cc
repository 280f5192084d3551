#include "conduits/ofi/ofi_conduit.h"

#define GASNETI_CONDUIT ::gasnet::ofi::kConduit

#include "export/linked_library.inc"
