// Opens the sockets of HeadAddress.
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "base/syscall.h"
#include "job/launch/own_host.h"
#include "job/managed/head_address.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

constexpr char kLoopback[] = "127.0.0.1";

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

// Makes a socket address from a numeric `address` and a port.
SocketAddress Make(const std::string& address, uint16_t port) {
  SocketAddress made;
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&made.storage);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&made.storage);
  if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    made.size = sizeof *v4;
  } else {
    inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    made.size = sizeof *v6;
  }
  return made;
}

std::string TextOf(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET) {
    const auto* const v4 = reinterpret_cast<const sockaddr_in*>(address);
    inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
  } else if (address->sa_family == AF_INET6) {
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(address);
    // A link-local address is useless without its interface.
    if (IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr)) return "";
    inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
  }
  return text;
}

// Returns the addresses by which other hosts may reach this host, in the
// system's order.
std::vector<std::string> OwnAddresses() {
  std::vector<std::string> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return addresses;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list,
                                                               freeifaddrs);
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    constexpr unsigned kWanted = IFF_UP | IFF_RUNNING;
    if (entry->ifa_addr == nullptr ||
        (entry->ifa_flags & (kWanted | IFF_LOOPBACK)) != kWanted) {
      continue;
    }
    std::string text = TextOf(entry->ifa_addr);
    if (!text.empty()) addresses.push_back(std::move(text));
  }
  return addresses;
}

// Opens a listener on `address`. Stores the listener's port in `port`.
absl::StatusOr<UniqueFd> Listen(const std::string& address, uint16_t& port) {
  SocketAddress where = Make(address, 0);
  UniqueFd listener(socket(where.storage.ss_family,
                           SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (listener.valid() && bind(listener.get(), where.get(), where.size) == 0 &&
      listen(listener.get(), SOMAXCONN) == 0 &&
      getsockname(listener.get(), where.get(), &where.size) == 0) {
    const auto* const v4 = reinterpret_cast<sockaddr_in*>(&where.storage);
    const auto* const v6 = reinterpret_cast<sockaddr_in6*>(&where.storage);
    port = ntohs(where.storage.ss_family == AF_INET ? v4->sin_port
                                                    : v6->sin6_port);
    return listener;
  }
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot listen on ", address,
                                                 " for the other ranks"));
}

// Connects to an address. Stores the errno of a failure in `error`.
UniqueFd Connect(const std::string& address, uint16_t port, int patience_millis,
                 int& error) {
  SocketAddress where = Make(address, port);
  UniqueFd stream(socket(where.storage.ss_family,
                         SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  error = stream.valid() ? 0 : errno;
  if (error == 0 && connect(stream.get(), where.get(), where.size) != 0) {
    error = errno;
  }
  if (error == EINPROGRESS || error == EINTR) {
    pollfd wanted = {.fd = stream.get(), .events = POLLOUT, .revents = 0};
    const int ready =
        RetryOnEintr([&] { return poll(&wanted, 1, patience_millis); });
    socklen_t size = sizeof error;
    error = ETIMEDOUT;
    if (ready > 0) {
      getsockopt(stream.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    }
  }
  return error == 0 ? std::move(stream) : UniqueFd();
}

// Returns true if two host identities have the same "boot:..." part. Such hosts
// are containers on one machine, and usually share the machine's loopback.
bool IsSameMachine(const std::string& a, const std::string& b) {
  return a.substr(0, a.find(':')) == b.substr(0, b.find(':'));
}

// Returns the addresses that may lead from here to the head's host. If the head
// is on another machine, leaves out loopback. Also leaves out addresses that
// this host has too (on a private network). These addresses would lead back to
// this host.
std::vector<std::string> Candidates(const HeadAddress& head) {
  std::vector<std::string> candidates = head.addresses;
  if (IsSameMachine(head.host, OwnHostIdentity())) return candidates;
  const std::vector<std::string> own = OwnAddresses();
  std::erase_if(candidates, [&](const std::string& address) {
    return address == kLoopback ||
           std::count(own.begin(), own.end(), address) > 0;
  });
  return candidates;
}

}  // namespace

absl::StatusOr<HeadSocket> ListenForMembers(const Secret& secret,
                                            bool is_on_one_host) {
  HeadAddress address = {
      .port = 0, .secret = secret, .host = OwnHostIdentity(), .addresses = {}};
  if (is_on_one_host) {
    auto listener = Listen(kLoopback, address.port);
    if (!listener.ok()) return listener.status();
    address.addresses = {kLoopback};
    return HeadSocket{*std::move(listener), address};
  }
  // Listens on IPv6 and IPv4. If the host has no IPv6, listens on IPv4 only.
  auto listener = Listen("::", address.port);
  if (!listener.ok()) listener = Listen("0.0.0.0", address.port);
  if (!listener.ok()) return listener.status();
  address.addresses = OwnAddresses();
  if (address.addresses.size() > kMaxPublished) {
    address.addresses.resize(kMaxPublished);
  }
  // Adds loopback, for members on this host. This host may have no other
  // address.
  address.addresses.insert(address.addresses.begin(), kLoopback);
  return HeadSocket{*std::move(listener), address};
}

absl::StatusOr<UniqueFd> ConnectToHead(const HeadAddress& head,
                                       int patience_millis) {
  std::vector<std::string> errors;
  bool may_pass = false;
  for (const std::string& address : Candidates(head)) {
    int error = 0;
    UniqueFd stream = Connect(address, head.port, patience_millis, error);
    if (stream.valid()) {
      SetUpControlSocket(stream.get());
      return stream;
    }
    // These errors may be temporary, for example because the listener's queue
    // is full.
    may_pass = may_pass || error == ETIMEDOUT || error == ECONNRESET;
    errors.push_back(absl::StrCat(address, ": ", strerror(error)));
  }
  const std::string text =
      absl::StrCat("cannot connect to rank 0, port ", head.port, " of ",
                   errors.empty() ? "no address" : absl::StrJoin(errors, "; "));
  return may_pass ? absl::DeadlineExceededError(text)
                  : absl::UnavailableError(text);
}

void SetUpControlSocket(int socket) {
  constexpr int kOn = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &kOn, sizeof kOn);
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &kOn, sizeof kOn);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kIdleSeconds,
             sizeof kIdleSeconds);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kQuestionSeconds,
             sizeof kQuestionSeconds);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &kQuestions, sizeof kQuestions);
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnacknowledgedMillis,
             sizeof kUnacknowledgedMillis);
}

}  // namespace gasnet::job
