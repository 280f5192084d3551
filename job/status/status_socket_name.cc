#include "job/status/status_socket_name.h"

#include <stddef.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/env_parse.h"

namespace gasnet::job {
namespace {

// Returns the prefix of the socket names of a user's launchers.
std::string Prefix(uid_t user) { return absl::StrCat("gasnetrun/", user, "/"); }

}  // namespace

std::string StatusSocketName(uid_t user, pid_t launcher) {
  return absl::StrCat(Prefix(user), launcher);
}

StatusSocketAddress::StatusSocketAddress(std::string_view name) {
  address.sun_family = AF_UNIX;
  // The first byte stays 0. This makes the name abstract, so there is no file.
  const size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::copy_n(name.begin(), length, address.sun_path + 1);
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

bool IsOfThisUser(int socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == geteuid() || peer.uid == 0);
}

std::vector<pid_t> LaunchersOf(uid_t user, std::istream& sockets) {
  const std::string prefix = absl::StrCat("@", Prefix(user));
  std::vector<pid_t> found;
  for (std::string line; std::getline(sockets, line);) {
    const size_t at = line.rfind(' ');
    if (at == std::string::npos) continue;
    const std::string name = line.substr(at + 1);
    if (!absl::StartsWith(name, prefix)) continue;
    const std::optional<int64_t> number = ParseInt(name.substr(prefix.size()));
    const auto pid = static_cast<pid_t>(number.value_or(0));
    // Checks the whole name, because any process may use a name with this
    // prefix.
    if (pid > 0 && name == absl::StrCat(prefix, pid)) found.push_back(pid);
  }
  // Removes duplicates, because the connections of a socket have its name too.
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace gasnet::job
