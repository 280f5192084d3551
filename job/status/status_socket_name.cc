#include "job/status/status_socket_name.h"

#include <stddef.h>

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"

namespace gasnet::job {
namespace {

// Returns the beginning of the names of a user's launchers.
std::string Prefix(uid_t user) { return absl::StrCat("gasnetrun/", user, "/"); }

}  // namespace

std::string StatusSocketName(uid_t user, pid_t launcher) {
  return absl::StrCat(Prefix(user), launcher);
}

StatusSocketAddress::StatusSocketAddress(std::string_view name) {
  address.sun_family = AF_UNIX;
  // The first byte stays 0: no file has this name.
  const size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::copy_n(name.begin(), length, address.sun_path + 1);
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

std::vector<pid_t> LaunchersOf(uid_t user, std::istream& sockets) {
  const std::string prefix = absl::StrCat("@", Prefix(user));
  std::vector<pid_t> found;
  for (std::string line; std::getline(sockets, line);) {
    const size_t at = line.rfind(' ');
    if (at == std::string::npos) continue;
    const std::string name = line.substr(at + 1);
    if (!absl::StartsWith(name, prefix)) continue;
    const std::optional<int64_t> pid = ParseInt(name.substr(prefix.size()));
    if (pid.has_value()) found.push_back(static_cast<pid_t>(*pid));
  }
  // Connections have the name too.
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace gasnet::job
