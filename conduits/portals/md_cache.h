// A cache of registrations, in the manner of firehose: the ranges of local
// memory that have a descriptor now, where none covers all memory.
//
//   none --Add--> in use --End of the last user--> idle --Remove--> none
//                    ^------------Find-----------------'
//
// A region that is in use is never removed. An idle one stays for its next
// user. Victim is the region that has been idle for the longest: it is to be
// removed where a limit is reached. Regions consist of whole pages and do not
// overlap, so that a range may lie in several; a caller gets its first bytes.
//
// A pure data structure: the caller binds and releases, and keeps the
// descriptor of each region by its number. Finding takes the logarithm of the
// number of regions, adding and removing as long as there are regions: little
// beside what Portals does then. Nothing is allocated after the construction.
// One thread at a time.
#ifndef CONDUITS_PORTALS_MD_CACHE_H_
#define CONDUITS_PORTALS_MD_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gasnet::portals {

class MdCache {
 public:
  struct Limits {
    uint32_t regions = 1;       // at once
    uint64_t bytes = 0;         // of all together
    uint64_t region_bytes = 0;  // of one; at least a page is taken
    uint64_t page = 4096;
  };
  struct Range {
    uintptr_t start = 0;
    uintptr_t end = 0;

    uint64_t bytes() const { return end - start; }
    bool operator==(const Range&) const = default;
  };
  // Of a region, below Limits::regions.
  using Number = uint32_t;

  explicit MdCache(const Limits& limits);

  // The region in which the address lies, with one user more.
  std::optional<Number> Find(uintptr_t address);

  // The range of a new region for the first of these bytes, of which the first
  // lies in none; of no more than `most` bytes, which is a multiple of a page.
  Range RangeFor(uintptr_t address, uint64_t nbytes, uint64_t most) const;
  // Whether the limits allow another region of so many bytes.
  bool HasRoom(uint64_t bytes) const;
  // A new region with one user. There is room for it.
  Number Add(const Range& range);

  // A user less. Whether it was the last.
  bool End(Number number);

  // None: all are in use.
  std::optional<Number> Victim() const;
  // Of an idle region.
  void Remove(Number number);

  // From now on regions have no more bytes than this.
  void Shorten(uint64_t bytes) { limits_.region_bytes = bytes; }

  const Range& RangeOf(Number number) const { return regions_[number].range; }
  const Limits& limits() const { return limits_; }
  size_t size() const { return by_start_.size(); }
  uint64_t bytes() const { return bytes_; }
  bool IsInUse() const { return in_use_ > 0; }

 private:
  struct Region {
    Range range;
    uint32_t users = 0;
    uint64_t idle_since = 0;  // in ends of users
  };

  // Where in by_start_ the first region is that begins behind the address.
  size_t Behind(uintptr_t address) const;

  Limits limits_;
  std::vector<Region> regions_;   // by number
  std::vector<Number> unused_;    // numbers
  std::vector<Number> by_start_;  // of the regions that there are
  uint64_t bytes_ = 0;
  size_t in_use_ = 0;  // regions
  uint64_t ends_ = 0;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_MD_CACHE_H_
