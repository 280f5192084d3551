#include "gasnet_tools/system.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "absl/strings/ascii.h"
#include "base/cpu.h"
#include "base/log.h"
#include "gasnet_tools/src/export.h"

namespace {

constexpr __rlimit_resource kRaisedLimits[] = {
    RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_RSS, RLIMIT_STACK};

bool Maximize(__rlimit_resource resource) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return false;
  if (limit.rlim_cur == limit.rlim_max) return true;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0;
}

struct ExecutableName {
  ExecutableName() {
    if (readlink("/proc/self/exe", text, sizeof text - 1) < 0) text[0] = '\0';
  }
  char text[4096] = {};
};

struct HostName {
  HostName() {
    if (gethostname(text, sizeof text - 1) != 0) {
      snprintf(text, sizeof text, "unknown");
    }
    for (char& letter : text) letter = absl::ascii_tolower(letter);
  }
  char text[256] = {};
};

}  // namespace

GASNETTI_EXPORT int gasnett_cpu_count() {
  return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

GASNETTI_EXPORT uint64_t gasnett_getPhysMemSz(int failure_is_fatal) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0) return uint64_t{1} * pages * page_bytes;
  if (failure_is_fatal != 0) {
    gasnet::Fatal("gasnett_getPhysMemSz: the size of memory is unknown");
  }
  return 0;
}

GASNETTI_EXPORT const char* gasnett_gethostname() {
  static const HostName& name = *new HostName;
  return name.text;
}

GASNETTI_EXPORT const char* gasnett_exe_name() {
  static const ExecutableName& name = *new ExecutableName;
  return name.text;
}

GASNETTI_EXPORT int gasnett_isLittleEndian() {
  return std::endian::native == std::endian::little;
}

GASNETTI_EXPORT const char* gasnett_release_version_str() {
  return GASNETTI_RELEASE_STRING;
}

GASNETTI_EXPORT uint64_t gasnett_release_version() {
  return GASNETT_RELEASE_VERSION_MAJOR * uint64_t{1000000} +
         GASNETT_RELEASE_VERSION_MINOR * uint64_t{1000} +
         GASNETT_RELEASE_VERSION_PATCH;
}

GASNETTI_EXPORT int gasnett_set_affinity(int rank) {
  const std::vector<int> allowed = gasnet::AllowedCpus();
  const int count = static_cast<int>(allowed.size());
  const int cpu = allowed[(rank % count + count) % count];
  std::vector<cpu_set_t> set(cpu / CPU_SETSIZE + 1);
  CPU_SET_S(cpu, set.size() * sizeof set[0], set.data());
  if (sched_setaffinity(0, set.size() * sizeof set[0], set.data()) != 0) {
    gasnet::Warn("gasnett_set_affinity: cannot bind to processor %d: %s", cpu,
                 strerror(errno));
    return 1;
  }
  return 0;
}

GASNETTI_EXPORT int gasnett_nsleep(uint64_t nanoseconds) {
  constexpr uint64_t kSecond = 1000000000;
  timespec rest = {.tv_sec = static_cast<time_t>(nanoseconds / kSecond),
                   .tv_nsec = static_cast<long>(nanoseconds % kSecond)};
  while (nanosleep(&rest, &rest) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

GASNETTI_EXPORT int gasnett_maximize_rlimits() {
  int all = 1;
  for (const __rlimit_resource resource : kRaisedLimits) {
    if (!Maximize(resource)) all = 0;
  }
  return all;
}

GASNETTI_EXPORT int gasnett_maximize_rlimit(int resource,
                                            const char* /*name*/) {
  return Maximize(static_cast<__rlimit_resource>(resource));
}

GASNETTI_EXPORT int gasnett_sched_yield() { return sched_yield(); }

GASNETTI_EXPORT void* gasnett_mmap(uintptr_t size) {
  void* memory =
      mmap(nullptr, std::max<uintptr_t>(size, 1), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    gasnet::Fatal("gasnett_mmap: cannot map %ju bytes: %s", uintmax_t{size},
                  strerror(errno));
  }
  return memory;
}

GASNETTI_EXPORT const char* gasnett_performance_warning_str() {
#ifdef GASNET_DEBUG
  return "NOTICE: this is a debug build of GASNet: every call is checked, so "
         "do not judge its speed.\n";
#else
  return "";
#endif
}
