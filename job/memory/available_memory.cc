#include <sys/resource.h>
#include <sys/vfs.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/memory_limit.h"
#include "job/memory/cgroup_memory.h"
#include "job/memory/host_memory.h"

namespace gasnet::job {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

uint64_t AvailableRam() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  uint64_t kibibytes;
  while (file >> key >> kibibytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kibibytes << 10;
  }
  return kUnlimited;
}

uint64_t SoftLimit(__rlimit_resource resource) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return kUnlimited;
  return limit.rlim_cur == RLIM_INFINITY ? kUnlimited : limit.rlim_cur;
}

// The part of a limited address space that segments must leave free. The heap
// grows, threads start, and libfabric maps memory at the first message to a
// peer. If libfabric gets no memory, the message waits forever.
constexpr uint64_t kKeptAddresses = 32 << 20;

// Returns the rest of RLIMIT_AS, minus kKeptAddresses.
uint64_t AvailableAddressSpace() {
  const uint64_t limit = SoftLimit(RLIMIT_AS);
  if (limit == kUnlimited) return limit;
  return limit - std::min(limit, MappedBytes() + kKeptAddresses);
}

}  // namespace

std::optional<uint64_t> FreeInFileSystem(int fd) {
  struct statfs info;
  if (fstatfs(fd, &info) != 0 || info.f_blocks == 0) return std::nullopt;
  return static_cast<uint64_t>(info.f_bavail) * info.f_bsize;
}

uint64_t AvailableHostMemory(int fd) {
  return std::min({AvailableRam(), AvailableCgroupMemory(),
                   AvailableAddressSpace(), SoftLimit(RLIMIT_FSIZE),
                   FreeInFileSystem(fd).value_or(kUnlimited)});
}

}  // namespace gasnet::job
