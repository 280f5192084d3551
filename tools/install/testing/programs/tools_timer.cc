// A stopwatch in C++ that uses the GASNet tools alone. It prints the release of
// GASNet with which it was built.
#include <gasnet_tools.h>

#include "traced.h"

namespace {

class Stopwatch {
 public:
  Stopwatch() : start_(gasnett_ticks_now()), best_(GASNETT_TICK_MAX) {}
  void Lap() {
    const gasnett_tick_t now = gasnett_ticks_now();
    if (now - start_ < best_) best_ = now - start_;
    start_ = now;
  }
  uint64_t best_ns() const { return gasnett_ticks_to_ns(best_); }

 private:
  gasnett_tick_t start_;
  gasnett_tick_t best_;
};

bool IsRecent() {
  return GASNETT_RELEASE_VERSION_MAJOR > 1 ||
         (GASNETT_RELEASE_VERSION_MAJOR == 1 &&
          GASNETT_RELEASE_VERSION_MINOR >= 18);
}

}  // namespace

int main() {
  Stopwatch stopwatch;
  for (int i = 0; i < 1000; ++i) {
    stopwatch.Lap();
    gasnett_local_mb();
  }
  RT_TRACE(("best %d", static_cast<int>(stopwatch.best_ns())));
  if (!IsRecent() || rt_silence() != 0 ||
      strncmp(GASNETT_CONFIG_STRING, "RELEASE=", 8) != 0) {
    fprintf(stderr, "built with %s, %s\n", GASNETT_CONFIG_STRING,
            strerror(errno));
    return EXIT_FAILURE;
  }
  printf("counted to %d\n", 4000);
  return EXIT_SUCCESS;
}
