#include "portals/memory/shared_maps.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdlib>
#include <memory>

#include "base/cancellation.h"
#include "portals/memory/presence.h"

namespace gasnet::portals4 {
namespace {

dev_t DeviceOf(const VirtualArea& area) {
  return makedev(area.device_major, area.device_minor);
}

bool IsOf(int descriptor, const VirtualArea& area) {
  struct stat about;
  return fstat(descriptor, &about) == 0 && about.st_ino == area.inode &&
         about.st_dev == DeviceOf(area) && S_ISREG(about.st_mode);
}

bool MayWrite(int descriptor) {
  return (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDWR;
}

// Finds a descriptor of this process for the file of an area. Returns -1 if
// there is none.
int FindDescriptor(const VirtualArea& area) {
  const NoCancellation whole;
  const std::unique_ptr<DIR, int (*)(DIR*)> open_files(opendir("/proc/self/fd"),
                                                       &closedir);
  if (open_files == nullptr) return -1;
  int found = -1;
  while (const dirent* const entry = readdir(open_files.get())) {
    char* end = nullptr;
    const long descriptor = std::strtol(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != '\0') continue;
    const int candidate = static_cast<int>(descriptor);
    if (!IsOf(candidate, area)) continue;
    found = candidate;
    if (MayWrite(candidate)) break;
  }
  return found;
}

bool IsSame(const MapRecord& record, const VirtualArea& area) {
  return record.start == area.range.begin &&
         record.start + record.length == area.range.end &&
         record.inode == area.inode && record.device == DeviceOf(area) &&
         record.file_offset == area.file_offset && record.descriptor >= 0 &&
         IsOf(record.descriptor, area);
}

// Records an area, unless all records are in use. Returns 1 + the slot of the
// area's record, or 0.
uint32_t Publish(const View& view, uint32_t& maps, const VirtualArea& area) {
  for (uint32_t i = 0; i < maps; ++i) {
    if (IsSame(*view.Map(i), area)) return i + 1;
  }
  if (maps == kMaps) return 0;
  const int descriptor = FindDescriptor(area);
  if (descriptor < 0) return 0;
  *view.Map(maps) = {.start = area.range.begin,
                     .length = area.range.end - area.range.begin,
                     .file_offset = area.file_offset,
                     .device = DeviceOf(area),
                     .inode = area.inode,
                     .descriptor = descriptor,
                     .writable = area.writable && MayWrite(descriptor)};
  return ++maps;
}

}  // namespace

Backing FindBacking(const View& view, uint32_t& maps, uint64_t start,
                    uint64_t size) {
  Backing backing;
  VirtualArea area;
  if (size == 0) return {.readable = true, .writable = true};
  // No area contains the whole address space, or a range that wraps around.
  if (start + size < start || !FindArea(start, area)) return backing;
  if (area.range.Contains(start, size) && area.shared && area.inode != 0) {
    backing.mapping = Publish(view, maps, area);
  }
  backing.readable = IsPresent(start, size, Access::kRead);
  backing.writable = IsPresent(start, size, Access::kWrite);
  return backing;
}

}  // namespace gasnet::portals4
