// The C functions of gasnet.h, instantiated for this conduit.
#include "conduits/fake/fake_conduit.h"

#define GASNETI_CONDUIT ::gasnet::fake::FakeConduit

#include "export/conduit.inc"
