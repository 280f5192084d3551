#include "gasnet_tools/tick.h"

#include <sys/time.h>

#include <algorithm>

#include "base/clock.h"
#include "gasnet_tools/src/export.h"

namespace {

constexpr int kSamples = 1000;
constexpr double kNanosPerMicro = 1000;

double MeasureOverhead() {
  const gasnett_tick_t begin = gasnett_ticks_now();
  for (int i = 0; i < kSamples; ++i) gasnett_ticks_now();
  const gasnett_tick_t spent = gasnett_ticks_now() - begin;
  return std::max<double>(spent, 1) / (kSamples + 1) / kNanosPerMicro;
}

gasnett_tick_t NextDifference() {
  const gasnett_tick_t begin = gasnett_ticks_now();
  gasnett_tick_t now = begin;
  while (now == begin) now = gasnett_ticks_now();
  return now - begin;
}

double MeasureGranularity() {
  gasnett_tick_t least = NextDifference();
  for (int i = 1; i < kSamples; ++i) least = std::min(least, NextDifference());
  return static_cast<double>(least) / kNanosPerMicro;
}

}  // namespace

GASNETTI_EXPORT gasnett_tick_t gasnett_ticks_now() {
  return gasnet::NowNanos();
}

GASNETTI_EXPORT uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks) {
  return ticks;
}

GASNETTI_EXPORT uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) {
  return ticks / 1000;
}

GASNETTI_EXPORT double gasnett_tick_overheadus() {
  static const double overhead = MeasureOverhead();
  return overhead;
}

GASNETTI_EXPORT double gasnett_tick_granularityus() {
  static const double granularity = MeasureGranularity();
  return granularity;
}

GASNETTI_EXPORT uint64_t gasnett_gettimeofday_us() {
  timeval now;
  gettimeofday(&now, nullptr);
  return uint64_t{1'000'000} * now.tv_sec + now.tv_usec;
}
