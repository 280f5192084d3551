// The functions of gasnet_tools/trace.h. They call libgasnet if the program
// links it, and do nothing if not.
#include "gasnet_tools/trace.h"

#include <cstdarg>

#include "gasnet_tools/src/export.h"

#define GASNETTI_IF_LINKED extern "C" __attribute__((weak))

// Defined in export/observing.cc.
GASNETTI_IF_LINKED int gasneti_trace_enabled(void);
GASNETTI_IF_LINKED void gasneti_trace_print(int force, const char* format,
                                            va_list args);
GASNETTI_IF_LINKED const char* gasneti_trace_mask(void);
GASNETTI_IF_LINKED void gasneti_trace_set_mask(const char* mask);
GASNETTI_IF_LINKED int gasneti_trace_local(void);
GASNETTI_IF_LINKED void gasneti_trace_set_local(int local);
GASNETTI_IF_LINKED void gasneti_trace_set_source(const char* file,
                                                 unsigned line);
GASNETTI_IF_LINKED void gasneti_trace_get_source(const char** file,
                                                 unsigned* line);
GASNETTI_IF_LINKED void gasneti_trace_freeze_source(int freeze);
GASNETTI_IF_LINKED void gasneti_stats_print(int force, const char* format,
                                            va_list args);
GASNETTI_IF_LINKED void gasneti_stats_dump(int reset);
GASNETTI_IF_LINKED const char* gasneti_stats_mask(void);
GASNETTI_IF_LINKED void gasneti_stats_set_mask(const char* mask);

GASNETTI_EXPORT int gasnetti_trace_enabled(void) {
  return gasneti_trace_enabled != nullptr ? gasneti_trace_enabled() : 0;
}
GASNETTI_EXPORT void gasnetti_trace_printf(const char* format, ...) {
  if (gasneti_trace_print == nullptr) return;
  va_list args;
  va_start(args, format);
  gasneti_trace_print(0, format, args);
  va_end(args);
}
GASNETTI_EXPORT void gasnetti_trace_printf_force(const char* format, ...) {
  if (gasneti_trace_print == nullptr) return;
  va_list args;
  va_start(args, format);
  gasneti_trace_print(1, format, args);
  va_end(args);
}
GASNETTI_EXPORT const char* gasnetti_trace_mask(void) {
  return gasneti_trace_mask != nullptr ? gasneti_trace_mask() : "";
}
GASNETTI_EXPORT void gasnetti_trace_set_mask(const char* mask) {
  if (gasneti_trace_set_mask != nullptr) gasneti_trace_set_mask(mask);
}
GASNETTI_EXPORT int gasnetti_trace_local(void) {
  return gasneti_trace_local != nullptr ? gasneti_trace_local() : 0;
}
GASNETTI_EXPORT void gasnetti_trace_set_local(int local) {
  if (gasneti_trace_set_local != nullptr) gasneti_trace_set_local(local);
}
GASNETTI_EXPORT void gasnetti_trace_set_source(const char* file,
                                               unsigned line) {
  if (gasneti_trace_set_source != nullptr) gasneti_trace_set_source(file, line);
}
GASNETTI_EXPORT void gasnetti_trace_get_source(const char** file,
                                               unsigned* line) {
  *file = "";
  *line = 0;
  if (gasneti_trace_get_source != nullptr) gasneti_trace_get_source(file, line);
}
GASNETTI_EXPORT void gasnetti_trace_freeze_source(void) {
  if (gasneti_trace_freeze_source != nullptr) gasneti_trace_freeze_source(1);
}
GASNETTI_EXPORT void gasnetti_trace_unfreeze_source(void) {
  if (gasneti_trace_freeze_source != nullptr) gasneti_trace_freeze_source(0);
}
GASNETTI_EXPORT void gasnetti_stats_printf(const char* format, ...) {
  if (gasneti_stats_print == nullptr) return;
  va_list args;
  va_start(args, format);
  gasneti_stats_print(0, format, args);
  va_end(args);
}
GASNETTI_EXPORT void gasnetti_stats_printf_force(const char* format, ...) {
  if (gasneti_stats_print == nullptr) return;
  va_list args;
  va_start(args, format);
  gasneti_stats_print(1, format, args);
  va_end(args);
}
GASNETTI_EXPORT void gasnetti_stats_dump(int reset) {
  if (gasneti_stats_dump != nullptr) gasneti_stats_dump(reset);
}
GASNETTI_EXPORT const char* gasnetti_stats_mask(void) {
  return gasneti_stats_mask != nullptr ? gasneti_stats_mask() : "";
}
GASNETTI_EXPORT void gasnetti_stats_set_mask(const char* mask) {
  if (gasneti_stats_set_mask != nullptr) gasneti_stats_set_mask(mask);
}
