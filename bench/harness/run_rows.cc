#include "bench/harness/run_rows.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace gasnet::bench {
namespace {

constexpr uint64_t kFirstRounds = 4;
constexpr double kMaxGrowth = 32;
constexpr uint64_t kWarmUpShare = 4;
constexpr double kMinNanos = 0.01;

struct Calibrated {
  const Row* row;
  uint64_t rounds = 0;
  uint64_t limit_rounds = 0;
};

// Returns a number of rounds that takes about as long as `milliseconds`. The
// estimate uses the shortest round so far, because other load on the machine
// may disturb a single call. Two calls must confirm the number before it is
// returned.
uint64_t Calibrate(Measure measure, size_t size, double milliseconds,
                   Team& team) {
  const double budget = milliseconds * static_cast<double>(kNanosPerMilli);
  double best = std::numeric_limits<double>::max();
  uint64_t rounds = kFirstRounds;
  for (int enough = 0; enough < 2;) {
    best = std::min(best, std::max(measure(size, rounds), kMinNanos));
    const double growth = budget / (best * static_cast<double>(rounds));
    const uint64_t agreed =
        team.Agree(static_cast<uint64_t>(std::clamp(growth, 1.0, kMaxGrowth)));
    rounds *= agreed;
    enough = agreed == 1 ? enough + 1 : 0;
  }
  return rounds;
}

bool Selected(const Row& row, const Options& options) {
  return std::string_view(row.operation).find(options.only) !=
         std::string_view::npos;
}

std::vector<Calibrated> CalibrateAll(std::span<const Row> rows,
                                     const Options& options, Team& team) {
  std::vector<Calibrated> calibrated;
  for (const Row& row : rows) {
    if (!Selected(row, options)) continue;
    Calibrated& entry = calibrated.emplace_back(Calibrated{&row});
    entry.rounds = Calibrate(row.measure, row.size, options.milliseconds, team);
    if (row.limit.measure == nullptr) continue;
    entry.limit_rounds =
        Calibrate(row.limit.measure, row.size, options.milliseconds, team);
  }
  return calibrated;
}

// Measures after a warm-up, because earlier rows may have changed the caches
// and the clock rate.
double MeasureWarm(Measure measure, size_t size, uint64_t rounds) {
  measure(size, rounds / kWarmUpShare + 1);
  return measure(size, rounds);
}

Sample MeasureOnce(const Calibrated& calibrated, const char* mode,
                   bool limit_first) {
  const Row& row = *calibrated.row;
  Sample sample = {.operation = row.operation,
                   .size = row.size,
                   .mode = mode,
                   .who = row.who,
                   .limit_name = row.limit.name,
                   .aim = row.aim};
  const auto measure_limit = [&] {
    if (row.limit.measure == nullptr) return;
    sample.limit =
        MeasureWarm(row.limit.measure, row.size, calibrated.limit_rounds);
  };
  if (limit_first) measure_limit();
  sample.value = MeasureWarm(row.measure, row.size, calibrated.rounds);
  if (!limit_first) measure_limit();
  return sample;
}

}  // namespace

void RunRows(std::span<const Row> rows, const Options& options,
             const char* mode, Team& team) {
  const std::vector<Calibrated> calibrated = CalibrateAll(rows, options, team);
  for (int i = 0; i < options.repetitions; ++i) {
    for (const Calibrated& entry : calibrated) {
      const Sample sample = MeasureOnce(entry, mode, i % 2 == 0);
      if (team.Leads()) Print(sample);
    }
  }
}

}  // namespace gasnet::bench
