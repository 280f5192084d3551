// The report of a rank's messages and transfers when it ends: one line on
// stderr (GASNET_PORTAL_STATISTICS), and of its credits a file
// (GASNET_PORTAL_CREDIT_STATS). Once, whether it ends by gasnet_exit, by exit()
// or because the job does. It takes no lock and allocates nothing, since the
// end may have interrupted anything.
#ifndef CONDUITS_PORTALS_EXIT_REPORT_H_
#define CONDUITS_PORTALS_EXIT_REPORT_H_

#include "conduits/portals/network.h"
#include "core/rank.h"

namespace gasnet::portals {

// From here on it will, if it was asked to. Once; the network lives as long as
// the process.
void ReportAtExit(const Network& network, Rank rank);

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_EXIT_REPORT_H_
