#include "base/memory_limit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/syscall.h"
#include "base/unique_fd.h"

namespace gasnet {
namespace {

unsigned long long MiB(uint64_t bytes) { return bytes >> 20; }

bool IsLimited(__rlimit_resource resource, uint64_t& bytes) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return false;
  bytes = limit.rlim_cur;
  return limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

uint64_t MappedBytes() {
  char text[128] = {};
  const UniqueFd file(open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  if (!file.valid() || ReadFull(file.get(), text, sizeof text - 1) <= 0) {
    return 0;
  }
  return strtoull(text, nullptr, 10) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

MemoryText DescribeMemory() {
  MemoryText out;
  const unsigned long long mapped = MiB(MappedBytes());
  uint64_t limit = 0;
  if (IsLimited(RLIMIT_AS, limit)) {
    snprintf(
        out.text, sizeof out.text,
        "; this process has %llu MiB of addresses, of the %llu that ulimit "
        "-v admits",
        mapped, MiB(limit));
  } else if (IsLimited(RLIMIT_DATA, limit)) {
    snprintf(out.text, sizeof out.text,
             "; this process has %llu MiB of addresses, and ulimit -d admits "
             "%llu of data",
             mapped, MiB(limit));
  } else {
    snprintf(out.text, sizeof out.text,
             "; this process has %llu MiB of addresses", mapped);
  }
  return out;
}

}  // namespace gasnet
