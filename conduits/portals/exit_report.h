// The report of a rank's messages and transfers when it ends
// (GASNET_PORTAL_STATISTICS): one line on stderr, once, whether it ends by
// gasnet_exit, by exit() or because the job does. It takes no lock, since the
// end may have interrupted anything.
#ifndef CONDUITS_PORTALS_EXIT_REPORT_H_
#define CONDUITS_PORTALS_EXIT_REPORT_H_

#include "conduits/portals/network.h"

namespace gasnet::portals {

// From here on it will, if it was asked to. Once; the network lives as long as
// the process.
void ReportAtExit(const Network& network);

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_EXIT_REPORT_H_
