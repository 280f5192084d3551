// The C functions of gasnet_coll.h.
#include "export/coll/policy.h"
#include "export/coll/tuner_state.h"
#include "export/coll_functions.h"
#include "gasnet.h"

#define GASNETI_COLL_POLICY gasnet::exported::CollPolicy
#include "export/coll.inc"
#include "export/coll_all.inc"
#include "export/coll_all_unequal.inc"
#include "export/coll_sync.inc"
