#include "conduits/fake/fake_conduit.h"

#define GASNETI_CONDUIT ::gasnet::fake::kConduit

#include "export/linked_library.inc"
