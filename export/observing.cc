// The functions behind the statistics calls of gasnet_tools/trace.h.
#include <cstdarg>

#include "base/log.h"
#include "core/observe/mask.h"
#include "core/observe/observer.h"
#include "core/runtime/runtime.h"
#include "gasnet/abi.h"

namespace {
using gasnet::observe::Mask;
using gasnet::observe::Observer;

// The group of the client's own lines.
constexpr char kLines = 'H';

// Returns the observer, or null if nothing is observed.
Observer* Mine() {
  return gasnet::runtime == nullptr ? nullptr : gasnet::runtime->observer();
}
}  // namespace

extern "C" {

void gasneti_stats_print(int force, const char* format, va_list args) {
  Observer* const observer = Mine();
  if (observer == nullptr) return;
  if (force == 0 && !observer->statistics_mask().Has(kLines)) return;
  observer->PrintToStatistics(format, args);
}
void gasneti_stats_dump(int reset) {
  if (Observer* const observer = Mine()) {
    observer->WriteStatistics("at GASNETT_STATS_DUMP", reset != 0);
  }
}
const char* gasneti_stats_mask(void) {
  Observer* const observer = Mine();
  return observer == nullptr ? "" : observer->statistics_mask_text();
}
void gasneti_stats_set_mask(const char* mask) {
  Observer* const observer = Mine();
  if (observer == nullptr) return;
  Mask parsed;
  if (!Mask::Parse(mask, parsed)) {
    gasnet::Warn("GASNETT_STATS_SETMASK: the mask is '%s'; accepted: %s", mask,
                 Mask::kSyntax);
    return;
  }
  observer->SetStatisticsMask(parsed);
}

}  // extern "C"
