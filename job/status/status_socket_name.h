// The name of the socket at which a launcher reports its job's status. The name
// is in the abstract name space of its host, so no file remains. The kernel
// lists the name in /proc/net/unix. So other processes can find a user's jobs.
#ifndef JOB_STATUS_STATUS_SOCKET_NAME_H_
#define JOB_STATUS_STATUS_SOCKET_NAME_H_

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace gasnet::job {

// Returns the name of a launcher's socket, without its leading byte 0.
std::string StatusSocketName(uid_t user, pid_t launcher);

// An address for bind and connect.
struct StatusSocketAddress {
  explicit StatusSocketAddress(std::string_view name);

  sockaddr_un address = {};
  socklen_t size = 0;

  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&address);
  }
};

// Returns true if the peer of a connection is a process of this user or of
// root. Call this for every connection, because any user may bind the name.
bool IsOfThisUser(int socket);

// Returns the process ids of the launchers of the user's jobs, ascending.
// `sockets` has the text of /proc/net/unix.
std::vector<pid_t> LaunchersOf(uid_t user, std::istream& sockets);

// The requests that a client may send.
inline constexpr std::string_view kStatusAsText = "text";
inline constexpr std::string_view kStatusAsJson = "json";

}  // namespace gasnet::job

#endif  // JOB_STATUS_STATUS_SOCKET_NAME_H_
