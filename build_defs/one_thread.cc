// Makes the creation of a second thread fail. This file is linked into tests
// that are declared to have one thread (unit_test.bzl).
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
