// The limit on the size of this rank's segment (spec 2.1.0.3). It depends on
// the free memory of the host and on GASNET_MAX_SEGSIZE.
//
// GASNET_MAX_SEGSIZE is LIMIT[/SCOPE]. LIMIT is a size (512M, 4G) or a fraction
// of the host's free memory (0.5). SCOPE is P or H, by default H. P limits each
// rank. H limits all ranks of a host together, and each gets an equal share.
#ifndef CORE_SEGMENT_LIMIT_H_
#define CORE_SEGMENT_LIMIT_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace gasnet {

struct SegmentLimit {
  // Either bytes, or a fraction in (0, 1] of the free memory.
  uint64_t bytes = 0;
  double fraction = 0;
  bool per_host = true;

  static std::optional<SegmentLimit> Parse(std::string_view text);

  // Returns the limit in bytes for one rank, rounded down to a multiple of
  // `page`. It is at most the rank's equal share of the free memory.
  uint64_t PerRank(uint64_t free_bytes, uint32_t ranks_on_host,
                   uint64_t page) const;
};

// Returns the value of GASNET_MAX_SEGSIZE, or the default of 0.85/H. Ends the
// process if the value is bad.
SegmentLimit SegmentLimitFromEnvironment();

}  // namespace gasnet

#endif  // CORE_SEGMENT_LIMIT_H_
