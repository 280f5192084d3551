/* Versions, for the preprocessor and for scripts that configure a program.
 *
 * Scripts read this file line by line, so each name below occurs on one line
 * only. gasnet.h and gasnet_tools.h include this file. It needs no threading
 * mode.
 */
#ifndef GASNET_VERSIONS_H_
#define GASNET_VERSIONS_H_

/* The GASNet release that defines this interface. Programs test for this
 * release (spec 1.8). Constant until the interface changes. */
#define GASNET_RELEASE_VERSION_MAJOR 2025
#define GASNET_RELEASE_VERSION_MINOR 8
#define GASNET_RELEASE_VERSION_PATCH 0

/* The version of this implementation. */
#define GASNET_IMPLEMENTATION_VERSION_MAJOR 1
#define GASNET_IMPLEMENTATION_VERSION_MINOR 0
#define GASNET_IMPLEMENTATION_VERSION_PATCH 0

#endif /* GASNET_VERSIONS_H_ */
