#include "conduits/udp/udp_link.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/forked.h"
#include "core/datagram/send_window.h"

namespace gasnet::udp {

Status UdpLink::StartNetwork(std::unique_ptr<Network> network, bool shares) {
  bell_.Reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!bell_.valid()) return ErrnoToStatus(errno, "making an eventfd");
  network_ = std::move(network);
  shares_ = shares;
  max_medium_ = std::min(host_.MaxMedium(), network_->endpoint().MaxMedium());
  keeper_ = new Keeper(network_->endpoint());
  return keeper_->Start();
}

am::Post UdpLink::SendFar(Rank peer, am::Lane lane,
                          const am::Message& message) {
  const am::Post post = network_->endpoint().Send(peer, lane, message);
  keeper_->Wake();
  return post;
}

void UdpLink::Drain() { DrainFor(kDrainLimit, kDrainInterval); }

void UdpLink::DrainAll() {
  if (network_ == nullptr) return;
  const Network::Endpoint& endpoint = network_->endpoint();
  uint32_t steps;
  do {
    steps = endpoint.drain_steps();
  } while (!DrainFor(kDrainLimit, kDrainAllInterval) &&
           endpoint.drain_steps() != steps);
}

bool UdpLink::DrainFor(int64_t nanos, int64_t interval) {
  // A child that was forked shares the socket, the key and its counter: a word
  // from it would betray the key, and what it received would be lost.
  if (network_ == nullptr || IsForkedChild()) return true;
  const timespec moment = ToTimespec(interval);
  return network_->endpoint().Drain(NowNanos() + nanos,
                                    [&] { nanosleep(&moment, nullptr); });
}

// What the link to this host's ranks takes depends on their segments; the limit
// is the same on all hosts.
size_t UdpLink::MaxLong(am::Lane lane) const {
  return network_ == nullptr ? host_.MaxLong(lane) : MaxMedium();
}

size_t UdpLink::MaxLongTo(Rank peer, am::Lane lane) const {
  return host_.Reaches(peer) ? MaxLong(lane) : network_->endpoint().MaxLong();
}

unsigned UdpLink::PollNetwork(am::Lanes lanes, am::Dispatcher& dispatcher,
                              bool again) {
  // What was kept for want of a lane to serve must not wait for the interval.
  if (lanes == am::Lanes::kAll) looked_.store(true, kRelaxed);
  Network::Endpoint& endpoint = network_->endpoint();
  const uint32_t before = endpoint.receipts();
  const unsigned handled = endpoint.Poll(lanes, dispatcher, again);
  if (thread::kManyThreads && (handled > 0 || endpoint.receipts() != before)) {
    // A handler has run, or there is room to send: others may wait for it.
    host_.RingOwn();
    RingWatcher();
  }
  if (endpoint.NextDeadline() != datagram::kNever) {
    keeper_->Wake();
  }
  return handled;
}

void UdpLink::RingBell() {
  const uint64_t one = 1;
  // When it is full the watcher has been told often enough.
  [[maybe_unused]] const ssize_t sent = write(bell_.get(), &one, sizeof one);
}

void UdpLink::Sleep(uint32_t epoch) {
  if (network_ == nullptr) {
    host_.Sleep(epoch);
  } else if (shares_) {
    host_.SleepAtMost(epoch, std::min(SleepLimit(), kGlance));
  } else if (!watched_.exchange(true, std::memory_order_seq_cst)) {
    Watch(epoch);
    watched_.store(false, std::memory_order_seq_cst);
    // One of the others must watch now.
    if (thread::kManyThreads) host_.RingOwn();
  } else {
    host_.Sleep(epoch);
  }
}

void UdpLink::Watch(uint32_t epoch) {
  // The bell of a child that was forked is its parent's.
  if (host_.HasRungSince(epoch) || IsForkedChild()) return;
  const int64_t limit = SleepLimit();
  if (limit <= 0) return;
  std::array<pollfd, 2> watched = {
      {{network_->port().fd(), POLLIN, 0}, {bell_.get(), POLLIN, 0}}};
  const timespec time = ToTimespec(limit);
  const bool forever = limit == datagram::kNever;
  ppoll(watched.data(), watched.size(), forever ? nullptr : &time, nullptr);
  uint64_t rings;
  [[maybe_unused]] const ssize_t got = read(bell_.get(), &rings, sizeof rings);
}

// Until the endpoint has something to do by itself.
int64_t UdpLink::SleepLimit() const {
  const int64_t deadline = network_->endpoint().NextDeadline();
  if (deadline == datagram::kNever) return deadline;
  return std::max<int64_t>(0, deadline - NowNanos());
}

}  // namespace gasnet::udp
