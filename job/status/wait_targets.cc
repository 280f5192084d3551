#include "job/status/wait_targets.h"

#include <optional>

namespace gasnet::job {
namespace {

// Returns the number of collectives that a rank has begun on a team. Returns
// nothing if the rank does not report the team, and may not be a member.
std::optional<uint32_t> BegunOn(const RankView& rank, uint64_t team) {
  for (const RankStatus::Team& known : rank.status.teams) {
    if (known.name == team) return known.begun;
  }
  return std::nullopt;
}

bool IsOfAllRanks(uint64_t team) {
  return team == kTeamOfAll || team == kBarriersOfAll;
}

// Returns true if the rank has not entered the collective operation in which
// other ranks wait.
bool IsMissing(const RankView& rank, const Waiting& waiting) {
  if (!rank.has_reported && waiting.what != WaitFor::kAllRanks) return false;
  switch (waiting.what) {
    case WaitFor::kBarrier:
      // Compares by a signed difference, because the counts wrap around.
      return static_cast<int32_t>(rank.status.barriers -
                                  static_cast<uint32_t>(waiting.first)) < 0;
    case WaitFor::kCollective: {
      const std::optional<uint32_t> begun = BegunOn(rank, waiting.first);
      if (!begun.has_value()) return IsOfAllRanks(waiting.first);
      return static_cast<int32_t>(*begun -
                                  static_cast<uint32_t>(waiting.second)) < 0;
    }
    case WaitFor::kAllRanks:
      return !rank.status.HasWait(WaitFor::kAllRanks);
    default:
      return false;
  }
}

}  // namespace

bool IsMeeting(WaitFor what) {
  return what == WaitFor::kBarrier || what == WaitFor::kCollective ||
         what == WaitFor::kAllRanks;
}

Waiting Lasting(Waiting waiting) {
  if (waiting.what == WaitFor::kRoom) waiting.second = 0;
  if (waiting.what == WaitFor::kTransfers) waiting.first = 0;
  return waiting;
}

std::vector<RankWait> WaitsOf(const RankView& rank) {
  std::vector<RankWait> waits = rank.status.waits;
  const RankStatus::Network& network = rank.status.network;
  if (network.nanos == 0) return waits;
  for (RankWait& wait : waits) {
    const bool is_open = wait.waiting.what == WaitFor::kTransfers &&
                         wait.waiting.peer == kNobody;
    if (is_open) wait.waiting.peer = network.peer;
  }
  if (waits.empty()) {
    waits.push_back(
        {.waiting = {.what = WaitFor::kNetwork, .peer = network.peer},
         .nanos = network.nanos});
  }
  return waits;
}

Ranks TargetsOf(const JobView& job, const Waiting& waiting) {
  Ranks targets;
  if (!IsMeeting(waiting.what)) {
    if (waiting.peer < job.size()) targets.push_back(waiting.peer);
    return targets;
  }
  for (uint32_t rank = 0; rank < job.size(); ++rank) {
    if (IsMissing(job[rank], waiting)) targets.push_back(rank);
  }
  return targets;
}

}  // namespace gasnet::job
