#include <gasnet_tools.h>
#include <pthread.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

#if GASNETT_CONFIGURE_MISMATCH || defined(HAVE_SRAND_DETERMINISTIC)
#error "defined, and must not be"
#endif
#if defined(GASNETT_USING_GENERIC_ATOMICOPS) || \
    defined(GASNETT_USING_GETTIMEOFDAY)
#error "defined, and must not be"
#endif
#if !PLATFORM_ARCH_64 || defined(PLATFORM_ARCH_32)
#error "exactly PLATFORM_ARCH_64 must be defined"
#endif
#if !HAVE_MMAP || !HAVE_PTHREAD_H
#error "this system has mmap and pthread.h"
#endif
#if GASNETT_PAGESIZE < 4096 || GASNETT_MAX_THREADS < 1
#error "unusable in #if"
#endif

/* Checks that if_pf and if_pt accept a branch without braces, like `if`. */
static int predicted(int value) {
  if_pf(value == 1) return 10;
  else if_pt(value == 2) return 20;
  else return 30;
}

static void check_constants(void) {
  char line[GASNETT_CACHE_LINE_BYTES];
  CHECK(sizeof(int) == SIZEOF_INT);
  CHECK(SIZEOF_GASNET_REGISTER_VALUE_T == 8);
  CHECK((1 << GASNETT_PAGESHIFT) == GASNETT_PAGESIZE);
  CHECK((sizeof line & (sizeof line - 1)) == 0);
  CHECK(GASNETT_SPEC_VERSION_MAJOR == 1 && GASNETT_SPEC_VERSION_MINOR == 20);
  CHECK(GASNETT_RELEASE_VERSION_MAJOR == GASNET_RELEASE_VERSION_MAJOR);
  CHECK(GASNETT_RELEASE_VERSION_MINOR == GASNET_RELEASE_VERSION_MINOR);
  CHECK(GASNETT_RELEASE_VERSION_PATCH == GASNET_RELEASE_VERSION_PATCH);
#if GASNETT_THREAD_SAFE
  CHECK(GASNETT_MAX_THREADS == 256);
#else
  CHECK(GASNETT_MAX_THREADS == 1);
#endif
}

static void check_strings(void) {
  CHECK(strncmp(GASNETT_CONFIG_STRING, "RELEASE=2025.8.0,", 17) == 0);
  CHECK(strstr(GASNETT_CONFIG_STRING, ",IMPLEMENTATION=") != NULL);
  CHECK(strstr(GASNETT_CONFIG_STRING, ",SPEC=1.20,PTR=64bit,") != NULL);
  CHECK(strstr("for " GASNETT_SYSTEM_TUPLE, "linux-gnu") != NULL);
  CHECK(strlen(PLATFORM_COMPILER_VERSION_STR) > 0);
  CHECK(strcmp(_STRINGIFY(PLATFORM_COMPILER_FAMILYNAME), "GNU") == 0);
}

void check_platform(void) {
  check_constants();
  check_strings();
  CHECK(predicted(1) == 10 && predicted(2) == 20 && predicted(3) == 30);
#ifdef HAVE_PTHREAD_SETCONCURRENCY
  CHECK(pthread_setconcurrency(0) == 0);
#endif
}
