// The functions behind gasnet_tools/trace.h.
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "base/log.h"
#include "core/observe/mask.h"
#include "core/observe/observer.h"
#include "core/observe/seam.h"
#include "core/observe/thread_log.h"
#include "core/observe/trace_format.h"
#include "core/observe/trace_ring.h"
#include "core/observe/tracing.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "gasnet/abi.h"

namespace {
using gasnet::observe::Mask;
using gasnet::observe::Observer;
using gasnet::observe::ThreadLog;
using gasnet::observe::Tracing;

// The mask letter of lines that the client itself prints.
constexpr char kLines = 'H';

// Returns the observer, or null if nothing is observed. Returns null in a
// forked child, since the child shares its parent's files.
Observer* Mine() {
  if (gasnet::CurrentPhase() == gasnet::Phase::kNone) return nullptr;
  return gasnet::runtime == nullptr ? nullptr : gasnet::runtime->observer();
}

// Returns the trace, or null if nothing is traced.
Tracing* MyTrace() {
  Observer* const observer = Mine();
  if (observer == nullptr || observer->tracing().file() == nullptr)
    return nullptr;
  return &observer->tracing();
}

// Parses the text of a mask that a call sets. If the text is not a mask, prints
// a warning and returns false.
bool Read(const char* call, const char* text, Mask& mask) {
  if (text == nullptr) text = "";
  if (Mask::Parse(text, mask)) return true;
  gasnet::Warn("%s: the mask is '%s'; accepted: %s", call, text, Mask::kSyntax);
  return false;
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
  Mask parsed;
  if (observer != nullptr && Read("GASNETT_STATS_SETMASK", mask, parsed)) {
    observer->SetStatisticsMask(parsed);
  }
}

int gasneti_trace_enabled(void) {
  Tracing* const trace = MyTrace();
  return trace != nullptr && trace->mask().bits() != 0;
}
void gasneti_trace_print(int force, const char* format, va_list args) {
  Tracing* const trace = MyTrace();
  if (trace == nullptr || (force == 0 && !trace->mask().Has(kLines))) return;
  ThreadLog* const log = gasnet::observe::LogOfThread();
  if (log == nullptr || log->ring == nullptr) return;
  std::array<char, gasnet::observe::kMaxTraceText + 1> text;
  const int length = vsnprintf(text.data(), text.size(), format, args);
  if (length < 0) return;
  log->ring->AddText(
      {text.data(), std::min<size_t>(static_cast<size_t>(length),
                                     gasnet::observe::kMaxTraceText)});
}
const char* gasneti_trace_mask(void) {
  Tracing* const trace = MyTrace();
  return trace == nullptr ? "" : trace->mask_text();
}
void gasneti_trace_set_mask(const char* mask) {
  Tracing* const trace = MyTrace();
  Mask parsed;
  if (trace != nullptr && Read("GASNETT_TRACE_SETMASK", mask, parsed)) {
    trace->SetMask(parsed);
  }
}
int gasneti_trace_local(void) {
  Tracing* const trace = MyTrace();
  return trace != nullptr && trace->local();
}
void gasneti_trace_set_local(int local) {
  if (Tracing* const trace = MyTrace()) trace->SetLocal(local != 0);
}

void gasneti_trace_set_source(const char* file, unsigned line) {
  ThreadLog* const log = gasnet::observe::LogOfThread();
  if (log == nullptr || log->source.is_frozen) return;
  log->source.file = file;
  log->source.line = line;
  log->source.is_new = true;
}
void gasneti_trace_get_source(const char** file, unsigned* line) {
  const ThreadLog* const log = gasnet::observe::LogOfThread();
  if (log == nullptr) return;
  *file = log->source.file;
  *line = log->source.line;
}
void gasneti_trace_freeze_source(int freeze) {
  ThreadLog* const log = gasnet::observe::LogOfThread();
  if (log != nullptr) log->source.is_frozen = freeze != 0;
}

}  // extern "C"
