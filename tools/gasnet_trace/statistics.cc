#include "tools/gasnet_trace/statistics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/units.h"
#include "tools/gasnet_trace/printable.h"

namespace gasnet::trace {
namespace {

// The minimum width of the column of names. Most names of calls fit into it, so
// the columns of all tables are aligned.
constexpr size_t kMinWidth = 26;

constexpr char kColumns[] = "%12s %16s %10s %10s %10s %10s";

}  // namespace

void SliceStatistics::Add(const Slice& slice) {
  const bool is_timed = slice.has_begin && slice.has_end;
  Add(slice.refused ? 0 : slice.bytes,
      is_timed ? std::optional(slice.Nanos()) : std::nullopt);
}

void SliceStatistics::Add(uint64_t bytes, std::optional<int64_t> nanos) {
  ++count_;
  bytes_ += bytes;
  if (!nanos.has_value()) return;
  ++timed_;
  least_ = std::min(least_, *nanos);
  most_ = std::max(most_, *nanos);
  total_ += static_cast<double>(*nanos);
}

void SliceStatistics::Add(const SliceStatistics& other) {
  count_ += other.count_;
  bytes_ += other.bytes_;
  timed_ += other.timed_;
  least_ = std::min(least_, other.least_);
  most_ = std::max(most_, other.most_);
  total_ += other.total_;
}

std::string SliceStatistics::Columns() const {
  if (timed_ == 0) {
    return absl::StrFormat(kColumns, Grouped(count_), Grouped(bytes_), "-", "-",
                           "-", "-");
  }
  return absl::StrFormat(kColumns, Grouped(count_), Grouped(bytes_),
                         FineTimeText(static_cast<double>(least_)),
                         FineTimeText(total_ / static_cast<double>(timed_)),
                         FineTimeText(static_cast<double>(most_)),
                         FineTimeText(total_));
}

std::string TableText(const char* heading, const Table& table) {
  if (table.empty()) return "";
  std::vector<std::pair<std::string, const SliceStatistics*>> rows;
  size_t width = kMinWidth;
  for (const auto& [name, statistics] : table) {
    rows.emplace_back(Printable(name), &statistics);
    width = std::max(width, rows.back().first.size());
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second->total() > b.second->total();
  });
  const int wide = static_cast<int>(width);
  std::string text = absl::StrFormat("\n%-*s", wide, heading) +
                     absl::StrFormat(kColumns, "count", "bytes", "least",
                                     "mean", "most", "total") +
                     "\n";
  for (const auto& [name, statistics] : rows) {
    absl::StrAppend(&text, absl::StrFormat("%-*s", wide, name),
                    statistics->Columns(), "\n");
  }
  return text;
}

}  // namespace gasnet::trace
