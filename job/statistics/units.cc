#include "job/statistics/units.h"

#include <stdio.h>

#include <span>

namespace gasnet::job {
namespace {

// Scales the number to the first unit in which it has fewer than four digits,
// or to the last unit.
std::string Scaled(double number, double step,
                   std::span<const char* const> units) {
  size_t unit = 0;
  // Goes to the next unit if the rounded number would reach `step`.
  while (number >= step - 0.5 && unit + 1 < units.size()) {
    number /= step;
    ++unit;
  }
  char text[64];
  const bool has_decimal = unit > 0 && number < 99.95;
  snprintf(text, sizeof text, has_decimal ? "%.1f %s" : "%.0f %s", number,
           units[unit]);
  return text;
}

}  // namespace

std::string CountText(uint64_t count) {
  static constexpr const char* kUnits[] = {"", "k", "M", "G", "T", "P", "E"};
  constexpr uint64_t kLongest = 100'000;
  if (count < kLongest) return std::to_string(count);
  return Scaled(static_cast<double>(count), 1000, kUnits);
}

std::string BytesText(uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B",   "KiB", "MiB", "GiB",
                                           "TiB", "PiB", "EiB"};
  return Scaled(static_cast<double>(bytes), 1024, kUnits);
}

std::string TimeText(int64_t nanos) {
  static constexpr const char* kUnits[] = {"ns", "us", "ms", "s"};
  return Scaled(static_cast<double>(nanos), 1000, kUnits);
}

std::string PercentText(double share) {
  char text[64];
  snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string PercentText(int64_t part, int64_t whole) {
  if (whole <= 0) return "-";
  return PercentText(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace gasnet::job
