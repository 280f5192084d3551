#include "job/statistics/json.h"

#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/units.h"
#include "job/status/report.h"

namespace gasnet::job {
namespace {

constexpr int kDecimals = 6;

std::string Seconds(int64_t nanos) { return SecondsText(nanos, kDecimals); }

// Returns a JSON array with one object for each element.
template <class Element, class Object>
std::string Array(const std::vector<Element>& elements, Object object) {
  return absl::StrCat(
      "[",
      absl::StrJoin(elements, ", ",
                    [&](std::string* out, const Element& element) {
                      absl::StrAppend(out, "{", object(element), "}");
                    }),
      "]");
}

// Names of calls have letters, digits and '_' only.
std::string CallJson(const CallStatistics& call) {
  return absl::StrCat("\"name\": \"", call.name, "\", \"calls\": ", call.calls,
                      ", \"bytes\": ", call.bytes,
                      ", \"seconds\": ", Seconds(call.nanos),
                      ", \"waiting_seconds\": ", Seconds(call.waiting));
}

std::string WaitJson(const WaitStatistics& wait) {
  return absl::StrCat("\"for\": \"", NameOf(wait.what),
                      "\", \"waits\": ", wait.count,
                      ", \"seconds\": ", Seconds(wait.nanos));
}

std::string NetworkJson(const std::vector<NetworkStatistics>& network) {
  return absl::StrCat(
      "{",
      absl::StrJoin(network, ", ",
                    [](std::string* out, const NetworkStatistics& count) {
                      absl::StrAppend(out, "\"", count.name,
                                      "\": ", count.count);
                    }),
      "}");
}

std::string TrafficJson(const Traffic& traffic) {
  return absl::StrCat("\"operations\": ", traffic.operations,
                      ", \"bytes\": ", traffic.bytes);
}

std::string PairJson(const PairTraffic& pair) {
  return absl::StrCat("\"rank\": ", pair.rank, ", \"peer\": ", pair.peer, ", ",
                      TrafficJson(pair.traffic));
}

std::string ShareJson(const WaitingRank& rank) {
  return absl::StrCat("{\"rank\": ", rank.rank, ", \"share\": ",
                      absl::StrFormat("%.*f", kDecimals, rank.share), "}");
}

}  // namespace

std::string StatisticsJson(const JobSummary& summary) {
  return absl::StrCat("{\"ranks\": ", summary.ranks,
                      ", \"reported\": ", summary.reported,
                      ", \"wall_seconds\": ", Seconds(summary.wall),
                      ", \"seconds\": ", Seconds(summary.times.working),
                      ", \"waiting_seconds\": ", Seconds(summary.times.waiting),
                      ", \"elapsed_seconds\": ", Seconds(summary.times.elapsed),
                      ", \"handlers\": ", summary.handlers,
                      ",\n  \"calls\": ", Array(summary.calls, CallJson),
                      ",\n  \"waits\": ", Array(summary.waits, WaitJson),
                      ",\n  \"network\": ", NetworkJson(summary.network),
                      ",\n  \"busiest\": ", Array(summary.busiest, PairJson),
                      ",\n  ", TrafficJson(summary.traffic),
                      ", \"waits_least\": ", ShareJson(summary.least),
                      ", \"waits_most\": ", ShareJson(summary.most), "}");
}

}  // namespace gasnet::job
