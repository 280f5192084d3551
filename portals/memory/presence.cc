#include "portals/memory/presence.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/cancellation.h"
#include "base/unique_fd.h"

namespace gasnet::portals4 {
namespace {

// PROCMAP_QUERY of Linux 6.11. Installed headers may lack it.
struct MapQuery {
  uint64_t size;
  uint64_t flags;
  uint64_t address;
  uint64_t start;
  uint64_t end;
  uint64_t area_flags;
  uint64_t page_size;
  uint64_t offset;
  uint64_t inode;
  uint32_t device_major;
  uint32_t device_minor;
  uint32_t name_size;
  uint32_t build_id_size;
  uint64_t name;
  uint64_t build_id;
};
static_assert(sizeof(MapQuery) == 104);
constexpr unsigned long kMapQuery = _IOWR('f', 17, MapQuery);
constexpr uint64_t kReadable = 1;
constexpr uint64_t kWritable = 2;
constexpr uint64_t kShared = 8;

enum class QueryResult { kYes, kNo, kCannotTell };

QueryResult Query(int maps, uint64_t address, VirtualArea& area) {
  MapQuery query = {};
  query.size = sizeof query;
  query.address = address;
  if (ioctl(maps, kMapQuery, &query) != 0) {
    return errno == ENOENT ? QueryResult::kNo : QueryResult::kCannotTell;
  }
  area.range = {query.start, query.end};
  area.readable = (query.area_flags & kReadable) != 0;
  area.writable = (query.area_flags & kWritable) != 0;
  area.shared = (query.area_flags & kShared) != 0;
  area.file_offset = query.offset;
  area.device_major = query.device_major;
  area.device_minor = query.device_minor;
  area.inode = query.inode;
  return QueryResult::kYes;
}

bool Parse(const char* line, VirtualArea& area) {
  char rights[5];
  const int fields = std::sscanf(
      line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64,
      &area.range.begin, &area.range.end, rights, &area.file_offset,
      &area.device_major, &area.device_minor, &area.inode);
  if (fields != 7) return false;
  area.readable = rights[0] == 'r';
  area.writable = rights[1] == 'w';
  area.shared = rights[3] == 's';
  return true;
}

bool Search(uint64_t address, VirtualArea& area) {
  const std::unique_ptr<FILE, int (*)(FILE*)> maps(
      std::fopen("/proc/self/maps", "re"), &std::fclose);
  if (maps == nullptr) return false;
  char line[512];
  while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
    if (Parse(line, area) && area.range.Contains(address, 1)) return true;
  }
  return false;
}

bool Permits(const VirtualArea& area, Access access) {
  return access == Access::kRead ? area.readable : area.writable;
}

}  // namespace

bool FindArea(uint64_t address, VirtualArea& area) {
  const NoCancellation whole;
  const UniqueFd maps(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  if (maps.valid()) {
    const QueryResult found = Query(maps.get(), address, area);
    if (found != QueryResult::kCannotTell) return found == QueryResult::kYes;
  }
  return Search(address, area);
}

namespace internal {

thread_local constinit Remembered remembered;

bool LookForMemory(uint64_t start, uint64_t size, Access access) {
  if (start + size < start) return false;
  PresentRange seen = {start, start};
  while (seen.end < start + size) {
    VirtualArea area;
    if (!FindArea(seen.end, area) || !Permits(area, access)) return false;
    if (seen.begin == start) seen.begin = area.range.begin;
    seen.end = area.range.end;
  }
  PresentRange* const ranges =
      access == Access::kRead ? remembered.readable : remembered.writable;
  ranges[1] = ranges[0];
  ranges[0] = seen;
  return true;
}

}  // namespace internal
}  // namespace gasnet::portals4
