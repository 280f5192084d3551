#define GASNETI_CONDUIT gasneti_core_conduit_any

#include "export/linked_library.inc"
