#include "portals/api/knobs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "base/log.h"
#include "base/own_env.h"

namespace gasnet::portals4 {

namespace internal {
std::atomic<bool> faults_may_happen{false};
}  // namespace internal

namespace {

constexpr const char* kFaultNames[kFaults] = {
    "in_use",  "no_space", "undeliverable", "disable",
    "ignored", "late",     "reordered",     "pt_any"};
constexpr const char* kLimitNames[] = {"max_entries",
                                       "max_unexpected_headers",
                                       "max_mds",
                                       "max_cts",
                                       "max_eqs",
                                       "max_pt_index",
                                       "max_iovecs",
                                       "max_list_size",
                                       "max_triggered_ops",
                                       "max_msg_size",
                                       "max_atomic_size",
                                       "max_fetch_atomic_size",
                                       "max_waw_ordered_size",
                                       "max_war_ordered_size",
                                       "max_volatile_size",
                                       "max_md_length",
                                       "features"};

[[noreturn]] void Refuse(const char* variable, const std::string& item) {
  Fatal(
      "%s has '%s'; accepted: a list NAME=NUMBER,NAME=NUMBER of the names in "
      "portals/README.md",
      variable, item.c_str());
}

// Parses NAME=NUMBER,NAME=NUMBER from a variable. Calls `call` with each name
// and number.
template <class Call>
void ForItems(const char* variable, Call call) {
  const char* const text = OwnEnv(variable);
  std::string_view left = text != nullptr ? text : "";
  while (!left.empty()) {
    const std::string item(left.substr(0, left.find(',')));
    left.remove_prefix(std::min(item.size() + 1, left.size()));
    const size_t equals = item.find('=');
    if (equals == std::string::npos) Refuse(variable, item);
    char* end = nullptr;
    errno = 0;
    const uint64_t number = std::strtoull(item.c_str() + equals + 1, &end, 10);
    if (errno != 0 || *end != '\0' || item.size() == equals + 1 ||
        !call(item.substr(0, equals), number)) {
      Refuse(variable, item);
    }
  }
}

}  // namespace

KnobSettings::KnobSettings() {
  ForItems("PORTALS4_LIMITS", [&](const std::string& name, uint64_t number) {
    for (const char* const known : kLimitNames) {
      if (name == known) limits_[name] = number;
    }
    return limits_.count(name) != 0;
  });
  ForItems("PORTALS4_FAULTS", [&](const std::string& name, uint64_t number) {
    if (name == "seed") {
      state_.store(number, std::memory_order_relaxed);
      return true;
    }
    for (uint32_t i = 0; i < kFaults; ++i) {
      if (name != kFaultNames[i]) continue;
      one_in_[i] = static_cast<uint32_t>(number);
      internal::faults_may_happen.store(true, std::memory_order_relaxed);
      return true;
    }
    return false;
  });
}

uint64_t KnobSettings::Limit(const char* name, uint64_t most) const {
  const auto found = limits_.find(name);
  return found != limits_.end() ? found->second : most;
}

// Uses SplitMix64.
uint32_t KnobSettings::Draw() {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15;
  uint64_t z = state_.fetch_add(kStep, std::memory_order_relaxed) + kStep;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<uint32_t>((z ^ (z >> 31)) >> 32);
}

KnobSettings& Knobs() {
  static KnobSettings* const knobs = new KnobSettings();
  return *knobs;
}

}  // namespace gasnet::portals4
