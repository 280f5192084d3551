// Active messages of the udp conduit: an am::Link.
//
// Ranks that this one shares memory with are reached through their rings, all
// others by datagrams.
//
// Sleeping. Something to wake for comes from the socket, from a ring, or from
// another thread of this process. Of the threads that sleep one, the watcher,
// waits for the socket and for `bell_`, the others on the doorbell in shared
// memory (hostshm/doorbell.h), which the watcher rings when it wakes. Whoever
// runs handlers or receives rings the doorbell and then, if there is a watcher,
// `bell_`: a watcher that has not yet said that it is one looks at the doorbell
// afterwards. Where this rank shares memory with others, which ring the
// doorbell only, nobody waits for longer than kGlance.
#ifndef CONDUITS_UDP_UDP_LINK_H_
#define CONDUITS_UDP_UDP_LINK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "conduits/udp/keeper.h"
#include "conduits/udp/network.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/host_link.h"
#include "core/thread/mode.h"

namespace gasnet::udp {

class UdpLink {
 public:
  hostshm::HostLink& host() { return host_; }

  // Where some ranks are not reached through memory. shares: whether others
  // than this one are.
  Status StartNetwork(std::unique_ptr<Network> network, bool shares);
  Network* network() { return network_.get(); }

  // The limits of messages between hosts, which must be the same on all of
  // them: what fits into the rings of a host depends on how many ranks it has.
  void SetMaxMedium(size_t nbytes) { max_medium_ = nbytes; }

  // Before the process ends the job: sees to it that what was sent arrives, as
  // long as kDrainLimit at most. Any thread, any time, signal handlers
  // included.
  void Drain();
  // Before it ends alone: the same without a limit, but for what is to ranks
  // that have left. A peer that computes is waited for, since it may have lost
  // what would have to be sent again. Where the end has interrupted a send it
  // can do nothing, and gives up after kDrainLimit too.
  void DrainAll();

  // am::Link.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) {
    if (!host_.Reaches(peer)) return SendFar(peer, lane, message);
    return host_.Send(peer, lane, message);
  }
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return PollAll(lanes, dispatcher, false);
  }
  unsigned PollAgain(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return PollAll(lanes, dispatcher, true);
  }
  // Before a request: the same, but the socket is only looked at when it has
  // not been for a while, since that is a system call.
  void PollBeforeSend(am::Dispatcher& dispatcher) {
    PollHost(am::Lanes::kAll, dispatcher);
    if (network_ != nullptr && IsTimeToLook()) {
      PollNetwork(am::Lanes::kAll, dispatcher, false);
    }
  }
  // For a wait that need not wait: the same, with the socket looked at unless
  // such a wait has done so within kLookInterval.
  void PollInPassing(am::Dispatcher& dispatcher) {
    PollHost(am::Lanes::kAll, dispatcher);
    if (network_ == nullptr) return;
    const int64_t now = NowNanos();
    if (now < next_passing_.load(kRelaxed)) return;
    next_passing_.store(now + kLookInterval, kRelaxed);
    PollNetwork(am::Lanes::kAll, dispatcher, false);
  }
  bool Lands(Rank peer) const { return !host_.Reaches(peer); }
  size_t MaxMedium() const {
    return network_ == nullptr ? host_.MaxMedium() : max_medium_;
  }
  size_t MaxLong(am::Lane lane) const;
  size_t MaxLongTo(Rank peer, am::Lane lane) const;
  uint32_t Arm() { return host_.Arm(); }
  void Sleep(uint32_t epoch);
  void Disarm() { host_.Disarm(); }
  void WakeOwn() {
    host_.WakeOwn();
    if (thread::kManyThreads && network_ != nullptr) RingWatcher();
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  // As long as a few messages take to send.
  static constexpr int64_t kLookInterval = 5'000;  // ns
  static constexpr int64_t kNotBegun = -1;
  // How long a sleeper may miss what comes the other way.
  static constexpr int64_t kGlance = 1'000'000;  // ns
  // A peer that computes does not acknowledge.
  static constexpr int64_t kDrainLimit = 250'000'000;  // ns
  static constexpr int64_t kDrainInterval = 100'000;   // ns
  // Where it may take long.
  static constexpr int64_t kDrainAllInterval = 1'000'000;  // ns

  am::Post SendFar(Rank peer, am::Lane lane, const am::Message& message);
  // Whether nobody has looked for kLookInterval. Approximately: a look counts
  // from the second send after it on, so that a client that looks between its
  // sends never reads the clock.
  bool IsTimeToLook() {
    if (looked_.load(kRelaxed)) {
      looked_.store(false, kRelaxed);
      next_look_.store(kNotBegun, kRelaxed);
      return false;
    }
    const int64_t now = NowNanos();
    if (next_look_.load(kRelaxed) != kNotBegun)
      return now >= next_look_.load(kRelaxed);
    next_look_.store(now + kLookInterval, kRelaxed);
    return false;
  }
  unsigned PollAll(am::Lanes lanes, am::Dispatcher& dispatcher, bool again) {
    const unsigned near = PollHost(lanes, dispatcher);
    if (network_ == nullptr) return near;
    return near + PollNetwork(lanes, dispatcher, again && near == 0);
  }
  unsigned PollHost(am::Lanes lanes, am::Dispatcher& dispatcher) {
    const unsigned handled = host_.Poll(lanes, dispatcher);
    if (thread::kManyThreads && handled > 0 && network_ != nullptr) {
      RingWatcher();
    }
    return handled;
  }
  unsigned PollNetwork(am::Lanes lanes, am::Dispatcher& dispatcher, bool again);
  // Whether all has arrived, or never will.
  bool DrainFor(int64_t nanos, int64_t interval);
  void Watch(uint32_t epoch);
  int64_t SleepLimit() const;
  void RingWatcher() {
    if (watched_.load(std::memory_order_seq_cst)) [[unlikely]]
      RingBell();
  }
  void RingBell();

  hostshm::HostLink host_;
  std::unique_ptr<Network> network_;
  size_t max_medium_ = 0;     // with a network
  Keeper* keeper_ = nullptr;  // of the network; never destroyed
  bool shares_ = false;
  std::atomic<bool> looked_{false};  // since the last send
  std::atomic<int64_t> next_look_{kNotBegun};
  std::atomic<int64_t> next_passing_{0};  // of PollInPassing at the socket
  UniqueFd bell_;  // an eventfd; only the watcher reads it
  std::atomic<bool> watched_{false};
};

static_assert(am::Link<UdpLink> && am::LinkPollsBeforeSend<UdpLink> &&
              am::LinkPollsInPassing<UdpLink> && am::LinkPollsAgain<UdpLink> &&
              am::LinkHasMaxLongTo<UdpLink> && am::LinkLands<UdpLink>);

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_UDP_LINK_H_
