/* The form of the tools (thread-safe or sequential) for which this file is
 * compiled, and constants of the platform.
 *
 * GASNETT_CONFIGURE_MISMATCH is deliberately never defined.
 */
#ifndef GASNET_TOOLS_CONFIG_H_
#define GASNET_TOOLS_CONFIG_H_

#include "gasnet/platform.h"
#include "gasnet_config.h"
#include "gasnet_tools/annotations.h"
#include "gasnet_tools/build_config.h"

/* 1 in the thread-safe form, 0 in the sequential one. If the source file
 * defines a mode of gasnet.h (GASNET_SEQ, ...), that mode decides, so that the
 * two headers agree. */
#if defined(GASNET_PAR) || defined(GASNET_PARSYNC)
#define GASNETTI_THREADS 1
#elif defined(GASNET_SEQ)
#define GASNETTI_THREADS 0
#elif defined(GASNETT_THREAD_SAFE)
#if GASNETT_THREAD_SAFE + 0
#define GASNETTI_THREADS 1
#else
#define GASNETTI_THREADS 0
#endif
#elif defined(GASNETT_THREAD_SINGLE)
#define GASNETTI_THREADS 0
#elif defined(_REENTRANT) || defined(_THREAD_SAFE) || defined(_PTHREAD_H)
#define GASNETTI_THREADS 1
#define GASNETTI_THREADS_ASSUMED 1
#else
#define GASNETTI_THREADS 0
#define GASNETTI_THREADS_ASSUMED 1
#endif

#if GASNETTI_THREADS
#define GASNETTI_FORM_NAME PAR
#else
#define GASNETTI_FORM_NAME SEQ
#endif

/* The version of the tools' specification, and the version of this release. */
#define GASNETT_SPEC_VERSION_MAJOR 1
#define GASNETT_SPEC_VERSION_MINOR 20
#define GASNETT_RELEASE_VERSION_MAJOR GASNET_RELEASE_VERSION_MAJOR
#define GASNETT_RELEASE_VERSION_MINOR GASNET_RELEASE_VERSION_MINOR
#define GASNETT_RELEASE_VERSION_PATCH GASNET_RELEASE_VERSION_PATCH

/* The largest number of client threads of one process that gasnet.h supports.
 */
#if GASNETTI_THREADS
#define GASNETT_MAX_THREADS 256
#else
#define GASNETT_MAX_THREADS 1
#endif

/* Constants of the platform:
 * - the size of a page in bytes (a multiple of the system's), and its
 *   binary logarithm
 * - the distance in bytes that avoids false sharing
 * - the GNU name of the system */
#if defined(__x86_64__)
#define GASNETT_PAGESIZE 4096
#define GASNETT_PAGESHIFT 12
#define GASNETT_CACHE_LINE_BYTES 64
#define GASNETT_SYSTEM_TUPLE "x86_64-pc-linux-gnu"
#elif defined(__aarch64__)
#define GASNETT_PAGESIZE 65536
#define GASNETT_PAGESHIFT 16
#define GASNETT_CACHE_LINE_BYTES 64
#define GASNETT_SYSTEM_TUPLE "aarch64-unknown-linux-gnu"
#elif defined(__powerpc64__)
#define GASNETT_PAGESIZE 65536
#define GASNETT_PAGESHIFT 16
#define GASNETT_CACHE_LINE_BYTES 128
#define GASNETT_SYSTEM_TUPLE "powerpc64le-unknown-linux-gnu"
#else
#define GASNETT_PAGESIZE 4096
#define GASNETT_PAGESHIFT 12
#define GASNETT_CACHE_LINE_BYTES 64
#define GASNETT_SYSTEM_TUPLE "unknown-unknown-linux-gnu"
#endif

#ifdef GASNET_DEBUG
#define GASNETTI_CHECKS_NAME debug
#else
#define GASNETTI_CHECKS_NAME nodebug
#endif

#define GASNETTI_TEXT_UNEXPANDED(x) #x
#define GASNETTI_TEXT(x) GASNETTI_TEXT_UNEXPANDED(x)
#define GASNETTI_DOTTED(a, b) GASNETTI_TEXT(a) "." GASNETTI_TEXT(b)
#define GASNETTI_RELEASE_STRING                  \
  GASNETTI_DOTTED(GASNETT_RELEASE_VERSION_MAJOR, \
                  GASNETT_RELEASE_VERSION_MINOR) \
  "." GASNETTI_TEXT(GASNETT_RELEASE_VERSION_PATCH)
#define GASNETTI_IMPLEMENTATION_STRING                 \
  GASNETTI_DOTTED(GASNET_IMPLEMENTATION_VERSION_MAJOR, \
                  GASNET_IMPLEMENTATION_VERSION_MINOR) \
  "." GASNETTI_TEXT(GASNET_IMPLEMENTATION_VERSION_PATCH)
#define GASNETTI_SPEC_STRING \
  GASNETTI_DOTTED(GASNETT_SPEC_VERSION_MAJOR, GASNETT_SPEC_VERSION_MINOR)

/* The versions and the form in one line, to compare the settings of parts of a
   program.
 */
#define GASNETT_CONFIG_STRING                                          \
  "RELEASE=" GASNETTI_RELEASE_STRING ",SPEC=" GASNETTI_SPEC_STRING     \
  ",PTR=64bit," GASNETTI_TEXT(GASNETTI_CHECKS_NAME) "," GASNETTI_TEXT( \
      GASNETTI_FORM_NAME) ",IMPLEMENTATION=" GASNETTI_IMPLEMENTATION_STRING

/* The symbol that ties a file to the library of its form. If the link fails,
 * the name of the undefined symbol shows the form for which the file was
 * compiled. A file that only assumes its form links with either library. */
#ifndef GASNETTI_THREADS_ASSUMED
#define GASNETTI_FORM_SYMBOL_NAMED(name) gasnetti_tools_compiled_for_##name
#define GASNETTI_FORM_SYMBOL_(name) GASNETTI_FORM_SYMBOL_NAMED(name)
#define GASNETTI_FORM_SYMBOL GASNETTI_FORM_SYMBOL_(GASNETTI_FORM_NAME)
GASNETT_EXTERNC const char GASNETTI_FORM_SYMBOL;
static const char *const gasnetti_form_check GASNETTI_KEEP =
    &GASNETTI_FORM_SYMBOL;
#endif

#endif /* GASNET_TOOLS_CONFIG_H_ */
