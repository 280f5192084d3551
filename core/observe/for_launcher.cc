#include "core/observe/for_launcher.h"

#include <cstddef>
#include <cstdint>

#include "core/observe/call.h"
#include "core/observe/network_counts.h"
#include "core/observe/totals.h"
#include "job/statistics/rank_statistics.h"

namespace gasnet::observe {
namespace {

int64_t Nanos(uint64_t nanos) { return static_cast<int64_t>(nanos); }

job::RankStatistics StatisticsOf(const Totals& totals, int64_t elapsed) {
  job::RankStatistics statistics;
  statistics.elapsed = elapsed;
  for (const HandlerTotal& handler : totals.handlers) {
    statistics.handlers += handler.runs;
  }
  for (size_t i = 0; i <= kCalls; ++i) {
    const CallTotal& total = totals.calls[i];
    if (total.calls == 0 && total.waits == 0) continue;
    const auto call = static_cast<Call>(i);
    statistics.calls.push_back(
        {.name = call == Call::kNone ? "other_calls" : NameOf(call),
         .calls = total.calls,
         .bytes = total.bytes,
         .nanos = Nanos(total.times.sum),
         .waiting = Nanos(total.waiting)});
  }
  for (size_t i = 0; i < totals.waits.size(); ++i) {
    const TotalTimes& total = totals.waits[i];
    if (total.timed == 0) continue;
    statistics.waits.push_back({.what = static_cast<WaitFor>(i),
                                .count = total.timed,
                                .nanos = Nanos(total.sum)});
  }
  for (size_t peer = 0; peer < totals.peers.size(); ++peer) {
    const PeerTotal& total = totals.peers[peer];
    if (total.operations == 0) continue;
    statistics.peers.push_back({.peer = static_cast<uint32_t>(peer),
                                .operations = total.operations,
                                .bytes = total.bytes});
  }
  NetworkCounts::Visit([&](const char* name, uint64_t count) {
    if (statistics.network.size() == job::kMaxNetworkCounts) return;
    statistics.network.push_back({.name = name, .count = count});
  });
  return statistics;
}

}  // namespace

void EncodeForLauncher(Observer& observer,
                       absl::FunctionRef<void(std::string_view)> send) {
  Statistics& statistics = observer.statistics();
  const Totals* const totals = statistics.Collect(observer.newest());
  if (totals == nullptr) return;
  send(job::Encode(StatisticsOf(*totals, statistics.elapsed())));
  statistics.EndCollect();
}

}  // namespace gasnet::observe
