#include "conduits/portals/exit_report.h"

#include <array>
#include <atomic>
#include <string>

#include "base/log.h"
#include "conduits/portals/credits/statistics.h"
#include "conduits/portals/statistics.h"
#include "job/process_end.h"

namespace gasnet::portals {
namespace {

constexpr size_t kLineBytes = 1024;

// Written before anybody can come to Report.
const Network* described = nullptr;
std::string* credits_path = nullptr;  // never destroyed

void ReportStatistics() {
  std::array<char, kLineBytes> line = {};
  described->statistics().Print(line.data(), line.size());
  Inform("Portals statistics: %s", line.data());
}

void ReportCredits() {
  const int error = credits::WriteStatistics(described->messages().credits(),
                                             credits_path->c_str());
  if (error == 0) return;
  Warn("GASNET_PORTAL_CREDIT_STATS: %s: error %d", credits_path->c_str(),
       error);
}

void Report() {
  // A thread may call exit() while the job ends.
  static std::atomic<bool> reported{false};
  if (reported.exchange(true, std::memory_order_relaxed)) return;
  if (described->settings().statistics) ReportStatistics();
  if (credits_path != nullptr) ReportCredits();
}

}  // namespace

void ReportAtExit(const Network& network, Rank rank) {
  const Settings& settings = network.settings();
  if (!settings.statistics && !settings.credits.statistics) return;
  described = &network;
  if (settings.credits.statistics) {
    credits_path = new std::string(
        credits::StatisticsPath(settings.credits.statistics_file, rank));
  }
  job::SetExitReport(&Report);
}

}  // namespace gasnet::portals
