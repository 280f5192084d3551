#include "job/status/job_status.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "base/units.h"

namespace gasnet::job {
namespace {

std::string TeamText(uint64_t name) {
  if (name == kTeamOfAll) return "the team of all ranks";
  return absl::StrCat("a team that begins with rank ", name >> 16);
}

// Returns the fill of the ring for which the wait waits, in words, or "" if it
// is unknown.
std::string FillText(uint64_t packed) {
  constexpr uint64_t kLine = 64;
  if (packed == 0) return "";
  const RingFill fill = RingFill::Unpack(packed);
  return absl::StrCat(" (its ring holds ", fill.messages, " of ",
                      fill.max_messages, " messages and ", fill.lines * kLine,
                      " of ", fill.max_lines * kLine, " bytes)");
}

std::string TransfersText(const Waiting& waiting) {
  const std::string with =
      waiting.peer == kNobody ? "" : absl::StrCat(" with rank ", waiting.peer);
  if (waiting.first == 0) return "puts and gets" + with;
  return absl::StrCat(waiting.first,
                      waiting.first == 1 ? " put or get" : " puts and gets",
                      with);
}

std::string ConditionOfWaiting(const RankView& rank) {
  const RankWait& wait = rank.status.waits.front();
  return absl::StrCat("waits ", ReasonOf(wait.waiting));
}

std::string ConditionOfProcess(const RankView& rank) {
  switch (rank.status.process) {
    case 'R':
      return "is running";
    case 'S':
      return "sleeps outside of GASNet";
    case 'D':
      return "sleeps in the kernel";
    case 'Z':
    case 'X':
      return "is ending";
    default:
      return "is in an unknown state";
  }
}

std::string ConditionOfUnpolled(const RankView& rank) {
  return absl::StrCat("has not polled for at least ",
                      Duration(rank.status.unpolled_nanos), ", and ",
                      ConditionOfProcess(rank));
}

}  // namespace

std::string RankList(const std::vector<uint32_t>& ranks) {
  std::vector<std::string> runs;
  for (size_t begin = 0; begin < ranks.size();) {
    size_t end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    const uint32_t last = ranks[end - 1];
    runs.push_back(end - begin == 1 ? absl::StrCat(last)
                                    : absl::StrCat(ranks[begin], "-", last));
    begin = end;
  }
  if (runs.size() < 2) return absl::StrJoin(runs, "");
  const std::string last = runs.back();
  runs.pop_back();
  return absl::StrCat(absl::StrJoin(runs, ", "), " and ", last);
}

std::string RankNames(const JobView& job, const std::vector<uint32_t>& ranks) {
  return ranks.size() == 1 ? job[ranks.front()].name
                           : absl::StrCat("ranks ", RankList(ranks));
}

std::string Duration(int64_t nanos) {
  const int decimals = nanos < 10 * kNanosPerSecond ? 1 : 0;
  return absl::StrCat(SecondsText(nanos, decimals), " s");
}

std::string ReasonOf(const Waiting& waiting) {
  switch (waiting.what) {
    case WaitFor::kCondition:
      return "in GASNET_BLOCKUNTIL";
    case WaitFor::kRoom:
      return absl::StrCat("for room to send ",
                          waiting.first == 0 ? "" : "a reply ", "to rank ",
                          waiting.peer, FillText(waiting.second));
    case WaitFor::kBarrier:
      return "in gasnet_barrier_wait";
    case WaitFor::kCollective:
      if (waiting.first == kBarriersOfAll) {
        return "in gex_Coll_BarrierNB of all ranks";
      }
      return absl::StrCat("in collective ", waiting.second, " of ",
                          TeamText(waiting.first));
    case WaitFor::kTransfers:
      return absl::StrCat("for ", TransfersText(waiting), " to complete");
    case WaitFor::kNetwork:
      return waiting.peer == kNobody
                 ? std::string("for its network")
                 : absl::StrCat("for its network to reach rank ", waiting.peer);
    case WaitFor::kAllRanks:
      return "in gasnet_init, gasnet_attach or gasnet_finalize";
    case WaitFor::kAnything:
      break;
  }
  return "in GASNet";
}

std::string ConditionOf(const RankView& rank) {
  switch (rank.phase) {
    case RankView::Phase::kEnded:
      return "has ended";
    case RankView::Phase::kLeft:
      return "has called gasnet_exit";
    case RankView::Phase::kNotJoined:
      return absl::StrCat(
          "has not called gasnet_init, and ",
          rank.IsStopped() ? "is stopped" : ConditionOfProcess(rank));
    case RankView::Phase::kJoined:
      break;
  }
  if (!rank.has_reported) return "is on a host that has not answered";
  if (rank.status.process == 'T') return "is stopped (SIGSTOP)";
  if (rank.status.process == 't') return "is stopped by a debugger";
  if (rank.WaitsUnserved()) {
    return absl::StrCat(ConditionOfUnpolled(rank),
                        ", perhaps in a handler, while it ",
                        ConditionOfWaiting(rank));
  }
  if (!rank.status.waits.empty()) return ConditionOfWaiting(rank);
  if (!rank.status.has_page) {
    return absl::StrCat("is still in gasnet_init, or has left GASNet, and ",
                        ConditionOfProcess(rank));
  }
  if (rank.status.unpolled_nanos == 0) return "polls";
  return ConditionOfUnpolled(rank);
}

}  // namespace gasnet::job
