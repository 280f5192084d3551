#include "job/status/report.h"

#include <stdio.h>

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/units.h"
#include "job/status/diagnosis.h"

namespace gasnet::job {
namespace {

const char* NameOf(RankView::Phase phase) {
  switch (phase) {
    case RankView::Phase::kNotJoined:
      return "not joined";
    case RankView::Phase::kJoined:
      return "joined";
    case RankView::Phase::kLeft:
      return "left";
    case RankView::Phase::kEnded:
      break;
  }
  return "ended";
}

// Returns a JSON string. Names of hosts are ASCII. Any other byte becomes the
// replacement character, so the text is valid for every host name.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x7f) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < ' ') {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string Seconds(int64_t nanos) { return SecondsText(nanos, 3); }

std::string WaitJson(const RankWait& wait) {
  const Waiting& waiting = wait.waiting;
  std::string out = absl::StrCat("{\"for\": ", Quoted(NameOf(waiting.what)),
                                 ", \"text\": ", Quoted(ReasonOf(waiting)),
                                 ", \"seconds\": ", Seconds(wait.nanos),
                                 ", \"thread\": ", wait.thread);
  if (waiting.peer != kNobody)
    absl::StrAppend(&out, ", \"peer\": ", waiting.peer);
  return out + "}";
}

std::string NetworkJson(const RankStatus::Network& network) {
  if (network.nanos == 0) return "";
  std::string out =
      absl::StrCat(", \"network\": {\"seconds\": ", Seconds(network.nanos),
                   ", \"text\": ", Quoted(network.text));
  if (network.peer != kNobody)
    absl::StrAppend(&out, ", \"peer\": ", network.peer);
  return out + "}";
}

std::string RankJson(uint32_t number, const RankView& rank) {
  std::vector<std::string> waits;
  for (const RankWait& wait : rank.status.waits) {
    waits.push_back(WaitJson(wait));
  }
  return absl::StrCat(
      "{\"rank\": ", number, ", \"name\": ", Quoted(rank.name),
      ", \"phase\": ", Quoted(NameOf(rank.phase)),
      ", \"process\": ", Quoted(std::string(1, rank.status.process)),
      ", \"unpolled_seconds\": ", Seconds(rank.status.unpolled_nanos),
      ", \"barriers\": ", rank.status.barriers,
      ", \"condition\": ", Quoted(ConditionOf(rank)), ", \"waits\": [",
      absl::StrJoin(waits, ", "),
      "], \"further_waits\": ", rank.status.further_waits,
      NetworkJson(rank.status.network), "}");
}

// Returns the numbers of ranks in each condition, in words.
std::string Summary(const JobView& job) {
  size_t waiting = 0;
  size_t absent = 0;
  for (const RankView& rank : job) {
    if (rank.IsAbsent()) {
      ++absent;
    } else if (rank.Waits()) {
      ++waiting;
    }
  }
  return absl::StrCat(job.size(),
                      job.size() == 1 ? " rank: " : " ranks: ", waiting,
                      " waiting in GASNet, ", absent, " not serving it, ",
                      job.size() - waiting - absent, " polling");
}

}  // namespace

const char* NameOf(WaitFor what) {
  switch (what) {
    case WaitFor::kCondition:
      return "condition";
    case WaitFor::kRoom:
      return "room";
    case WaitFor::kBarrier:
      return "barrier";
    case WaitFor::kCollective:
      return "collective";
    case WaitFor::kTransfers:
      return "transfers";
    case WaitFor::kAllRanks:
      return "all ranks";
    case WaitFor::kNetwork:
      return "network";
    case WaitFor::kAnything:
      break;
  }
  return "anything";
}

std::string StatusText(const JobView& job) {
  std::vector<std::string> lines = Diagnose(job, /*shortest_nanos=*/0);
  lines.insert(lines.begin(), Summary(job));
  return absl::StrCat(absl::StrJoin(lines, "\n"), "\n");
}

std::string StatusJson(const JobView& job, std::string_view statistics) {
  std::vector<std::string> causes;
  for (const std::string& line : Diagnose(job, /*shortest_nanos=*/0)) {
    causes.push_back(Quoted(line));
  }
  std::vector<std::string> ranks;
  for (uint32_t rank = 0; rank < job.size(); ++rank) {
    ranks.push_back(RankJson(rank, job[rank]));
  }
  return absl::StrCat(
      "{\"causes\": [", absl::StrJoin(causes, ",\n  "), "],\n \"ranks\": [",
      absl::StrJoin(ranks, ",\n  "), "]",
      statistics.empty() ? "" : ",\n \"statistics\": ", statistics, "}\n");
}

}  // namespace gasnet::job
