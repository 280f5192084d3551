#include "tools/gasnet_trace/job_trace.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace gasnet::trace {
namespace {

using observe::TraceHeader;
using observe::TraceOffset;

// The largest assumed difference of two clocks' speeds. Real clocks differ in
// speed by a few parts in 100,000. A difference above this bound comes from
// errors of the estimates.
constexpr double kFastest = 0.001;

// Replaces `best` by `offset` if `offset` has the smaller error.
void Improve(std::optional<TraceOffset>& best, const TraceOffset& offset) {
  if (offset.error_nanos == observe::kNoTraceOffset) return;
  if (!best.has_value() || offset.error_nanos < best->error_nanos)
    best = offset;
}

int64_t Minus(int64_t a, int64_t b) {
  int64_t result;
  if (!__builtin_sub_overflow(a, b, &result)) return result;
  return b < 0 ? std::numeric_limits<int64_t>::max()
               : std::numeric_limits<int64_t>::min();
}

// Returns the date at which the rank's monotonic clock showed 0.
int64_t Epoch(const TraceHeader& header) {
  return header.start_wall_nanos - header.start_nanos;
}

// Returns the text for the ranks from `first` up to `end`, without `end`.
std::string Run(uint32_t first, uint32_t end) {
  if (end - first == 1) return absl::StrCat(first);
  return absl::StrCat(first, end - first == 2 ? ", " : " to ", end - 1);
}

}  // namespace

int64_t HostClock::OffsetAt(int64_t nanos) const {
  if (!start.has_value() && !end.has_value()) return guess;
  if (!end.has_value()) return start->nanos;
  if (!start.has_value() || start->at_nanos >= end->at_nanos) return end->nanos;
  const auto change = static_cast<double>(end->nanos - start->nanos);
  const double speed =
      std::clamp(change / static_cast<double>(end->at_nanos - start->at_nanos),
                 -kFastest, kFastest);
  const int64_t at = std::clamp(nanos, start->at_nanos, end->at_nanos);
  return start->nanos + static_cast<int64_t>(
                            speed * static_cast<double>(at - start->at_nanos));
}

std::optional<int64_t> HostClock::Error() const {
  std::optional<int64_t> error;
  for (const auto& offset : {start, end}) {
    if (!offset.has_value()) continue;
    error = std::max(error.value_or(0), offset->error_nanos);
  }
  return error;
}

absl::Status JobTrace::Add(RankTrace trace) {
  const auto place = std::lower_bound(
      ranks_.begin(), ranks_.end(), trace.rank(),
      [](const RankTrace& a, uint32_t rank) { return a.rank() < rank; });
  if (place != ranks_.end() && place->rank() == trace.rank()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", trace.path(), "': the rank is ", trace.rank(), ", like that of '",
        place->path(), "'; accepted: one file of each rank"));
  }
  if (!ranks_.empty() &&
      ranks_.front().header().ranks != trace.header().ranks) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", trace.path(), "': the number of ranks is ", trace.header().ranks,
        "; accepted: ", ranks_.front().header().ranks, ", that of '",
        ranks_.front().path(), "', since all files are of one job"));
  }
  ranks_.insert(place, std::move(trace));
  return absl::OkStatus();
}

void JobTrace::Align() {
  for (const RankTrace& rank : ranks_) {
    HostClock& clock = clocks_[rank.header().host];
    Improve(clock.start, rank.header().start);
    Improve(clock.end, rank.header().end);
  }
  // The time axis is the clock of rank 0's host, so this clock has the offset
  // 0.
  if (!ranks_.empty() && ranks_.front().rank() == 0) {
    const TraceHeader& header = ranks_.front().header();
    clocks_[header.host].start = {0, 0, header.start_nanos};
    clocks_[header.host].end.reset();
  }
  Guess();
  origin_ = std::numeric_limits<int64_t>::max();
  for (size_t place = 0; place < ranks_.size(); ++place) {
    origin_ =
        std::min(origin_, ByRank0(place, ranks_[place].header().start_nanos));
  }
}

// Guesses the offsets of all clocks, for use without estimates. Compares the
// dates of each host with the dates of the first rank's host.
void JobTrace::Guess() {
  if (ranks_.empty()) return;
  const TraceHeader& first = ranks_.front().header();
  const int64_t known = clocks_[first.host].OffsetAt(first.start_nanos);
  // Goes backwards. So the guess by the first rank of each host remains.
  for (auto rank = ranks_.rbegin(); rank != ranks_.rend(); ++rank) {
    clocks_[rank->header().host].guess =
        Epoch(rank->header()) - Epoch(first) + known;
  }
}

std::optional<size_t> JobTrace::PlaceOf(uint32_t rank) const {
  const auto place = std::lower_bound(
      ranks_.begin(), ranks_.end(), rank,
      [](const RankTrace& a, uint32_t number) { return a.rank() < number; });
  if (place == ranks_.end() || place->rank() != rank) return std::nullopt;
  return static_cast<size_t>(place - ranks_.begin());
}

int64_t JobTrace::ByRank0(size_t place, int64_t nanos) const {
  return nanos + clocks_.at(ranks_[place].header().host).OffsetAt(nanos);
}

int64_t JobTrace::OnAxis(size_t place, int64_t nanos) const {
  return Minus(ByRank0(place, nanos), origin_);
}

std::optional<int64_t> JobTrace::ErrorOf(size_t place) const {
  return clocks_.at(ranks_[place].header().host).Error();
}

std::string JobTrace::MissingRanks() const {
  std::vector<std::string> runs;
  uint32_t next = 0;
  for (const RankTrace& rank : ranks_) {
    if (rank.rank() > next) runs.push_back(Run(next, rank.rank()));
    next = rank.rank() + 1;
  }
  const uint32_t ranks = ranks_.empty() ? 0 : ranks_.front().header().ranks;
  if (ranks > next) runs.push_back(Run(next, ranks));
  return absl::StrJoin(runs, ", ");
}

}  // namespace gasnet::trace
