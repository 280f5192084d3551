/* Makes the link fail if a program was compiled for one library and is linked
 * with another.
 *
 * Every object that includes gasnet.h refers to one symbol for each setting on
 * which program and library must agree. A library defines only the symbols of
 * its own build. The undefined symbol of a failed link says what the program
 * was compiled for: gasneti_compiled_for_threads_PAR,
 * gasneti_compiled_for_conduit_SMP, ...
 */
#ifndef GASNET_LINK_CHECK_H_
#define GASNET_LINK_CHECK_H_

#include "gasnet/abi.h"
#include "gasnet/config.h"

#define GASNETI_LINK_SYMBOL__(kind, name) gasneti_compiled_for_##kind##_##name
#define GASNETI_LINK_SYMBOL_(kind, name) GASNETI_LINK_SYMBOL__(kind, name)
#define GASNETI_LINK_THREADS GASNETI_LINK_SYMBOL_(threads, GASNETI_THREADS_NAME)
#define GASNETI_LINK_SEGMENT GASNETI_LINK_SYMBOL_(segment, GASNETI_SEGMENT_NAME)
#define GASNETI_LINK_CHECKS GASNETI_LINK_SYMBOL_(checks, GASNETI_CHECKS_NAME)
#define GASNETI_LINK_CONDUIT GASNETI_LINK_SYMBOL_(conduit, GASNET_CONDUIT_NAME)

GASNETI_EXTERN_C_BEGIN

extern const char GASNETI_LINK_THREADS;
extern const char GASNETI_LINK_SEGMENT;
extern const char GASNETI_LINK_CHECKS;
/* The symbol of the conduit. A library defines the symbol of its own conduit
   and the symbol of conduit_ANY. */
extern const char GASNETI_LINK_CONDUIT;

/* Keeps the references to these symbols even if the linker discards unused
   sections. */
#if defined(__has_attribute)
#if __has_attribute(retain)
#define GASNETI_KEEP __attribute__((used, retain))
#endif
#endif
#ifndef GASNETI_KEEP
#define GASNETI_KEEP __attribute__((used))
#endif

static const char *const gasneti_link_check[] GASNETI_KEEP = {
    &GASNETI_LINK_THREADS, &GASNETI_LINK_SEGMENT, &GASNETI_LINK_CHECKS,
    &GASNETI_LINK_CONDUIT};

GASNETI_EXTERN_C_END

#endif /* GASNET_LINK_CHECK_H_ */
