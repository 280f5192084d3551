// The symbols that a library defines for clients to refer to (core.inc), for
// tests of this package that link no conduit.
#include <gasnet.h>

extern "C" {
const char GASNETI_LINK_THREADS = 1;
const char GASNETI_LINK_SEGMENT = 1;
const char GASNETI_LINK_CHECKS = 1;
const char GASNETI_LINK_CONDUIT = 1;
}
