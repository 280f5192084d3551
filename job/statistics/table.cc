#include "job/statistics/table.h"

#include <stdio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/units.h"
#include "job/statistics/saturating.h"
#include "job/status/report.h"

namespace gasnet::job {
namespace {

constexpr size_t kCallLines = 8;

// Appends a line with a column for a name and five columns for numbers.
void Row(std::string& text, const std::string& name,
         const std::array<std::string, 5>& cells) {
  char line[256];
  snprintf(line, sizeof line, "%-27s %10s %10s %9s %9s %9s", name.c_str(),
           cells[0].c_str(), cells[1].c_str(), cells[2].c_str(),
           cells[3].c_str(), cells[4].c_str());
  std::string row = line;
  row.erase(row.find_last_not_of(' ') + 1);
  absl::StrAppend(&text, row, "\n");
}

std::string MeanText(int64_t nanos, uint64_t count) {
  if (count == 0) return "-";
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  return TimeText(nanos / static_cast<int64_t>(std::min(count, kMost)));
}

std::string Header(const JobSummary& summary) {
  const uint32_t missing = summary.ranks - summary.reported;
  return absl::StrCat(
      "GASNet statistics: ", summary.ranks,
      summary.ranks == 1 ? " rank, " : " ranks, ", summary.reported,
      " reported",
      missing == 0 ? std::string() : absl::StrCat(", ", missing, " missing"),
      "; wall time ", TimeText(summary.wall), "\n");
}

std::string Shares(const JobSummary& summary) {
  const Times& times = summary.times;
  return absl::StrCat(
      "time in GASNet: ", PercentText(times.InGasnet(), times.elapsed),
      "; waiting there: ", PercentText(times.waiting, times.elapsed), "\n");
}

void CallRow(std::string& text, const CallStatistics& call, int64_t elapsed) {
  const Times times = {.working = call.nanos, .waiting = call.waiting};
  const int64_t nanos = times.InGasnet();
  Row(text, call.name,
      {CountText(call.calls), BytesText(call.bytes),
       MeanText(nanos, call.calls), PercentText(nanos, elapsed),
       PercentText(call.waiting, nanos)});
}

// Returns the sum of the calls from `first` on. These calls get no lines of
// their own.
CallStatistics SumFrom(const std::vector<CallStatistics>& calls, size_t first) {
  CallStatistics sum;
  for (size_t i = first; i < calls.size(); ++i) {
    AddTo(sum.calls, calls[i].calls);
    AddTo(sum.bytes, calls[i].bytes);
    AddTo(sum.nanos, calls[i].nanos);
    AddTo(sum.waiting, calls[i].waiting);
  }
  sum.name = absl::StrCat(calls.size() - first, " others");
  return sum;
}

void Calls(std::string& text, const JobSummary& summary) {
  const std::vector<CallStatistics>& calls = summary.calls;
  if (calls.empty()) return;
  Row(text, "call", {"calls", "bytes", "mean time", "of time", "waiting"});
  // If only one call is left over, gives this call its own line. A line for the
  // sum would save nothing.
  const size_t shown =
      calls.size() <= kCallLines + 1 ? calls.size() : kCallLines;
  for (size_t i = 0; i < shown; ++i) {
    CallRow(text, calls[i], summary.times.elapsed);
  }
  if (shown == calls.size()) return;
  CallRow(text, SumFrom(calls, shown), summary.times.elapsed);
}

void Waits(std::string& text, const JobSummary& summary) {
  if (summary.waits.empty()) return;
  Row(text, "waited for", {"waits", "", "mean time", "of time", ""});
  for (const WaitStatistics& wait : summary.waits) {
    Row(text, NameOf(wait.what),
        {CountText(wait.count), "", MeanText(wait.nanos, wait.count),
         PercentText(wait.nanos, summary.times.elapsed), ""});
  }
}

void Traffics(std::string& text, const JobSummary& summary) {
  if (!summary.busiest.empty()) {
    Row(text, "busiest pairs", {"operations", "bytes", "", "", ""});
  }
  for (const PairTraffic& pair : summary.busiest) {
    Row(text, absl::StrCat("rank ", pair.rank, " with rank ", pair.peer),
        {CountText(pair.traffic.operations), BytesText(pair.traffic.bytes), "",
         "", ""});
  }
  if (!summary.unknown.IsNone()) {
    Row(text, "pairs that are not known",
        {CountText(summary.unknown.operations),
         BytesText(summary.unknown.bytes), "", "", ""});
  }
  Row(text, "all pairs",
      {CountText(summary.traffic.operations), BytesText(summary.traffic.bytes),
       "", "", ""});
  absl::StrAppend(&text, "handlers run: ", CountText(summary.handlers), "\n");
}

// Returns the counts of networks and of messages of the library that are not 0,
// in one line.
std::string Network(const JobSummary& summary) {
  std::vector<std::string> counts;
  for (const NetworkStatistics& count : summary.network) {
    if (count.count == 0) continue;
    counts.push_back(absl::StrCat(count.name, " ", CountText(count.count)));
  }
  if (counts.empty()) return "";
  return absl::StrCat("beneath the calls: ", absl::StrJoin(counts, ", "), "\n");
}

std::string Balance(const JobSummary& summary) {
  return absl::StrCat(
      "waiting by rank: least ", PercentText(summary.least.share), " (rank ",
      summary.least.rank, "), mean ", PercentText(summary.mean_share),
      ", most ", PercentText(summary.most.share), " (rank ", summary.most.rank,
      ")\n");
}

}  // namespace

std::string StatisticsTable(const JobSummary& summary) {
  std::string text = Header(summary);
  if (summary.reported == 0) return text;
  text += Shares(summary);
  Calls(text, summary);
  Waits(text, summary);
  Traffics(text, summary);
  text += Network(summary);
  text += Balance(summary);
  return text;
}

}  // namespace gasnet::job
