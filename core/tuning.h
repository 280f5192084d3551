// Constants that tune the parts common to all conduits.
#ifndef CORE_TUNING_H_
#define CORE_TUNING_H_

namespace gasnet {

// The default of GASNET_MAX_SEGSIZE: all segments of a host together get at
// most this share of the host's free memory. The rest is for stacks, heaps and
// message rings. Reasoned, not measured.
inline constexpr char kDefaultSegmentLimit[] = "0.85/H";

}  // namespace gasnet

#endif  // CORE_TUNING_H_
