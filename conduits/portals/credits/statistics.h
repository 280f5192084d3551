// GASNET_PORTAL_CREDIT_STATS: the statistics of a rank's credits, as text.
#ifndef CONDUITS_PORTALS_CREDITS_STATISTICS_H_
#define CONDUITS_PORTALS_CREDITS_STATISTICS_H_

#include <string>
#include <string_view>

#include "conduits/portals/credits/credits.h"
#include "core/rank.h"

namespace gasnet::portals_conduit::credits {

// Returns a line for the rank, `rank 0: total 10 bank 2 lent 8 ...`, and a line
// for each peer that was used, `peer 1: loan 4 send 6 ...`. A line is a list of
// names and numbers. `lent` is the sum of all loans: bank + lent = total.
std::string StatisticsText(const Credits& credits);

// Returns GASNET_PORTAL_CREDIT_STATS_FILE with each %r replaced by the rank.
std::string StatisticsPath(std::string_view pattern, Rank rank);

// Writes the text for `credits` to the file `path`, replacing the file. Returns
// 0, or an errno. Allocates nothing and takes no lock, because the process may
// be ending in the middle of any code.
int WriteStatistics(const Credits& credits, const char* path);

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_STATISTICS_H_
