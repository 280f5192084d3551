#include "base/units.h"

#include <stdio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/clock.h"

namespace gasnet {
namespace {

// The largest numbers of digits, and of decimals, behind the first unit.
struct Precision {
  int digits;
  int decimals;
};
constexpr Precision kBrief = {3, 1};
constexpr Precision kFine = {4, 3};

constexpr std::array<const char*, 4> kTimes = {"ns", "us", "ms", "s"};
constexpr double kTimeStep = 1000;

std::string Decimal(double number, int decimals) {
  char text[400];  // the longest double has some 310 digits before the point
  snprintf(text, sizeof text, "%.*f", decimals, number);
  return text;
}

// Returns the number of decimals. Each digit before the point, also one that
// comes by rounding, takes the place of a decimal.
int DecimalsOf(double number, Precision precision) {
  int decimals = precision.decimals;
  for (int whole = 1; whole <= 3; ++whole) {
    decimals = std::clamp(precision.digits - whole, 0, precision.decimals);
    const double half = 0.5 * std::pow(0.1, decimals);
    if (number < std::pow(10, whole) - half) break;
  }
  return decimals;
}

// Scales the number to the first unit in which it has fewer than four digits,
// or to the last unit.
std::string Scaled(double number, double step,
                   std::span<const char* const> units,
                   Precision precision = kBrief) {
  size_t unit = 0;
  // Goes to the next unit if the rounded number would reach `step`.
  while (number >= step - 0.5 && unit + 1 < units.size()) {
    number /= step;
    ++unit;
  }
  const int decimals = unit == 0 ? 0 : DecimalsOf(number, precision);
  return Decimal(number, decimals) + " " + units[unit];
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
  return Scaled(static_cast<double>(nanos), kTimeStep, kTimes);
}

std::string FineTimeText(double nanos) {
  return Scaled(nanos, kTimeStep, kTimes, kFine);
}

std::string SecondsText(int64_t nanos, int decimals) {
  return Decimal(static_cast<double>(nanos) / kNanosPerSecond, decimals);
}

std::string PercentText(double share) { return Decimal(100 * share, 1) + " %"; }

std::string PercentText(int64_t part, int64_t whole) {
  if (whole <= 0) return "-";
  return PercentText(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace gasnet
