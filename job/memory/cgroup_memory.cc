#include "job/memory/cgroup_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

namespace gasnet::job {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// The files of one version of the memory controller.
struct CgroupFiles {
  const char* mount;
  const char* limit;
  const char* usage;
  const char* reclaimable;  // The key of memory.stat.
};
constexpr CgroupFiles kVersion2 = {"/sys/fs/cgroup", "/memory.max",
                                   "/memory.current", "inactive_file"};
constexpr CgroupFiles kVersion2Hybrid = {"/sys/fs/cgroup/unified",
                                         "/memory.max", "/memory.current",
                                         "inactive_file"};
constexpr CgroupFiles kVersion1 = {
    "/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
    "total_inactive_file"};

// Returns the number in a file. Returns nothing if the file has the text "max",
// which means no limit.
std::optional<uint64_t> ReadNumber(const std::string& path) {
  std::ifstream file(path);
  uint64_t value;
  if (file >> value) return value;
  return std::nullopt;
}

uint64_t ReadStat(const std::string& path, std::string_view wanted) {
  std::ifstream file(path);
  std::string key;
  uint64_t value;
  while (file >> key >> value) {
    if (key == wanted) return value;
  }
  return 0;
}

uint64_t LeftIn(const std::string& group, const CgroupFiles& layout) {
  const auto limit = ReadNumber(group + layout.limit);
  const auto usage = ReadNumber(group + layout.usage);
  if (!limit.has_value() || !usage.has_value()) return kNoLimit;
  const uint64_t reclaimable =
      ReadStat(group + "/memory.stat", layout.reclaimable);
  const uint64_t used = *usage - std::min(*usage, reclaimable);
  return *limit - std::min(*limit, used);
}

// Returns the least memory that the group `path` or a group above it leaves. In
// a container, `path` may name groups that are invisible there. These groups
// are skipped on the way up.
uint64_t LeftInChain(const std::string& root, const CgroupFiles& layout,
                     std::string path) {
  const std::string mount = root + layout.mount;
  uint64_t left = LeftIn(mount, layout);
  while (path.size() > 1) {
    left = std::min(left, LeftIn(mount + path, layout));
    path.resize(path.find_last_of('/'));
  }
  return left;
}

bool ListsMemory(std::string_view controllers) {
  while (!controllers.empty()) {
    const size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "memory") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

// Returns the memory that one group may still allocate. `line` is the group's
// line of /proc/self/cgroup: "hierarchy:controllers:path".
uint64_t LeftByLine(const std::string& root, const std::string& line) {
  const size_t first = line.find(':');
  const size_t second = line.find(':', first + 1);
  if (second == std::string::npos) return kNoLimit;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  const std::string path = line.substr(second + 1);
  if (ListsMemory(controllers)) return LeftInChain(root, kVersion1, path);
  if (!controllers.empty()) return kNoLimit;
  return std::min(LeftInChain(root, kVersion2, path),
                  LeftInChain(root, kVersion2Hybrid, path));
}

}  // namespace

uint64_t AvailableCgroupMemory(const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  uint64_t left = kNoLimit;
  for (std::string line; std::getline(groups, line);) {
    left = std::min(left, LeftByLine(root, line));
  }
  return left;
}

}  // namespace gasnet::job
