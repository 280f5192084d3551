// The C functions of collectives, compiled over the recording engine.
#include "export/coll/tuner_state.h"
#include "export/coll_test_engine.h"

#define GASNETI_COLL_POLICY gasnet::exported::NotingPolicy
#include "export/coll.inc"
#include "export/coll_all.inc"
#include "export/coll_all_unequal.inc"
#include "export/coll_sync.inc"
