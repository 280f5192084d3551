#include "job/status/diagnosis.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "job/status/wait_targets.h"

namespace gasnet::job {
namespace {

// The maximum number of ranks of a cycle that are named.
constexpr size_t kStepsOfCycle = 8;
// The maximum number of ranks of a group whose network is quoted.
constexpr size_t kNetworksOfGroup = 3;

// Maps a condition in words to the ranks in this condition.
using Conditions = std::map<std::string, Ranks>;

// Ranks with the same reason to wait, and the ranks that they wait for.
struct WaitGroup {
  Waiting waiting;
  Ranks waiters;
  Ranks targets;
  int64_t nanos = 0;   // The longest wait.
  bool leads = false;  // True if the waits lead to an end (IsEnd).
};

class Graph {
 public:
  Graph(const JobView& job, int64_t shortest_nanos)
      : job_(job), shortest_nanos_(shortest_nanos), waits_(job.size()) {
    for (uint32_t rank = 0; rank < job.size(); ++rank) {
      if (job[rank].phase != RankView::Phase::kJoined) continue;
      for (const RankWait& wait : WaitsOf(job[rank])) {
        if (wait.nanos >= shortest_nanos) Add(rank, wait);
      }
    }
    FindReached();
  }

  std::vector<std::string> Lines() const {
    std::vector<const WaitGroup*> causes;
    for (const auto& [key, group] : groups_) {
      if (IsEnd(group) || IsOfNetwork(group)) causes.push_back(&group);
    }
    std::stable_sort(causes.begin(), causes.end(),
                     [this](const WaitGroup* a, const WaitGroup* b) {
                       return Weight(*a) > Weight(*b);
                     });
    std::vector<std::string> lines;
    for (const WaitGroup* group : causes) lines.push_back(Line(*group));
    const std::string cycle = Cycle();
    if (!cycle.empty()) lines.push_back(cycle);
    return lines;
  }

 private:
  using Key = std::tuple<WaitFor, uint32_t, uint64_t, uint64_t>;

  void Add(uint32_t rank, const RankWait& wait) {
    const Waiting lasting = Lasting(wait.waiting);
    auto [at, is_new] = groups_.try_emplace(
        Key(lasting.what, lasting.peer, lasting.first, lasting.second));
    WaitGroup& group = at->second;
    group.waiting = is_new ? wait.waiting : lasting;
    if (is_new) group.targets = TargetsOf(job_, lasting);
    group.nanos = std::max(group.nanos, wait.nanos);
    // A rank may wait in several threads, but is listed once.
    if (group.waiters.empty() || group.waiters.back() != rank) {
      group.waiters.push_back(rank);
    }
    waits_[rank] = true;
  }

  // Returns true if the group is an end of the graph: it waits for a rank that
  // is free, or for unknown ranks.
  bool IsEnd(const WaitGroup& group) const {
    return group.targets.empty() ||
           std::any_of(group.targets.begin(), group.targets.end(),
                       [this](uint32_t rank) { return IsFree(rank); });
  }
  // Returns true if a network waits for the rank for which this group waits.
  // The network may be the cause, even if that rank waits too.
  bool IsOfNetwork(const WaitGroup& group) const {
    if (IsMeeting(group.waiting.what)) return false;
    return std::any_of(
        group.waiters.begin(), group.waiters.end(), [&](uint32_t rank) {
          const RankStatus::Network& network = job_[rank].status.network;
          return network.nanos > 0 && network.nanos >= shortest_nanos_ &&
                 network.peer == group.waiting.peer;
        });
  }
  // Returns true if no wait holds the rank up. Such a rank has no long wait, or
  // is stopped, or is in a handler that does not end. A rank that goes from one
  // short wait to the next is free too.
  bool IsFree(uint32_t rank) const {
    return !waits_[rank] || job_[rank].IsStopped() ||
           job_[rank].WaitsUnserved();
  }

  // Returns a weight for sorting groups, the largest weight first. Known ends
  // precede waits of networks, and these precede waits for unknown ranks.
  // Within each, more waiters come first.
  std::pair<int, size_t> Weight(const WaitGroup& group) const {
    const bool is_known = !group.targets.empty();
    return {is_known + (is_known && IsEnd(group)), group.waiters.size()};
  }

  // Finds the ranks whose chain of waits leads to an end. Starts at the ends
  // and follows the waits backwards.
  void FindReached() {
    std::multimap<uint32_t, WaitGroup*> waiting_for;
    std::vector<WaitGroup*> leading;
    for (auto& [key, group] : groups_) {
      if (IsEnd(group)) Lead(group, leading);
      for (const uint32_t rank : group.targets)
        waiting_for.emplace(rank, &group);
    }
    while (!leading.empty()) {
      const WaitGroup& group = *leading.back();
      leading.pop_back();
      for (const uint32_t rank : group.waiters) {
        if (!reached_.insert(rank).second) continue;
        const auto [begin, end] = waiting_for.equal_range(rank);
        for (auto at = begin; at != end; ++at) Lead(*at->second, leading);
      }
    }
  }
  static void Lead(WaitGroup& group, std::vector<WaitGroup*>& leading) {
    if (!std::exchange(group.leads, true)) leading.push_back(&group);
  }

  std::string Line(const WaitGroup& group) const {
    std::string line = Waiters(group);
    if (group.targets.empty()) return line + Suspects(group) + Networks(group);
    for (const auto& [condition, ranks] : ByCondition(group.targets)) {
      absl::StrAppend(&line, "; ", Blame(group, condition, ranks));
    }
    if (!IsMeeting(group.waiting.what)) line += Networks(group);
    return line;
  }

  // Quotes what the networks of the waiters wait for.
  std::string Networks(const WaitGroup& group) const {
    std::string text;
    size_t left = kNetworksOfGroup;
    for (const uint32_t rank : group.waiters) {
      const RankStatus::Network& network = job_[rank].status.network;
      if (network.nanos == 0 || left == 0) continue;
      --left;
      absl::StrAppend(&text, "; the network of rank ", rank, " has waited for ",
                      Duration(network.nanos), ": ", network.text);
    }
    return text;
  }

  // Describes the waiters, as in "rank 3 (h, pid 7) has waited for 41 s in
  // gasnet_barrier_wait".
  std::string Waiters(const WaitGroup& group) const {
    return absl::StrCat(RankNames(job_, group.waiters),
                        group.waiters.size() == 1 ? " has" : " have",
                        " waited for ", Duration(group.nanos), " ",
                        ReasonOf(group.waiting));
  }

  // Describes the causes, as in "rank 17 (h, pid 9) has not come: it is stopped
  // (SIGSTOP)".
  std::string Blame(const WaitGroup& group, const std::string& condition,
                    const Ranks& ranks) const {
    const bool is_one = ranks.size() == 1;
    const std::string names = RankNames(job_, ranks);
    if (!IsMeeting(group.waiting.what)) {
      return absl::StrCat(names, " ", condition);
    }
    return is_one ? absl::StrCat(names, " has not come: it ", condition)
                  : absl::StrCat(names, " have not come: each ", condition);
  }

  // Groups ranks by condition. Ranks that are not free come last, because they
  // delay others only by waiting.
  std::vector<std::pair<std::string, Ranks>> ByCondition(
      const Ranks& ranks) const {
    Conditions found;
    for (const uint32_t rank : ranks) {
      found[ConditionOf(job_[rank])].push_back(rank);
    }
    std::vector<std::pair<std::string, Ranks>> sorted(found.begin(),
                                                      found.end());
    std::stable_partition(sorted.begin(), sorted.end(), [this](const auto& it) {
      return IsFree(it.second.front());
    });
    return sorted;
  }

  // Names the ranks that may be the cause of a wait for unknown ranks.
  std::string Suspects(const WaitGroup& group) const {
    Ranks absent;
    for (uint32_t rank = 0; rank < job_.size(); ++rank) {
      if (job_[rank].IsAbsent()) absent.push_back(rank);
    }
    std::erase_if(absent, [&](uint32_t rank) {
      return group.waiters.size() == 1 && group.waiters.front() == rank;
    });
    if (absent.empty()) {
      return ", for something that GASNet does not know; every other rank "
             "waits or polls";
    }
    std::string text = ", perhaps for ";
    const char* between = "";
    for (const auto& [condition, ranks] : ByCondition(absent)) {
      absl::StrAppend(&text, between, RankNames(job_, ranks),
                      ranks.size() == 1 ? ", which " : ", each of which ",
                      condition);
      between = "; and ";
    }
    return text;
  }

  // Returns the ranks whose waits lead to no end. Maps each rank to a group in
  // which it waits. All targets of these groups are in the result too.
  std::map<uint32_t, const WaitGroup*> StuckGroups() const {
    std::map<uint32_t, const WaitGroup*> found;
    for (const auto& [key, group] : groups_) {
      if (group.leads) continue;
      for (const uint32_t rank : group.waiters) {
        if (!reached_.contains(rank)) found.emplace(rank, &group);
      }
    }
    return found;
  }

  // Returns the ranks of a cycle. Each rank waits for the next one, and the
  // last rank waits for the first.
  static Ranks CycleIn(const std::map<uint32_t, const WaitGroup*>& groups) {
    Ranks way;
    std::map<uint32_t, size_t> places;
    uint32_t rank = groups.begin()->first;
    while (places.emplace(rank, way.size()).second) {
      way.push_back(rank);
      rank = groups.at(rank)->targets.front();
    }
    way.erase(way.begin(), way.begin() + static_cast<ptrdiff_t>(places[rank]));
    return way;
  }

  // Describes a cycle of waits. Returns "" if there is no cycle.
  std::string Cycle() const {
    const std::map<uint32_t, const WaitGroup*> groups = StuckGroups();
    if (groups.empty()) return "";
    const Ranks way = CycleIn(groups);
    std::vector<std::string> steps;
    for (const uint32_t at : way) {
      if (steps.size() == kStepsOfCycle) {
        steps.push_back(
            absl::StrCat("and so on, ", way.size(), " ranks in all"));
        break;
      }
      const WaitGroup& group = *groups.at(at);
      steps.push_back(absl::StrCat(job_[at].name, " waits ",
                                   ReasonOf(group.waiting), ", for rank ",
                                   group.targets.front()));
    }
    return absl::StrCat("ranks wait for each other: ",
                        absl::StrJoin(steps, "; "));
  }

  const JobView& job_;
  const int64_t shortest_nanos_;
  std::map<Key, WaitGroup> groups_;
  std::vector<bool> waits_;  // indexed by rank: the rank is in a group
  std::set<uint32_t> reached_;
};

}  // namespace

std::vector<std::string> Diagnose(const JobView& job, int64_t shortest_nanos) {
  return Graph(job, shortest_nanos).Lines();
}

std::vector<std::string> CausesOf(const JobView& job, int64_t shortest_nanos) {
  JobView timeless = job;
  for (RankView& rank : timeless) {
    RankStatus& status = rank.status;
    std::erase_if(status.waits, [=](const RankWait& wait) {
      return wait.nanos < shortest_nanos;
    });
    for (RankWait& wait : status.waits) {
      wait.nanos = shortest_nanos;
      wait.waiting = Lasting(wait.waiting);
    }
    const bool waits = status.network.nanos >= shortest_nanos;
    status.network = {.nanos = waits ? shortest_nanos : 0,
                      .peer = waits ? status.network.peer : kNobody,
                      .text = ""};
    if (absl::StrContains("RSD?", status.process)) status.process = 'S';
    status.unpolled_nanos = rank.WaitsUnserved()        ? kLongestWithoutPoll
                            : status.unpolled_nanos > 0 ? 1
                                                        : 0;
  }
  return Diagnose(timeless, shortest_nanos);
}

int64_t LongestWait(const JobView& job) {
  int64_t longest = 0;
  for (const RankView& rank : job) {
    if (rank.phase != RankView::Phase::kJoined) continue;
    longest = std::max(longest, rank.status.network.nanos);
    if (rank.Waits()) longest = std::max(longest, rank.status.waits[0].nanos);
  }
  return longest;
}

}  // namespace gasnet::job
