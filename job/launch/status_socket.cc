#include "job/launch/status_socket.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/syscall.h"
#include "job/status/status_socket_name.h"
#include "job/tuning.h"

namespace gasnet::job {

StatusSocket::~StatusSocket() {
  for (const auto& [name, client] : clients_) {
    loop_.Unwatch(client->socket.get());
  }
  if (listener_.valid()) loop_.Unwatch(listener_.get());
}

bool StatusSocket::Listen() {
  UniqueFd socket(
      ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const StatusSocketAddress address(StatusSocketName(geteuid(), getpid()));
  if (!socket.valid() || bind(socket.get(), address.get(), address.size) != 0 ||
      listen(socket.get(), kStatusBacklog) != 0) {
    return false;
  }
  listener_ = std::move(socket);
  return loop_.Watch(listener_.get(), EPOLLIN, [this] { Accept(); });
}

void StatusSocket::Accept() {
  UniqueFd socket(
      accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  // If no descriptor is free, the client stays in the listen queue. Unwatches
  // the listener, because epoll would report the client again and again.
  if (!socket.valid() && (errno == EMFILE || errno == ENFILE)) {
    return loop_.Unwatch(listener_.get());
  }
  if (!socket.valid() || !IsOfThisUser(socket.get()) ||
      clients_.size() == kMaxStatusClients) {
    return;
  }
  const uint64_t name = next_client_++;
  const int fd = socket.get();
  clients_.emplace(name, std::make_unique<Client>(std::move(socket)));
  loop_.Watch(fd, EPOLLIN, [this, name] { TakeRequest(name); });
}

void StatusSocket::TakeRequest(uint64_t name) {
  Client& client = *clients_.at(name);
  std::array<char, 16> bytes;
  const ssize_t got = RetryOnEintr(
      [&] { return recv(client.socket.get(), bytes.data(), bytes.size(), 0); });
  const std::string_view request(bytes.data(), got > 0 ? got : 0);
  const bool as_json = request == kStatusAsJson;
  // Also closes the connection if the client has left before its answer. The
  // request is then empty.
  if (client.has_asked || (!as_json && request != kStatusAsText)) {
    return Close(name);
  }
  client.has_asked = true;
  request_(name, as_json);
}

void StatusSocket::Answer(uint64_t name, std::string text) {
  const auto at = clients_.find(name);
  if (at == clients_.end()) return;
  at->second->answer.Append(text);
  loop_.Watch(at->second->socket.get(), EPOLLOUT,
              [this, name] { Write(name); });
}

void StatusSocket::Write(uint64_t name) {
  Client& client = *clients_.at(name);
  client.answer.Write();
  if (!client.answer.IsPending() || client.answer.error() != 0) Close(name);
}

void StatusSocket::Close(uint64_t name) {
  loop_.Unwatch(clients_.at(name)->socket.get());
  clients_.erase(name);
}

}  // namespace gasnet::job
