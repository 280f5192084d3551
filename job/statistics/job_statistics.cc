#include "job/statistics/job_statistics.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "job/statistics/saturating.h"

namespace gasnet::job {
namespace {

// Sums of calls and of the network's counts by name, and of waits by reason.
struct Sums {
  std::map<std::string, CallStatistics> calls;
  std::array<WaitStatistics, static_cast<size_t>(WaitFor::kLast) + 1> waits;
  std::map<std::string, uint64_t> network;
};

int64_t TimeOf(const CallStatistics& call) {
  return Times{.working = call.nanos, .waiting = call.waiting}.InGasnet();
}

Times TimesOf(const RankStatistics& statistics) {
  Times times = {.elapsed = statistics.elapsed};
  for (const CallStatistics& call : statistics.calls) {
    AddTo(times.working, call.nanos);
    AddTo(times.waiting, call.waiting);
  }
  return times;
}

bool IsBusier(const PairTraffic& a, const PairTraffic& b) {
  return std::tie(b.traffic.bytes, b.traffic.operations, a.rank, a.peer) <
         std::tie(a.traffic.bytes, a.traffic.operations, b.rank, b.peer);
}

// Keeps at most kBusiest pairs, sorted with the busiest first.
void KeepBusiest(std::vector<PairTraffic>& pairs) {
  const size_t kept = std::min(pairs.size(), JobSummary::kBusiest);
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<ptrdiff_t>(kept),
                    pairs.end(), IsBusier);
  pairs.resize(kept);
}

void AddCalls(const std::vector<CallStatistics>& calls, Sums& sums) {
  for (const CallStatistics& call : calls) {
    CallStatistics& sum = sums.calls[call.name];
    sum.name = call.name;
    AddTo(sum.calls, call.calls);
    AddTo(sum.bytes, call.bytes);
    AddTo(sum.nanos, call.nanos);
    AddTo(sum.waiting, call.waiting);
  }
}

void AddWaits(const std::vector<WaitStatistics>& waits, Sums& sums) {
  for (const WaitStatistics& wait : waits) {
    WaitStatistics& sum = sums.waits[static_cast<size_t>(wait.what)];
    sum.what = wait.what;
    AddTo(sum.count, wait.count);
    AddTo(sum.nanos, wait.nanos);
  }
}

void AddNetwork(const std::vector<NetworkStatistics>& network, Sums& sums) {
  for (const NetworkStatistics& count : network) {
    AddTo(sums.network[count.name], count.count);
  }
}

// Moves the sums into the summary. The calls and waits with the most time come
// first.
void SortSums(Sums sums, JobSummary& summary) {
  for (auto& [name, call] : sums.calls)
    summary.calls.push_back(std::move(call));
  std::stable_sort(summary.calls.begin(), summary.calls.end(),
                   [](const CallStatistics& a, const CallStatistics& b) {
                     return TimeOf(a) > TimeOf(b);
                   });
  for (const auto& [name, count] : sums.network) {
    summary.network.push_back({name, count});
  }
  for (const WaitStatistics& wait : sums.waits) {
    if (wait.count > 0 || wait.nanos > 0) summary.waits.push_back(wait);
  }
  std::stable_sort(summary.waits.begin(), summary.waits.end(),
                   [](const WaitStatistics& a, const WaitStatistics& b) {
                     return a.nanos > b.nanos;
                   });
}

// Adds a rank's share of waiting to the extremes and to the sum of shares. Call
// this in the order of ranks, so that the lowest rank wins a tie.
void AddShare(uint32_t rank, double share, JobSummary& summary) {
  if (summary.reported == 0 || share < summary.least.share) {
    summary.least = {rank, share};
  }
  if (summary.reported == 0 || share > summary.most.share) {
    summary.most = {rank, share};
  }
  summary.mean_share += share;
}

void AddRank(const Times& times, const std::vector<Traffic>& with,
             GroupSummary& group) {
  ++group.reported;
  group.times.Add(times);
  for (size_t i = 0; i < with.size(); ++i) group.with[i].Add(with[i]);
}

}  // namespace

JobStatistics::JobStatistics(uint32_t ranks, std::vector<uint32_t> host_of)
    : groups_(ranks, std::move(host_of)), entries_(ranks) {}

void JobStatistics::AddTraffic(uint32_t rank, const RankStatistics& statistics,
                               Entry& entry) const {
  entry.with.resize(groups_.size());
  for (const PeerStatistics& peer : statistics.peers) {
    const Traffic traffic = {peer.operations, peer.bytes};
    entry.with[groups_.Of(peer.peer)].Add(traffic);
    entry.busiest.push_back({rank, peer.peer, traffic});
  }
  KeepBusiest(entry.busiest);
  entry.busiest.shrink_to_fit();
  entry.unknown = {statistics.other_operations, statistics.other_bytes};
}

bool JobStatistics::Take(uint32_t rank, const RankStatistics& statistics) {
  const bool are_ranks =
      std::all_of(statistics.peers.begin(), statistics.peers.end(),
                  [this](const PeerStatistics& peer) {
                    return peer.peer < entries_.size();
                  });
  if (!are_ranks) return false;
  auto entry = std::make_unique<Entry>();
  entry->times = TimesOf(statistics);
  entry->handlers = statistics.handlers;
  entry->calls = statistics.calls;
  entry->waits = statistics.waits;
  entry->network = statistics.network;
  AddTraffic(rank, statistics, *entry);
  entries_[rank] = std::move(entry);
  return true;
}

JobSummary JobStatistics::Summarize(
    int64_t wall, const std::vector<std::string>& hosts) const {
  JobSummary summary = {.ranks = static_cast<uint32_t>(entries_.size()),
                        .wall = wall};
  for (uint32_t group = 0; group < groups_.size(); ++group) {
    summary.groups.push_back({.name = groups_.Name(group, hosts),
                              .with = std::vector<Traffic>(groups_.size())});
  }
  Sums sums;
  for (uint32_t rank = 0; rank < entries_.size(); ++rank) {
    GroupSummary& group = summary.groups[groups_.Of(rank)];
    ++group.ranks;
    if (entries_[rank] == nullptr) continue;
    const Entry& entry = *entries_[rank];
    AddRank(entry.times, entry.with, group);
    AddCalls(entry.calls, sums);
    AddWaits(entry.waits, sums);
    AddNetwork(entry.network, sums);
    AddShare(rank, entry.times.WaitingShare(), summary);
    AddTo(summary.handlers, entry.handlers);
    summary.times.Add(entry.times);
    summary.unknown.Add(entry.unknown);
    for (const Traffic& traffic : entry.with) summary.traffic.Add(traffic);
    summary.busiest.insert(summary.busiest.end(), entry.busiest.begin(),
                           entry.busiest.end());
    ++summary.reported;
  }
  summary.traffic.Add(summary.unknown);
  summary.mean_share /= std::max(1u, summary.reported);
  KeepBusiest(summary.busiest);
  SortSums(std::move(sums), summary);
  return summary;
}

}  // namespace gasnet::job
