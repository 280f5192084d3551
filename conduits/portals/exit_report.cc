#include "conduits/portals/exit_report.h"

#include <array>
#include <atomic>

#include "base/log.h"
#include "conduits/portals/statistics.h"
#include "job/process_end.h"

namespace gasnet::portals {
namespace {

constexpr size_t kLineBytes = 1024;

// Written before anybody can come to Report.
const Network* described = nullptr;

void Report() {
  // A thread may call exit() while the job ends.
  static std::atomic<bool> reported{false};
  if (reported.exchange(true, std::memory_order_relaxed)) return;
  std::array<char, kLineBytes> line = {};
  described->statistics().Print(line.data(), line.size());
  Inform("Portals statistics: %s", line.data());
}

}  // namespace

void ReportAtExit(const Network& network) {
  if (!network.settings().statistics) return;
  described = &network;
  job::SetExitReport(&Report);
}

}  // namespace gasnet::portals
