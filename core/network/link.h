// The ranks of this host and a network as one link: an am::Link.
//
// Ranks that share memory with this one are reached through their rings, all
// others by the network. A job whose ranks all share memory has no network.
//
// Each endpoint of a rank has a link (core/runtime/endpoint.h), all of them
// over one network. A link has the rings of its endpoint, so two endpoints that
// send at the same time write no cache line together. All links share the
// network: a poll of any link may run the handlers of any endpoint. A thread
// may use several endpoints and wait in one. So a poll looks from time to time
// at the rings of links that have not been polled meanwhile.
//
// Looking. A poll looks at both. Before a request, the network is looked at (a
// system call) only if no thread has done so for kLookInterval. If neither that
// is due nor the rings have a message, nothing is done.
//
// Sleeping. An event comes from the network, from a ring, or from another
// thread of this process. One of a rank's sleeping threads, the watcher, waits
// for the network's descriptor and its wake socket, the others on the doorbell
// in shared memory (hostshm/doorbell.h). A thread that rings the doorbell wakes
// the watcher too. The watcher, and any thread whose poll received something,
// ring it for the others. A watcher whose sleep has reached its limit keeps the
// watch: it sleeps again soon, or disarms, which rings. A network without a
// descriptor may await its events itself (Capabilities); the network's Ring
// then wakes the watcher.
//
// Sleeps are limited to kGlance if a wake-up is not certain:
// - The network has no descriptor, does not await, and names no deadline.
// - The network awaits, and other ranks share memory with this one: it does not
//   wait for their socket.
// - The kernel has no membarrier.
// - The rank has several endpoints: each has a doorbell of its own, and only
//   that of index 0 watches the network.
// - Ranks that share memory are in several network namespaces, so their sockets
//   do not reach each other.
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

// The links of a rank, indexed by endpoint. They are added in order.
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

  // Starts the network, for ranks that are not reached through memory. Its
  // timers run as part of `progress`, the rank's.
  absl::Status Start(std::unique_ptr<Network> network, am::Progress& progress);
  // Starts the link of another endpoint, once that of endpoint 0 is started and
  // attached.
  void StartBeside(Link& first, EndpointIndex index);
  // Returns null if all ranks are reached through memory.
  Network* network() const { return network_; }
  // Sets the limits of Longs by the network, once it is attached.
  void SetMaxLongFar() {
    max_long_far_ = network_->MaxLong();
    // A network's native transfers of Longs go to endpoints 0.
    max_long_beside_ = network_->rma() == nullptr ? max_long_far_ : max_medium_;
  }

  // Allows links to endpoints of other indices, of ranks that share memory.
  void InitPartners(Rank ranks, PartnerSource& source);
  // Opens the rings from a rank's endpoint that has announced itself.
  void OpenPartner(EndpointIndex partner);
  // Sets this rank's links. There are several from here on, so sleepers nap.
  void SetSiblings(const LinkTable& all) {
    siblings_.store(&all, std::memory_order_release);
    has_more_.store(true, kRelaxed);
    WakeOwn();
  }

  // Sets the size that all hosts agree on (agreement.h). The maximum for the
  // rings of a host depends on the number of its ranks.
  void SetMaxMedium(size_t nbytes) { max_medium_ = nbytes; }
  // certain: the sockets of all ranks that share memory reach each other.
  void SetCertain(bool certain) { certain_ = certain; }
  // alone: no other rank shares memory with this one.
  void SetAlone(bool alone) { alone_ = alone; }

  // am::Link.
  [[gnu::always_inline]] am::Post Send(Rank peer, am::Lane lane,
                                       const am::Message& message) {
    if (!host_.Reaches(peer) || message.across != 0) [[unlikely]] {
      // Copied to memory only here (Engine::ServeAndRequest).
      am::Message other = message;
      return SendElsewhere(peer, lane, other);
    }
    return host_.Send(peer, lane, message);
  }
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes);
  // Returns true if a look at the network is due, and so does the next call.
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
  // Polls for a wait whose condition already holds. Looks at the network unless
  // such a wait has done so within kLookInterval.
  void PollInPassing(am::Dispatcher& dispatcher) {
    PollNear(dispatcher);
    if (network_ == nullptr) return;
    const int64_t now = NowNanos();
    if (now < next_passing_.load(kRelaxed)) return;
    next_passing_.store(now + kLookInterval, kRelaxed);
    PollNetwork(am::Lanes::kAll, dispatcher, false);
  }
  unsigned char* Prepare(Rank peer, am::Lane lane, unsigned num_args,
                         size_t nbytes) {
    if (!host_.Reaches(peer)) return nullptr;
    return host_.Prepare(peer, lane, num_args, nbytes);
  }
  // Called for ranks for which Prepare has returned memory.
  void EndPrepared(Rank peer, am::Lane lane, unsigned num_args,
                   const void* payload) {
    host_.EndPrepared(peer, lane, num_args, payload);
  }
  bool Lands(Rank peer) const { return can_.lands && !host_.Reaches(peer); }
  size_t MaxMedium() const {
    return network_ == nullptr ? host_.MaxMedium() : max_medium_;
  }
  size_t WholeMedium(Rank peer) const {
    if (host_.Reaches(peer)) return MaxMedium();
    return std::min(max_medium_, network_->WholeMedium(peer));
  }
  // Returns the same on all hosts. The limit of a host's rings depends on the
  // number of its ranks, unless the link writes to their segments.
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
    const bool is_armed = host_.doorbell().IsArmed(epoch);
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
  // Limits sleeps to `nanos` nanoseconds, or kNever, from now on, for progress
  // functions that look at the clock. Any thread.
  void LimitSleep(int64_t nanos) {
    longest_sleep_.store(nanos, kRelaxed);
    host_.LimitSleep(nanos);
  }
  // Counts takes from the rings, and looks at the network (GASNET_PAR).
  uint32_t PollCount() {
    return host_.rails().PollCount() + looks_.load(kRelaxed);
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

  // Sends. Changes the message, which is a copy.
  [[gnu::noinline]] am::Post SendElsewhere(Rank peer, am::Lane lane,
                                           am::Message& message);

  // Returns true if there is a network, or rings to endpoints of other indices.
  bool HasMore() const { return has_more_.load(kRelaxed); }
  [[gnu::noinline]] bool MoreHasMessages() {
    return (network_ != nullptr && IsTimeToLook()) ||
           (partners_.Any() && partners_.HasMessages());
  }

  // Returns true if no thread has looked for kLookInterval. Approximate: a look
  // counts from the second send after it, so a client that looks between its
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

  unsigned PollHost(am::Lanes lanes, am::Dispatcher& dispatcher) {
    const unsigned handled = host_.Poll(lanes, dispatcher);
    if (!HasMore() || !partners_.Any()) [[likely]]
      return handled;
    return handled + partners_.Poll(lanes, dispatcher);
  }
  // Polls all rings: this endpoint's, and now and then the others'.
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
    // Messages that were kept because their lane was not served must not wait
    // for the interval.
    if (lanes == am::Lanes::kAll) looked_.store(true, kRelaxed);
    if constexpr (thread::kConcurrent) CountLook();
    const Polled polled = network_->Poll(lanes, dispatcher, again);
    // Other threads may wait for a handler that has run, or for room.
    if (thread::kManyThreads && (polled.handled > 0 || polled.took_in)) {
      RingOwn();
      if (HasSiblings()) [[unlikely]]
        RingSiblings();
    }
    return polled.handled;
  }

  // Makes another thread watch, unless this one naps and comes back for it.
  void HandOver(bool naps) {
    if (naps) {
      owes_ring_.store(true, kRelaxed);
    } else {
      RingOwn();
    }
  }
  void RingOwn() {
    host_.doorbell().Ring();
    RingWatcher();
  }
  // Rings the network for the watcher, after the doorbell. A watcher that has
  // not seen that ring has set awaits_ before (Watch).
  void RingWatcher() {
    if (can_.awaits && awaits_.load(std::memory_order_seq_cst)) {
      network_->Ring();
    }
  }

  void CountLook() { looks_.store(looks_.load(kRelaxed) + 1, kRelaxed); }
  bool HasSiblings() const { return siblings_.load(kRelaxed) != nullptr; }
  bool HasOthers() const { return HasSiblings() || partners_.Any(); }
  // Polls the other rings, after a poll of the own index handled `near`
  // messages.
  unsigned PollOthers(am::Lanes lanes, am::Dispatcher& dispatcher,
                      unsigned near, bool again);
  // Looks now and then at links that no thread polls. Writes to none of their
  // cache lines otherwise.
  unsigned ServeSiblings(am::Lanes lanes, am::Dispatcher& dispatcher,
                         bool in_need);
  // Rings all links: a message may have been for any of them.
  void RingSiblings() const;
  // Limits a sleep: a message for another endpoint rings another doorbell, and
  // the poll after a sleep looks at the others.
  int64_t NapBesideSiblings(int64_t longest);

  void Watch(uint32_t epoch, int64_t longest);
  void AwaitNetwork(int64_t nanos);
  // Returns the time until the network has work, or the sleeper must look.
  int64_t SleepLimit() const;

  bool IsToldOfAll() const {
    return can_.awaits ? alone_ : network_->fd() >= 0;
  }
  // Returns true if the network, without a descriptor, names a deadline.
  bool IsLookedAtBy(int64_t deadline) const {
    return !can_.awaits && deadline != kNever;
  }

  hostshm::HostLink host_;
  std::unique_ptr<Network> owned_;  // set in the link of endpoint 0
  Network* network_ = nullptr;
  std::atomic<bool> has_more_{false};
  EndpointIndex index_ = 0;
  // Used with a network.
  Capabilities can_;
  size_t max_medium_ = 0;
  size_t max_long_far_ = 0;     // to endpoints 0
  size_t max_long_beside_ = 0;  // to other endpoints
  bool certain_ = true;
  bool alone_ = false;
  std::atomic<int64_t> longest_sleep_{kNever};
  // Used with several endpoints.
  Partners partners_;
  std::atomic<const LinkTable*> siblings_{nullptr};
  hostshm::WakeSocket wake_socket_;
  // Threads write these fields, each group on its own cache lines. Senders:
  alignas(kCacheLine) std::atomic<bool> looked_{false};  // since the last send
  std::atomic<int64_t> next_look_{kNotBegun};
  std::atomic<int64_t> next_passing_{0};  // PollInPassing's next look
  std::atomic<uint32_t> looks_{0};
  // Sleepers:
  alignas(kCacheLine) std::atomic<bool> watched_{false};
  std::atomic<bool> owes_ring_{false};  // the watcher napped, none watches
  std::atomic<bool> awaits_{false};     // a watcher waits, or is about to
  // Pollers:
  alignas(kCacheLine) std::atomic<uint32_t> polls_{0};
  std::atomic<uint32_t> turns_{0};
  std::array<std::atomic<uint32_t>, kMaxEndpoints> polls_seen_{};
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_LINK_H_
