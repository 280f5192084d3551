#include "base/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/match.h"
#include "base/env_parse.h"
#include "base/env_report.h"
#include "base/log.h"

namespace gasnet {
namespace {

// The snapshot is never freed, because ranks read settings until they end.
std::atomic<const std::vector<std::string>*> snapshot{nullptr};

const char* Lookup(const char* name) {
  const auto* environment = snapshot.load(std::memory_order_acquire);
  if (environment == nullptr) return getenv(name);
  const size_t length = strlen(name);
  for (const std::string& entry : *environment) {
    if (entry.size() > length && entry[length] == '=' &&
        entry.compare(0, length, name) == 0) {
      return entry.c_str() + length + 1;
    }
  }
  return nullptr;
}

void Report(const char* name, const std::string& value, bool is_default) {
  if (strncmp(name, "GASNET_", 7) != 0 || !ReportsEnvironment()) return;
  ReportEnvOnce(name, value, is_default);
}

// Returns the variable's value. If the variable is not set, reports the default
// and returns null.
const char* SetValue(const char* name, const std::string& default_text) {
  const char* value = Lookup(name);
  const bool is_set = value != nullptr && *value != '\0';
  Report(name, is_set ? value : default_text, !is_set);
  return is_set ? value : nullptr;
}

[[noreturn]] void Refuse(const char* name, const char* value,
                         const std::string& accepted) {
  Fatal("%s is set to '%s'; accepted: %s", name, value, accepted.c_str());
}

std::string Text(double value) {
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  return text;
}

template <typename Number>
Number Bounded(const char* name, const char* value,
               std::optional<Number> parsed, Number min, Number max,
               const std::string& accepted) {
  if (!parsed.has_value() || *parsed < min || *parsed > max) {
    Refuse(name, value, accepted);
  }
  return *parsed;
}

}  // namespace

std::vector<std::string> ProcessEnvironment() {
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    environment.emplace_back(*entry);
  }
  return environment;
}

void SetEnvironment(std::vector<std::string> environment) {
  snapshot.store(new std::vector<std::string>(std::move(environment)),
                 std::memory_order_release);
}

void ForgetEnvironment() {
  delete snapshot.exchange(nullptr, std::memory_order_acq_rel);
}

bool ReportsEnvironment() {
  return IsLogRankZero() && AsksForEnvReports(Lookup("GASNET_VERBOSEENV"));
}

const char* GetEnv(const char* name) {
  const char* value = Lookup(name);
  Report(name, value == nullptr ? "" : value, value == nullptr);
  return value;
}

const char* EnvText(const char* name, const char* def) {
  const char* value = SetValue(name, def);
  return value == nullptr ? def : value;
}

int64_t EnvInt(const char* name, int64_t def, int64_t min, int64_t max) {
  const char* value = SetValue(name, std::to_string(def));
  if (value == nullptr) return def;
  return Bounded(name, value, ParseInt(value), min, max,
                 "a whole number from " + std::to_string(min) + " to " +
                     std::to_string(max));
}

double EnvDouble(const char* name, double def, double min, double max) {
  const char* value = SetValue(name, Text(def));
  if (value == nullptr) return def;
  return Bounded(name, value, ParseDouble(value), min, max,
                 "a number from " + Text(min) + " to " + Text(max));
}

bool EnvBool(const char* name, bool def) {
  const char* value = SetValue(name, def ? "1" : "0");
  if (value == nullptr) return def;
  const std::optional<bool> parsed = ParseBool(value);
  if (!parsed.has_value()) {
    Refuse(name, value, "1, yes, true, on, 0, no, false, off");
  }
  return *parsed;
}

uint64_t EnvSize(const char* name, uint64_t def) {
  const char* value = SetValue(name, std::to_string(def));
  if (value == nullptr) return def;
  const std::optional<uint64_t> parsed = ParseSize(value);
  if (!parsed.has_value()) {
    Refuse(name, value, "a number of bytes, with K, M, G or T if you like");
  }
  return *parsed;
}

size_t EnvChoice(const char* name, std::span<const char* const> choices,
                 size_t def) {
  const char* value = SetValue(name, choices[def]);
  if (value == nullptr) return def;
  std::string accepted;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (absl::EqualsIgnoreCase(value, choices[i])) return i;
    accepted += (i == 0 ? "" : ", ") + std::string(choices[i]);
  }
  Refuse(name, value, accepted);
}

}  // namespace gasnet
