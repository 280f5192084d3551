// Preloaded into the ranks of tests. libfabric, once loaded, reads the kernel's
// table of symbols twice, to find out about the memory of GPUs over verbs. This
// takes a tenth of a second of a processor in each rank. If the table cannot be
// opened, as in many containers, libfabric does without.
#include <dlfcn.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

extern "C" FILE* fopen(const char* path, const char* mode) {
  if (std::strcmp(path, "/proc/kallsyms") == 0) {
    errno = EACCES;
    return nullptr;
  }
  static const auto next =
      reinterpret_cast<decltype(&fopen)>(dlsym(RTLD_NEXT, "fopen"));
  return next(path, mode);
}
