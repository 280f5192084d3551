// The ranks of this host and a network as one link: an am::Link.
//
// Ranks that this one shares memory with are reached through their rings, all
// others by the network. A job whose ranks all share memory has no network.
//
// Looking. A poll looks at both. Before a request the network, where a look is
// a system call, is only looked at when nobody has done so for kLookInterval,
// and nothing is where neither that is due nor the rings have anything.
//
// Sleeping. Something to wake for comes from the network, from a ring, or from
// another thread of this process. Of the threads of a rank that sleep one, the
// watcher, waits for the network's descriptor and its wake socket, the others
// on the doorbell in shared memory (hostshm/doorbell.h). A thread that rings
// the doorbell wakes the watcher too; the watcher, and any thread that has
// polled something in, ring it for the others. A watcher whose sleep has ended
// by the limit it was called with keeps the watch: it sleeps again soon, or
// disarms, which rings. A network without a descriptor
// may await its events itself (Capabilities); the watcher is then woken by a
// ring of the network's. Where a wake-up is not certain nobody sleeps for
// longer than kGlance: where the network has neither, and does not say itself
// when it is to be looked at; where it awaits and other ranks share memory with
// this one, whose socket it does not wait for; where the kernel has no
// membarrier; and where ranks that share memory are in several network
// namespaces, and their sockets do not reach each other.
#ifndef CORE_NETWORK_LINK_H_
#define CORE_NETWORK_LINK_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/forked.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/progress.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/wake_socket.h"
#include "core/network/network.h"
#include "core/network/readable.h"
#include "core/network/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::network {

class Link {
 public:
  static constexpr bool kSendsInSteps = true;

  hostshm::HostLink& host() { return host_; }

  // Where some ranks are not reached through memory. The network's timers hang
  // on `progress`, of the engine over this link.
  absl::Status Start(std::unique_ptr<Network> network, am::Progress& progress);
  // Null where all ranks are.
  Network* network() const { return network_.get(); }
  // Once the network is attached.
  void SetMaxLongFar() { max_long_far_ = network_->MaxLong(); }

  // The size that all hosts agree on (agreement.h): the largest that fits into
  // the rings of a host depends on how many ranks it has.
  void SetMaxMedium(size_t nbytes) { max_medium_ = nbytes; }
  // certain: the sockets of all ranks that share memory reach each other.
  void SetCertain(bool certain) { certain_ = certain; }
  // alone: no other rank shares memory with this one.
  void SetAlone(bool alone) { alone_ = alone; }

  // am::Link.
  [[gnu::always_inline]] am::Post Send(Rank peer, am::Lane lane,
                                       const am::Message& message) {
    if (!host_.Reaches(peer)) [[unlikely]] {
      // In memory only here (Engine::ServeAndRequest).
      const am::Message far = message;
      return SendFar(peer, lane, far);
    }
    return host_.Send(peer, lane, message);
  }
  // If a look at the network is due, the next call says so again.
  [[gnu::always_inline]] bool HasMessages() {
    return (network_ != nullptr && IsTimeToLook()) || host_.HasMessages();
  }
  [[gnu::always_inline]] bool HasMessagesBut(uint8_t handler) {
    return (network_ != nullptr && IsTimeToLook()) ||
           host_.HasMessagesBut(handler);
  }
  template <class Accept>
  [[gnu::always_inline]] bool TakeMedium(const am::Wanted& wanted, void* to,
                                         Accept accept) {
    return host_.Reaches(wanted.from) && host_.TakeMedium(wanted, to, accept);
  }
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return PollAll(lanes, dispatcher, false);
  }
  unsigned PollAgain(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return PollAll(lanes, dispatcher, true);
  }
  void PollBeforeSend(am::Dispatcher& dispatcher) {
    host_.Poll(am::Lanes::kAll, dispatcher);
    if (network_ != nullptr && IsTimeToLook()) {
      PollNetwork(am::Lanes::kAll, dispatcher, false);
    }
  }
  // For a wait that need not wait: the network is looked at unless such a wait
  // has done so within kLookInterval.
  void PollInPassing(am::Dispatcher& dispatcher) {
    host_.Poll(am::Lanes::kAll, dispatcher);
    if (network_ == nullptr) return;
    const int64_t now = NowNanos();
    if (now < next_passing_.load(kRelaxed)) return;
    next_passing_.store(now + kLookInterval, kRelaxed);
    PollNetwork(am::Lanes::kAll, dispatcher, false);
  }
  bool Lands(Rank peer) const { return can_.lands && !host_.Reaches(peer); }
  size_t MaxMedium() const {
    return network_ == nullptr ? host_.MaxMedium() : max_medium_;
  }
  size_t WholeMedium(Rank peer) const {
    if (host_.Reaches(peer)) return MaxMedium();
    return std::min(max_medium_, network_->WholeMedium(peer));
  }
  // The same on all hosts: what the link to a host's ranks takes depends on how
  // many they are, but where it writes to their segments.
  size_t MaxLong(am::Lane lane) const {
    if (network_ == nullptr) return host_.MaxLong(lane);
    if (can_.sends_in_steps && host_.MaxLong(lane) >= max_long_far_) {
      return std::max(max_long_far_, MaxMedium());
    }
    return MaxMedium();
  }
  size_t MaxLongTo(Rank peer, am::Lane lane) const {
    return host_.Reaches(peer) ? MaxLong(lane) : max_long_far_;
  }
  uint32_t Arm() { return host_.Arm(); }
  bool Sleep(uint32_t epoch, int64_t longest) {
    if (network_ == nullptr ||
        watched_.exchange(true, std::memory_order_seq_cst)) {
      return host_.Sleep(epoch, longest);
    }
    owes_ring_.store(false, kRelaxed);
    Watch(epoch, longest);
    watched_.store(false, std::memory_order_seq_cst);
    const bool is_armed = host_.IsArmed(epoch);
    if constexpr (thread::kManyThreads) HandOver(longest != kNever && is_armed);
    return is_armed;
  }
  void Disarm() {
    host_.Disarm();
    if constexpr (thread::kManyThreads) {
      if (owes_ring_.load(kRelaxed) && owes_ring_.exchange(false, kRelaxed)) {
        RingOwn();
      }
    }
  }
  // From now on sleepers look by themselves after so many nanoseconds, or
  // kNever, for progress functions that look at the clock. Any thread.
  void LimitSleep(int64_t nanos) {
    longest_sleep_.store(nanos, kRelaxed);
    host_.LimitSleep(nanos);
  }
  void WakeOwn() {
    host_.WakeOwn();
    if constexpr (thread::kManyThreads) RingWatcher();
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr int64_t kNotBegun = -1;

  [[gnu::noinline]] am::Post SendFar(Rank peer, am::Lane lane,
                                     const am::Message& message) {
    return network_->Send(peer, lane, message);
  }

  // Returns true if nobody has looked for kLookInterval. Approximately: a look
  // counts from the second send after it on, so that a client that looks
  // between its sends never reads the clock.
  [[gnu::noinline]] bool IsTimeToLook() {
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
    const unsigned near = host_.Poll(lanes, dispatcher);
    if (network_ == nullptr) return near;
    return near + PollNetwork(lanes, dispatcher, again && near == 0);
  }

  [[gnu::noinline]] unsigned PollNetwork(am::Lanes lanes,
                                         am::Dispatcher& dispatcher,
                                         bool again) {
    // Messages that were kept for want of a lane to serve must not wait for the
    // interval.
    if (lanes == am::Lanes::kAll) looked_.store(true, kRelaxed);
    const Polled polled = network_->Poll(lanes, dispatcher, again);
    // A handler has run, or there is room to send: others may wait for it.
    if (thread::kManyThreads && (polled.handled > 0 || polled.took_in)) {
      RingOwn();
    }
    return polled.handled;
  }

  // One of the others must watch now. A thread that naps comes back to watch,
  // or disarms.
  void HandOver(bool naps) {
    if (naps) {
      owes_ring_.store(true, kRelaxed);
    } else {
      RingOwn();
    }
  }
  void RingOwn() {
    host_.RingOwn();
    RingWatcher();
  }
  // After the doorbell: a watcher that has not seen that ring has said before
  // that it awaits (Watch).
  void RingWatcher() {
    if (can_.awaits && awaits_.load(std::memory_order_seq_cst)) {
      network_->Ring();
    }
  }

  void Watch(uint32_t epoch, int64_t longest) {
    awaits_.store(true, std::memory_order_seq_cst);
    // The wake socket of a child that was forked is its parent's.
    if (host_.Watch(epoch) && !IsForkedChild()) {
      const int64_t limit = std::min(longest, SleepLimit());
      if (limit > 0) AwaitNetwork(limit);
      wake_socket_.Drain();
    }
    host_.EndWatch();
    awaits_.store(false, std::memory_order_relaxed);
  }

  void AwaitNetwork(int64_t nanos) {
    if (can_.awaits) {
      network_->Await(nanos);
    } else {
      AwaitReadable(network_->fd(), wake_socket_.fd(), nanos);
    }
  }

  // Until the network has something to do by itself, or the sleeper must look.
  int64_t SleepLimit() const {
    const int64_t deadline = network_->NextDeadline();
    const int64_t limit = deadline == kNever
                              ? kNever
                              : std::max<int64_t>(0, deadline - NowNanos());
    const bool told = IsToldOfAll() || IsLookedAtBy(deadline);
    const bool certain = certain_ && host_.IsCertain() && told;
    return std::min(limit, certain ? longest_sleep_.load(kRelaxed) : kGlance);
  }

  bool IsToldOfAll() const {
    return can_.awaits ? alone_ : network_->fd() >= 0;
  }
  // A network without a descriptor that says when.
  bool IsLookedAtBy(int64_t deadline) const {
    return !can_.awaits && deadline != kNever;
  }

  hostshm::HostLink host_;
  std::unique_ptr<Network> network_;
  // With a network.
  Capabilities can_;
  size_t max_medium_ = 0;
  size_t max_long_far_ = 0;
  bool certain_ = true;
  bool alone_ = false;
  std::atomic<int64_t> longest_sleep_{kNever};
  std::atomic<bool> looked_{false};  // since the last send
  std::atomic<int64_t> next_look_{kNotBegun};
  std::atomic<int64_t> next_passing_{0};  // of PollInPassing at the network
  hostshm::WakeSocket wake_socket_;
  std::atomic<bool> watched_{false};
  // The watcher has napped, and nobody watches.
  std::atomic<bool> owes_ring_{false};
  std::atomic<bool> awaits_{false};  // the watcher, or is about to
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_LINK_H_
