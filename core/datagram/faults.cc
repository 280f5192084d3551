#include "core/datagram/faults.h"

#include <string>

#include "absl/strings/str_split.h"
#include "base/env.h"
#include "base/env_parse.h"
#include "base/log.h"

namespace gasnet::datagram {
namespace {

bool TakePercentage(std::string_view text, double& percentage) {
  const std::optional<double> number = ParseDouble(text);
  if (!number || *number < 0 || *number > 100) return false;
  percentage = *number;
  return true;
}

bool TakeSeed(std::string_view text, uint64_t& seed) {
  const std::optional<int64_t> number = ParseInt(text);
  if (!number || *number < 0) return false;
  seed = static_cast<uint64_t>(*number);
  return true;
}

bool Take(std::string_view name, std::string_view value, Faults& faults) {
  if (name == "drop") return TakePercentage(value, faults.drop);
  if (name == "duplicate") return TakePercentage(value, faults.duplicate);
  if (name == "reorder") return TakePercentage(value, faults.reorder);
  if (name == "corrupt") return TakePercentage(value, faults.corrupt);
  return name == "seed" && TakeSeed(value, faults.seed);
}

}  // namespace

std::optional<Faults> Faults::Parse(std::string_view text) {
  Faults faults;
  for (const std::string_view part : absl::StrSplit(text, ',')) {
    const size_t equals = part.find('=');
    if (equals == part.npos ||
        !Take(part.substr(0, equals), part.substr(equals + 1), faults)) {
      return std::nullopt;
    }
  }
  return faults;
}

Faults FaultsFromEnvironment(const char* name) {
  const char* const text = EnvText(name, "");
  if (*text == '\0') return {};
  const std::optional<Faults> faults = Faults::Parse(text);
  if (!faults) {
    Fatal(
        "%s is '%s'; accepted is a list such as "
        "drop=5,duplicate=2,reorder=10,corrupt=1,seed=7, in percent",
        name, text);
  }
  return *faults;
}

}  // namespace gasnet::datagram
