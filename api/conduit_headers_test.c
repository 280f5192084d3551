/* Imitates the programs that configure scripts compile for each conduit. Must
 * compile with Bazel's headers as well as with installed ones. */
#include <gasnet_config.h>

#if GASNET_RELEASE_VERSION_MAJOR * 100 + GASNET_RELEASE_VERSION_MINOR < 118
#error "programs want release 1.18 at least"
#endif
#if GASNET_IMPLEMENTATION_VERSION_MAJOR < 1 || \
    GASNET_IMPLEMENTATION_VERSION_MINOR < 0 || \
    GASNET_IMPLEMENTATION_VERSION_PATCH < 0
#error "our own version has a name of its own"
#endif

#include <gasnet_core.h>
#include <gasnet_extended.h>

/* gasnet_core.h and gasnet_extended.h each include all of gasnet.h and define
   the constants of their conduit. */
#ifndef _GASNET_H
#error "gasnet_core.h stands for gasnet.h"
#endif
int (*client_init)(int *, char ***) = gasnet_init;

int main(void) { return client_init == 0; }
