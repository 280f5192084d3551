// The report of a rank's datagrams when it ends (GASNET_UDP_STATISTICS).
//
// One line on stderr, once, whether it ends by gasnet_exit, by exit() or
// because the job does; none where it crashes or is killed, and none from
// children that were forked. It takes no lock: the end may have interrupted
// anything.
#ifndef CONDUITS_UDP_EXIT_REPORT_H_
#define CONDUITS_UDP_EXIT_REPORT_H_

#include "conduits/udp/network.h"

namespace gasnet::udp {

// From here on it will. Once; the network lives as long as the process.
void ReportAtExit(const Network& network);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_EXIT_REPORT_H_
