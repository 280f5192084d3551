#include "gasnet_tools/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/env_parse.h"
#include "base/env_report.h"
#include "base/log.h"
#include "gasnet_tools/number.h"
#include "gasnet_tools/src/client.h"
#include "gasnet_tools/src/export.h"
#include "gasnet_tools/src/number_text.h"

namespace gasnet::tools {
namespace {

std::mutex& Lock() {
  static std::mutex& lock = *new std::mutex;
  return lock;
}

// The changes that gasnett_setenv and gasnett_unsetenv have made. A removed
// variable has an entry without a value. The job's environment itself never
// changes.
std::map<std::string, std::optional<std::string>>& Overrides() {
  static auto& overrides =
      *new std::map<std::string, std::optional<std::string>>;
  return overrides;
}

char* Lookup(const char* key) {
  {
    const std::lock_guard hold(Lock());
    const auto found = Overrides().find(key);
    if (found != Overrides().end())
      return found->second ? found->second->data() : nullptr;
  }
  return JobEnvironment(key);
}

bool IsVerbose() {
  return AsksForEnvReports(Lookup("GASNET_VERBOSEENV")) && IsNodeZero();
}

// Returns true if libgasnet itself reports the variable. Such variables begin
// with "GASNET_".
bool IsReportedElsewhere(const char* key) {
  return HasGasnet() && strncmp(key, "GASNET_", 7) == 0;
}

void Report(const char* key, const std::string& value, bool is_default) {
  if (IsReportedElsewhere(key) || !IsVerbose()) return;
  ReportEnvOnce(key, value, is_default);
}

// Reports the variable, and returns the text to read, or null if the default
// applies.
const char* SetValue(const char* key, const std::string& default_text) {
  const char* value = Lookup(key);
  const bool is_set = value != nullptr && *value != '\0';
  Report(key, is_set ? value : default_text, !is_set);
  return is_set ? value : nullptr;
}

// Reports a variable that the program itself has read.
void Display(const char* key, const std::string& value, int is_default) {
  if (IsVerbose()) ReportEnvOnce(key, value, is_default != 0);
}

std::string NumberText(double value) {
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  return text;
}

template <typename Value>
Value Accepted(const std::optional<Value>& parsed, const char* key,
               const char* value, const char* accepted) {
  if (!parsed.has_value()) {
    Fatal("%s is set to '%s'; accepted: %s", key, value, accepted);
  }
  return *parsed;
}

}  // namespace
}  // namespace gasnet::tools

using gasnet::tools::Accepted;

GASNETTI_EXPORT char* gasnett_getenv(const char* key) {
  char* value = gasnet::tools::Lookup(key);
  gasnet::tools::Report(key, value == nullptr ? "" : value, value == nullptr);
  return value;
}

GASNETTI_EXPORT void gasnett_setenv(const char* key, const char* value) {
  if (setenv(key, value, 1) != 0) {
    gasnet::Fatal("gasnett_setenv: '%s' is not a valid variable name", key);
  }
  const std::lock_guard hold(gasnet::tools::Lock());
  gasnet::tools::Overrides()[key] = value;
}

GASNETTI_EXPORT void gasnett_unsetenv(const char* key) {
  if (unsetenv(key) != 0) {
    gasnet::Fatal("gasnett_unsetenv: '%s' is not a valid variable name", key);
  }
  const std::lock_guard hold(gasnet::tools::Lock());
  gasnet::tools::Overrides()[key] = std::nullopt;
}

GASNETTI_EXPORT char* gasnett_getenv_withdefault(const char* key,
                                                 const char* dflt) {
  char* value = gasnet::tools::Lookup(key);
  const bool is_default = value == nullptr;
  if (is_default) value = const_cast<char*>(dflt);
  gasnet::tools::Report(key, value == nullptr ? "" : value, is_default);
  return value;
}

GASNETTI_EXPORT int gasnett_getenv_yesno_withdefault(const char* key,
                                                     int dflt) {
  const char* value = gasnet::tools::SetValue(key, dflt != 0 ? "YES" : "NO");
  if (value == nullptr) return dflt != 0;
  return Accepted(gasnet::ParseBool(value), key, value,
                  "1, yes, y, true, on, 0, no, n, false, off");
}

GASNETTI_EXPORT int64_t gasnett_getenv_int_withdefault(
    const char* key, int64_t dflt, uint64_t mem_size_multiplier) {
  const char* value = gasnet::tools::SetValue(
      key, gasnet::tools::FormatNumber(dflt, mem_size_multiplier != 0));
  if (value == nullptr) return dflt;
  return Accepted(gasnet::tools::ParseNumber(value, mem_size_multiplier), key,
                  value, gasnet::tools::AcceptedNumbers(mem_size_multiplier));
}

GASNETTI_EXPORT double gasnett_getenv_dbl_withdefault(const char* key,
                                                      double dflt) {
  const char* value =
      gasnet::tools::SetValue(key, gasnet::tools::NumberText(dflt));
  if (value == nullptr) return dflt;
  return Accepted(gasnet::ParseDouble(value), key, value, "a number");
}

GASNETTI_EXPORT int gasnett_verboseenv() { return gasnet::tools::IsVerbose(); }

GASNETTI_EXPORT void gasnett_envint_display(const char* key, int64_t value,
                                            int is_dflt, int is_mem_size) {
  gasnet::tools::Display(
      key, gasnet::tools::FormatNumber(value, is_mem_size != 0), is_dflt);
}
GASNETTI_EXPORT void gasnett_envdbl_display(const char* key, double value,
                                            int is_dflt) {
  gasnet::tools::Display(key, gasnet::tools::NumberText(value), is_dflt);
}
GASNETTI_EXPORT void gasnett_envstr_display(const char* key, const char* value,
                                            int is_dflt) {
  gasnet::tools::Display(key, value == nullptr ? "" : value, is_dflt);
}
