#define GASNETI_CONDUIT gasneti_core_conduit_fake

#include "export/linked_library.inc"
