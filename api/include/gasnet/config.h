/* The configuration that a client is compiled for (spec 1.5, 1.8).
 *
 * Four sources meet here:
 * - the threading mode, chosen by the client
 * - the library build (segment kind, debug checks), recorded in
 *   build_config.h when the library is built
 * - the versions, in gasnet_config.h
 * - the conduit, known only when the include path names one
 */
#ifndef GASNET_CONFIG_H_
#define GASNET_CONFIG_H_

#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error \
    "Define exactly one of GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR before including gasnet.h"
#endif

#include "gasnet/build_config.h"
#include "gasnet_config.h"

#if defined(__has_include)
#if __has_include(<gasnet_conduit.h>)
#include <gasnet_conduit.h>
#endif
#endif

#ifndef GASNET_CONDUIT_NAME
/* The client is compiled for no particular conduit. */
#define GASNET_CONDUIT_NAME ANY
#define GASNET_CONDUIT_ANY 1
#define GASNET_ALIGNED_SEGMENTS 0
#endif

#define GASNETI_STRINGIFY_(x) #x
#define GASNETI_STRINGIFY(x) GASNETI_STRINGIFY_(x)

/* The name of the conduit, as a token and as a string. Other implementations
 * divide a conduit into CORE and EXTENDED. Here both have the conduit's name
 * and version 1.0. */
#define GASNET_CONDUIT_NAME_STR GASNETI_STRINGIFY(GASNET_CONDUIT_NAME)
#define GASNET_CORE_NAME GASNET_CONDUIT_NAME
#define GASNET_CORE_NAME_STR GASNET_CONDUIT_NAME_STR
#define GASNET_CORE_VERSION 1.0
#define GASNET_CORE_VERSION_STR GASNETI_STRINGIFY(GASNET_CORE_VERSION)
#define GASNET_EXTENDED_NAME GASNET_CONDUIT_NAME
#define GASNET_EXTENDED_NAME_STR GASNET_CONDUIT_NAME_STR
#define GASNET_EXTENDED_VERSION 1.0
#define GASNET_EXTENDED_VERSION_STR GASNETI_STRINGIFY(GASNET_EXTENDED_VERSION)

/* Version of the specification that this header implements. */
#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
/* Deprecated (spec 1.8): the major version of the specification. */
#define GASNET_VERSION GASNET_SPEC_VERSION_MAJOR

/* The maximum number of nodes in a job. Every node index fits a
   gasnet_node_t.
 */
#define GASNET_MAXNODES 65535

#if defined(GASNET_SEQ)
#define GASNETI_THREADS_NAME SEQ
#elif defined(GASNET_PARSYNC)
#define GASNETI_THREADS_NAME PARSYNC
#else
#define GASNETI_THREADS_NAME PAR
#endif

#if defined(GASNET_SEGMENT_FAST)
#define GASNETI_SEGMENT_NAME FAST
#elif defined(GASNET_SEGMENT_LARGE)
#define GASNETI_SEGMENT_NAME LARGE
#elif defined(GASNET_SEGMENT_EVERYTHING)
#define GASNETI_SEGMENT_NAME EVERYTHING
#else
#error "gasnet/build_config.h must define one GASNET_SEGMENT_* configuration"
#endif

/* Defined if nodes of a host may reach each other's segments by loads and
 * stores. gasnet_nodeinfo_t then has the member offset. */
#ifndef GASNET_SEGMENT_EVERYTHING
#define GASNET_PSHM 1
#endif

/* Debug builds have the checked allocation functions of gasnet_tools.h. */
#if defined(GASNET_DEBUG) && !defined(GASNET_DEBUGMALLOC)
#define GASNET_DEBUGMALLOC 1
#endif

#ifdef GASNET_DEBUG
#define GASNETI_CHECKS_NAME debug
#else
#define GASNETI_CHECKS_NAME nodebug
#define GASNET_NDEBUG 1
#endif

#define GASNETI_IMPLEMENTATION_STRING                    \
  GASNETI_STRINGIFY(GASNET_IMPLEMENTATION_VERSION_MAJOR) \
  "." GASNETI_STRINGIFY(                                 \
      GASNET_IMPLEMENTATION_VERSION_MINOR) "." GASNETI_STRINGIFY(GASNET_IMPLEMENTATION_VERSION_PATCH)
#define GASNETI_CONFIG_STRING_FOR(conduit) \
  "RELEASE=" GASNETI_STRINGIFY(GASNET_RELEASE_VERSION_MAJOR) "."   \
  GASNETI_STRINGIFY(GASNET_RELEASE_VERSION_MINOR) "."              \
  GASNETI_STRINGIFY(GASNET_RELEASE_VERSION_PATCH)                  \
  ",SPEC=" GASNETI_STRINGIFY(GASNET_SPEC_VERSION_MAJOR) "."        \
  GASNETI_STRINGIFY(GASNET_SPEC_VERSION_MINOR)                     \
  ",CONDUIT=" conduit                                              \
  ",THREADMODEL=" GASNETI_STRINGIFY(GASNETI_THREADS_NAME)          \
  ",SEGMENT=" GASNETI_STRINGIFY(GASNETI_SEGMENT_NAME)              \
  ",PTR=64bit," GASNETI_STRINGIFY(GASNETI_CHECKS_NAME)             \
  ",IMPLEMENTATION=" GASNETI_IMPLEMENTATION_STRING

/* All settings on which a client and a library must agree, as one string. The
 * library embeds its own string (spec 1.8). */
#define GASNET_CONFIG_STRING \
  GASNETI_CONFIG_STRING_FOR(GASNETI_STRINGIFY(GASNET_CONDUIT_NAME))

#endif /* GASNET_CONFIG_H_ */
