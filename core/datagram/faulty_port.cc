#include "core/datagram/faulty_port.h"

namespace gasnet::datagram {
namespace {

std::vector<std::byte> Joined(const Outgoing& datagram) {
  std::vector<std::byte> joined(datagram.size());
  datagram.CopyTo(joined.data());
  return joined;
}

}  // namespace

size_t FaultyPort::Send(Rank peer, std::span<const Outgoing> datagrams) {
  for (const Outgoing& datagram : datagrams) SendOne(peer, datagram);
  return datagrams.size();
}

void FaultyPort::SendOne(Rank peer, Outgoing datagram) {
  if (Happens(faults_.drop)) return;
  Datagram changed;
  if (Happens(faults_.corrupt)) {
    changed = Joined(datagram);
    Corrupt(changed);
    datagram = {changed};
  }
  const bool twice = Happens(faults_.duplicate);
  if (Happens(faults_.reorder) && !late_) {
    late_.emplace(peer, Joined(datagram));
    return;
  }
  port_.Send(peer, {&datagram, 1});
  if (twice) port_.Send(peer, {&datagram, 1});
  if (late_) {
    const Outgoing late{late_->second};
    port_.Send(late_->first, {&late, 1});
  }
  late_.reset();
}

void FaultyPort::Corrupt(Datagram& bytes) {
  if (bytes.empty()) return;
  const size_t at =
      std::uniform_int_distribution<size_t>(0, bytes.size() - 1)(random_);
  bytes[at] ^= static_cast<std::byte>(
      std::uniform_int_distribution<int>(1, 255)(random_));
  // Half of the damaged datagrams also lose their end.
  if (Happens(50)) bytes.resize(at);
}

}  // namespace gasnet::datagram
