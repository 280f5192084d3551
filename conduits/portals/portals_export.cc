#define GASNETI_CONDUIT gasneti_core_conduit_portals

#include "export/linked_library.inc"
