#include "job/own_settings.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/match.h"
#include "base/env.h"

namespace gasnet::job {
namespace {

bool Has(const std::vector<std::string>& entries, const std::string& entry) {
  return std::ranges::find(entries, entry) != entries.end();
}

void Erase(std::vector<std::string>& environment, std::string_view entry) {
  const std::string_view name = entry.substr(0, entry.find('=') + 1);
  std::erase_if(environment, [name](const std::string& each) {
    return absl::StartsWith(each, name);
  });
}

}  // namespace

std::vector<std::string> OwnSettings() {
  std::vector<std::string> all = ProcessEnvironment();
  std::erase_if(all, [](const std::string& each) {
    return !absl::StartsWith(each, "GASNET_");
  });
  return all;
}

std::vector<std::string> WithChanges(std::vector<std::string> environment,
                                     const std::vector<std::string>& before,
                                     const std::vector<std::string>& now) {
  for (const std::string& each : before) {
    if (!Has(now, each)) Erase(environment, each);
  }
  for (const std::string& each : now) {
    if (Has(before, each)) continue;
    Erase(environment, each);
    environment.push_back(each);
  }
  return environment;
}

}  // namespace gasnet::job
