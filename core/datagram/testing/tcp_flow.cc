#include "core/datagram/testing/tcp_flow.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace gasnet::datagram::testing {
namespace {

void SendNumber(MemoryNetwork& network, Rank from, Rank to, uint64_t number,
                size_t size) {
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &number, sizeof number);
  const Outgoing datagram{bytes};
  network.Send(from, to, {&datagram, 1});
}

uint64_t NumberIn(const MemoryNetwork::Datagram& datagram) {
  uint64_t number;
  std::memcpy(&number, datagram.data(), sizeof number);
  return number;
}

}  // namespace

void TcpFlow::Step() {
  Acknowledge();
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  for (const auto& datagram : network_.Receive(from_, kAll)) {
    OnAcknowledged(NumberIn(datagram));
  }
  if (network_.Now() >= NextDeadline()) {
    Halve(next_);
    window_ = 1;
    in_flight_.clear();
  }
  while (static_cast<double>(in_flight_.size()) < window_) {
    SendNumber(network_, from_, to_, next_, network_.options().max_datagram);
    in_flight_.emplace(next_++, network_.Now());
  }
}

int64_t TcpFlow::NextDeadline() const {
  return in_flight_.empty() ? std::numeric_limits<int64_t>::max()
                            : in_flight_.begin()->second + kTimeout;
}

void TcpFlow::Acknowledge() {
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  for (const auto& datagram : network_.Receive(to_, kAll)) {
    received_ += datagram.size();
    SendNumber(network_, to_, from_, NumberIn(datagram), sizeof(uint64_t));
  }
}

void TcpFlow::OnAcknowledged(uint64_t number) {
  if (in_flight_.erase(number) == 0) return;
  window_ += window_ < threshold_ ? 1 : 1 / window_;
  FindLost(number);
}

void TcpFlow::FindLost(uint64_t acknowledged) {
  while (!in_flight_.empty() &&
         in_flight_.begin()->first + kReordering <= acknowledged) {
    Halve(in_flight_.begin()->first);
    in_flight_.erase(in_flight_.begin());
  }
}

void TcpFlow::Halve(uint64_t lost) {
  if (lost <= round_end_) return;
  round_end_ = next_ - 1;
  window_ = threshold_ = std::max(window_ / 2, 2.0);
}

}  // namespace gasnet::datagram::testing
