#define GASNETI_CONDUIT gasneti_core_conduit_udp

#include "export/linked_library.inc"
