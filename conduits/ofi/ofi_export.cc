#define GASNETI_CONDUIT gasneti_core_conduit_ofi

#include "export/linked_library.inc"
