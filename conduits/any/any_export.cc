#include "conduits/any/any_conduit.h"

#define GASNETI_CONDUIT ::gasnet::any::kConduit

#include "export/linked_library.inc"
