// Defines the symbols of a library that clients refer to (core.cc,
// linked_library.inc). Tests of this package link this file, since they link no
// conduit.
#include <gasnet.h>

extern "C" {
const char GASNETI_LINK_THREADS = 1;
const char GASNETI_LINK_SEGMENT = 1;
const char GASNETI_LINK_CHECKS = 1;
const char GASNETI_LINK_CONDUIT = 1;
}
