// The ranks of this host and a network as one link: an am::Link.
//
// Ranks that this one shares memory with are reached through their rings, all
// others by the network. A job whose ranks all share memory has no network.
//
// Each endpoint of a rank has a link (core/runtime/endpoint.h), all of them
// over one network. The rings of a link are those of its endpoint: two
// endpoints that send at the same time write no line together. The network is
// for all: a poll of any link may run the handlers of any endpoint. So that a
// thread which uses some of the endpoints, and waits in one, leaves no other
// unserved, a poll looks from time to time at the rings of links that nobody
// has polled meanwhile.
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
// membarrier; where a rank has several endpoints, of which each has a doorbell
// of its own, and that of index 0 alone watches the network; and where ranks
// that share memory are in several network namespaces, and their sockets do not
// reach each other.
#ifndef CORE_NETWORK_LINK_H_
#define CORE_NETWORK_LINK_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "base/cache_line.h"
#include "base/clock.h"
#include "base/forked.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/progress.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/wake_socket.h"
#include "core/network/network.h"
#include "core/network/partners.h"
#include "core/network/readable.h"
#include "core/network/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::network {

class Link;

// The links of a rank, by endpoint. They are added in order.
class LinkTable {
 public:
  unsigned count() const { return count_.load(std::memory_order_acquire); }
  Link& at(unsigned index) const {
    return *all_[index].load(std::memory_order_relaxed);
  }
  void Add(Link& link) {
    const unsigned index = count_.load(std::memory_order_relaxed);
    all_[index].store(&link, std::memory_order_relaxed);
    count_.store(index + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> count_{0};
  std::array<std::atomic<Link*>, kMaxEndpoints> all_{};
};

class Link {
 public:
  static constexpr bool kSendsInSteps = true;

  hostshm::HostLink& host() { return host_; }

  // Where some ranks are not reached through memory. The network's timers hang
  // on `progress`, of the rank.
  absl::Status Start(std::unique_ptr<Network> network, am::Progress& progress);
  // The link of an endpoint beside that of endpoint 0, which has been started
  // and attached.
  void StartBeside(Link& first, EndpointIndex index);
  // Null where all ranks are.
  Network* network() const { return network_; }
  // Once the network is attached.
  void SetMaxLongFar() {
    max_long_far_ = network_->MaxLong();
    // Longs that a network moves by transfers of its own go to endpoints 0.
    max_long_beside_ = network_->rma() == nullptr ? max_long_far_ : max_medium_;
  }

  // With endpoints of other indices, of ranks that share memory.
  void InitPartners(Rank ranks, PartnerSource& source);
  // A rank's endpoint has announced itself.
  void OpenPartner(EndpointIndex partner);
  // The links of this rank, several from here on: sleepers begin to nap.
  void SetSiblings(const LinkTable& all) {
    siblings_.store(&all, std::memory_order_release);
    has_more_.store(true, kRelaxed);
    WakeOwn();
  }

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
    if (!host_.Reaches(peer) || message.across != 0) [[unlikely]] {
      // In memory only here (Engine::ServeAndRequest).
      am::Message other = message;
      return SendElsewhere(peer, lane, other);
    }
    return host_.Send(peer, lane, message);
  }
  // If a look at the network is due, the next call says so again.
  [[gnu::always_inline]] bool HasMessages() {
    return (HasMore() && MoreHasMessages()) || host_.HasMessages();
  }
  [[gnu::always_inline]] bool HasMessagesBut(uint8_t handler) {
    return (HasMore() && MoreHasMessages()) || host_.HasMessagesBut(handler);
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
    PollNear(dispatcher);
    if (network_ != nullptr && IsTimeToLook()) {
      PollNetwork(am::Lanes::kAll, dispatcher, false);
    }
  }
  // For a wait that need not wait: the network is looked at unless such a wait
  // has done so within kLookInterval.
  void PollInPassing(am::Dispatcher& dispatcher) {
    PollNear(dispatcher);
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
    const size_t far = index_ == 0 ? max_long_far_ : max_long_beside_;
    if (can_.sends_in_steps && host_.MaxLong(lane) >= far) {
      return std::max(far, MaxMedium());
    }
    return MaxMedium();
  }
  size_t MaxLongTo(Rank peer, am::Lane lane, EndpointIndex across) const {
    if (host_.Reaches(peer)) return MaxLong(lane);
    return index_ == across ? max_long_far_ : max_long_beside_;
  }
  uint32_t Arm() { return host_.Arm(); }
  bool Sleep(uint32_t epoch, int64_t longest) {
    if (HasSiblings()) [[unlikely]]
      longest = NapBesideSiblings(longest);
    if (network_ == nullptr || index_ != 0 ||
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
    if constexpr (thread::kManyThreads) {
      RingWatcher();
      if (HasSiblings()) [[unlikely]]
        RingSiblings();
    }
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr int64_t kNotBegun = -1;

  // The copy is changed.
  [[gnu::noinline]] am::Post SendElsewhere(Rank peer, am::Lane lane,
                                           am::Message& message);

  // Other rings than those to endpoints of the same index, or a network.
  bool HasMore() const { return has_more_.load(kRelaxed); }
  [[gnu::noinline]] bool MoreHasMessages() {
    return (network_ != nullptr && IsTimeToLook()) ||
           (partners_.Any() && partners_.HasMessages());
  }

  // Returns true if nobody has looked for kLookInterval. Approximately: a look
  // counts from the second send after it on, so that a client that looks
  // between its sends never reads the clock.
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

  unsigned PollHost(am::Lanes lanes, am::Dispatcher& dispatcher) {
    const unsigned handled = host_.Poll(lanes, dispatcher);
    if (!HasMore() || !partners_.Any()) [[likely]]
      return handled;
    return handled + partners_.Poll(lanes, dispatcher);
  }
  // All rings: of this endpoint, and now and then of the others.
  unsigned PollNear(am::Dispatcher& dispatcher) {
    const unsigned near = host_.Poll(am::Lanes::kAll, dispatcher);
    if (!HasMore() || !HasOthers()) [[likely]]
      return near;
    return near + PollOthers(am::Lanes::kAll, dispatcher, near, false);
  }
  unsigned PollAll(am::Lanes lanes, am::Dispatcher& dispatcher, bool again) {
    unsigned near = host_.Poll(lanes, dispatcher);
    if (!HasMore()) return near;
    if (HasOthers()) [[unlikely]]
      near += PollOthers(lanes, dispatcher, near, again);
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
      if (HasSiblings()) [[unlikely]]
        RingSiblings();
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

  bool HasSiblings() const { return siblings_.load(kRelaxed) != nullptr; }
  bool HasOthers() const { return HasSiblings() || partners_.Any(); }
  // After a look at the rings of the same index, which has handled `near`
  // messages.
  unsigned PollOthers(am::Lanes lanes, am::Dispatcher& dispatcher,
                      unsigned near, bool again);
  // Looks at those that nobody polls, now and then, so that this writes to no
  // line of theirs meanwhile.
  unsigned ServeSiblings(am::Lanes lanes, am::Dispatcher& dispatcher,
                         bool in_need);
  // A message may have been for any of them.
  void RingSiblings() const;
  // Sleeps are short, since a message for another endpoint rings another
  // doorbell, and the poll after a sleep looks at the others.
  int64_t NapBesideSiblings(int64_t longest);

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

  void AwaitNetwork(int64_t nanos);
  // Until the network has something to do by itself, or the sleeper must look.
  int64_t SleepLimit() const;

  bool IsToldOfAll() const {
    return can_.awaits ? alone_ : network_->fd() >= 0;
  }
  // A network without a descriptor that says when.
  bool IsLookedAtBy(int64_t deadline) const {
    return !can_.awaits && deadline != kNever;
  }

  hostshm::HostLink host_;
  std::unique_ptr<Network> owned_;  // by the link of endpoint 0
  Network* network_ = nullptr;
  std::atomic<bool> has_more_{false};
  EndpointIndex index_ = 0;
  // With a network.
  Capabilities can_;
  size_t max_medium_ = 0;
  size_t max_long_far_ = 0;     // to endpoints 0
  size_t max_long_beside_ = 0;  // to others
  bool certain_ = true;
  bool alone_ = false;
  std::atomic<int64_t> longest_sleep_{kNever};
  // Where there are several endpoints.
  Partners partners_;
  std::atomic<const LinkTable*> siblings_{nullptr};
  hostshm::WakeSocket wake_socket_;
  // Threads write what follows, each part on lines of its own: those that send,
  alignas(kCacheLine) std::atomic<bool> looked_{false};  // since the last send
  std::atomic<int64_t> next_look_{kNotBegun};
  std::atomic<int64_t> next_passing_{0};  // of PollInPassing at the network
  // those that sleep,
  alignas(kCacheLine) std::atomic<bool> watched_{false};
  // The watcher has napped, and nobody watches.
  std::atomic<bool> owes_ring_{false};
  std::atomic<bool> awaits_{false};  // the watcher, or is about to
  // and those that poll.
  alignas(kCacheLine) std::atomic<uint32_t> polls_{0};
  std::atomic<uint32_t> turns_{0};
  std::array<std::atomic<uint32_t>, kMaxEndpoints> polls_seen_{};
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_LINK_H_
