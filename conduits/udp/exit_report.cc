#include "conduits/udp/exit_report.h"

#include <atomic>

#include "base/log.h"
#include "core/datagram/description.h"
#include "job/process_end.h"

namespace gasnet::udp {
namespace {

// Written before anybody can come to Report.
const Network* described = nullptr;

void Report() {
  // A thread may call exit() while the job ends.
  static std::atomic<bool> reported{false};
  if (reported.exchange(true, std::memory_order_relaxed)) return;
  const datagram::Description description(described->endpoint().statistics(),
                                          described->port().Lost());
  Inform("UDP statistics: %s", description.text());
}

}  // namespace

void ReportAtExit(const Network& network) {
  described = &network;
  job::SetExitReport(&Report);
}

}  // namespace gasnet::udp
