// A registration cache like firehose: the ranges of local memory that have a
// descriptor now. Used if no descriptor covers all memory.
//
//   none --Add--> in use --End of the last user--> idle --Remove--> none
//                    ^------------Find-----------------'
//
// A region in use is never removed. An idle region stays for its next user. If
// a limit is reached, the caller removes the region that Victim() names: the
// region that has been idle for the longest time. Regions consist of whole
// pages and do not overlap. So a range may lie in several regions. A caller
// gets the region of its first bytes.
//
// A pure data structure: the caller binds and releases descriptors, and keeps
// the descriptor of each region by the region's number. Finding a region takes
// time logarithmic in the number of regions. Adding and removing take time
// proportional to that number, but this is little compared with the work of
// Portals. Nothing is allocated after construction. Not thread-safe.
#ifndef CONDUITS_PORTALS_MD_CACHE_H_
#define CONDUITS_PORTALS_MD_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gasnet::portals_conduit {

class MdCache {
 public:
  struct Limits {
    uint32_t regions = 1;  // maximum number of regions at once
    uint64_t bytes = 0;    // maximum bytes of all regions together
    // maximum bytes of a region; a region has at least one page
    uint64_t region_bytes = 0;
    uint64_t page = 4096;
  };
  struct Range {
    uintptr_t start = 0;
    uintptr_t end = 0;

    uint64_t bytes() const { return end - start; }
    bool operator==(const Range&) const = default;
  };
  // The number of a region, below Limits::regions.
  using Number = uint32_t;

  explicit MdCache(const Limits& limits);

  // Returns the region that contains the address, and adds a user to the
  // region.
  std::optional<Number> Find(uintptr_t address);

  // Returns the range of a new region for the first of the `nbytes` bytes.
  // Requires that the first byte lies in no region. The range has at most
  // `most` bytes; `most` is a multiple of the page size.
  Range RangeFor(uintptr_t address, uint64_t nbytes, uint64_t most) const;
  // Returns true if the limits allow another region of `bytes` bytes.
  bool HasRoom(uint64_t bytes) const;
  // Adds a region with one user. Requires that HasRoom() is true for the
  // region.
  Number Add(const Range& range);

  // Removes a user from a region. Returns true if this was the last user.
  bool End(Number number);

  // Returns the region to remove next, or nullopt if all regions are in use.
  std::optional<Number> Victim() const;
  // Removes an idle region.
  void Remove(Number number);

  // Limits the size of new regions to `bytes` bytes.
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
    uint64_t idle_since = 0;  // value of ends_ when the last user left
  };

  // Returns the index in by_start_ of the first region that starts after the
  // address.
  size_t Behind(uintptr_t address) const;

  Limits limits_;
  std::vector<Region> regions_;   // indexed by number
  std::vector<Number> unused_;    // numbers without a region
  std::vector<Number> by_start_;  // existing regions, by start
  uint64_t bytes_ = 0;
  size_t in_use_ = 0;  // number of regions in use
  uint64_t ends_ = 0;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_MD_CACHE_H_
