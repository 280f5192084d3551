#define GASNETI_CONDUIT gasneti_core_conduit_smp

#include "export/linked_library.inc"
