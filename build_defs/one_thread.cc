// This file is linked into tests that declare that they have one thread
// (unit_test.bzl). It makes the creation of a second thread fail.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

extern "C" int pthread_create(pthread_t* /*thread*/,
                              const pthread_attr_t* /*attributes*/,
                              void* (* /*run*/)(void*), void* /*argument*/) {
  std::fputs(
      "this test makes a thread: give it threads = True, so that the thread "
      "sanitizer sees it\n",
      stderr);
  std::abort();
}
