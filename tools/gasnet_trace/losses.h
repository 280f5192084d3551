// Reports on the events of a rank that are not in its trace.
#ifndef TOOLS_GASNET_TRACE_LOSSES_H_
#define TOOLS_GASNET_TRACE_LOSSES_H_

#include <string>

#include "tools/gasnet_trace/rank_trace.h"
#include "tools/gasnet_trace/ring_cursor.h"

namespace gasnet::trace {

// Returns lines about lost and damaged events of a ring whose cursor is at its
// end. Each line ends with a newline. Returns an empty string if there are
// none.
std::string RingLosses(const RankTrace& rank, const RingCursor& ring);

// Returns a line about threads that have no ring, or an empty string.
std::string ThreadLosses(const RankTrace& rank);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_LOSSES_H_
