// The ranks of this host and a network as one link: an am::Link.
//
// Ranks that share memory with this one are reached through their rings, all
// other ranks through the network. A job whose ranks all share memory has no
// network.
//
// Each endpoint of a rank has a link (core/runtime/endpoint.h) with rings of
// its own, so two endpoints that send at the same time write no cache line in
// common. All links of a rank share the network, so a poll of any link may run
// the handlers of any endpoint. Some polls also look at neglected links.
//
// Looking. A poll looks at the rings and at the network. A look at the network
// is a system call, so a request looks there only if no thread has done so for
// kLookInterval.
//
// Sleeping. An event comes from the network, from a ring, or from another
// thread of this process. One of a rank's sleeping threads, the watcher, waits
// for the network's descriptor and its wake socket. The others wait for the
// doorbell in shared memory (hostshm/doorbell.h). A thread that rings the
// doorbell wakes the watcher too. The watcher, and any thread whose poll
// received something, ring the doorbell for the other sleepers. A watcher whose
// sleep has reached its limit sleeps again soon, or rings the doorbell. A
// network without a descriptor may wait for its events itself (Capabilities).
//
// Sleeps are limited to kGlance if a wake-up is not certain:
// - The network has no descriptor, cannot wait itself, and names no deadline.
// - The network waits itself, and other ranks share memory with this one.
// - The kernel has no membarrier.
// - The rank has several endpoints. Only the sleeper of index 0 watches.
// - Ranks that share memory are in several network namespaces.
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
#include "core/network/link_table.h"
#include "core/network/network.h"
#include "core/network/partners.h"
#include "core/network/readable.h"
#include "core/network/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::network {

class Link {
 public:
  static constexpr bool kSendsInSteps = true;

  hostshm::HostLink& host() { return host_; }

  // Starts the network, for ranks that are not reached through memory. The
  // network's timers run as part of the rank's `progress`.
  absl::Status Start(std::unique_ptr<Network> network, am::Progress& progress);
  // Starts the link of another endpoint, once that of endpoint 0 is attached.
  void StartBeside(Link& first, EndpointIndex index);
  // Returns null if all ranks are reached through memory.
  Network* network() const { return network_; }
  // Sets the limits of Longs that travel by the network, once it is attached.
  void SetMaxLongFar() {
    max_long_far_ = network_->MaxLong();
    // A network's native transfers of Longs can only go to endpoints 0.
    max_long_beside_ = network_->rma() == nullptr ? max_long_far_ : max_medium_;
  }

  // Allows links to endpoints of other indices, of ranks that share memory.
  void InitPartners(Rank ranks, PartnerSource& source);
  // Opens the rings from another rank's endpoint that has announced itself.
  void OpenPartner(EndpointIndex partner);
  // Sets the table of this rank's links. Sleeps are brief from here on.
  void SetSiblings(const LinkTable& all) {
    siblings_.store(&all, std::memory_order_release);
    has_more_.store(true, kRelaxed);
    WakeOwn();
  }

  // Sets the maximum Medium that all hosts agree on (agreement.h).
  void SetMaxMedium(size_t nbytes) { max_medium_ = nbytes; }
  // certain: the sockets of all ranks that share memory reach each other.
  void SetCertain(bool certain) { certain_ = certain; }
  // alone: true if no other rank shares memory with this one.
  void SetAlone(bool alone) { alone_ = alone; }

  // The am::Link functions.
  [[gnu::always_inline]] am::Post Send(Rank peer, am::Lane lane,
                                       const am::Message& message) {
    if (!host_.Reaches(peer) || message.across != 0) [[unlikely]] {
      // Only this path copies the message to memory (Engine::ServeAndRequest).
      am::Message other = message;
      return SendElsewhere(peer, lane, other);
    }
    return host_.Send(peer, lane, message);
  }
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes);
  job::RingFill FillTo(Rank peer, am::Lane lane) {
    return host_.Reaches(peer) ? host_.FillTo(peer, lane) : job::RingFill();
  }
  // Returns true if the rings have messages, or if a look at the network is
  // due. A look stays due until a poll looks.
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
  // Polls for a wait whose condition already holds. Looks at the network only
  // if no other call of this function has looked within kLookInterval.
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
  // Ends a prepared payload. Called only for ranks for which Prepare() has
  // returned memory.
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
  // Returns a limit that is the same on all hosts. The limit of a host's rings
  // depends on the number of ranks on the host, unless the link writes to the
  // ranks' segments.
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
  // Limits sleeps to `nanos` nanoseconds from now on, or lifts the limit if
  // kNever. Used for progress functions that look at the clock. Any thread.
  void LimitSleep(int64_t nanos) {
    longest_sleep_.store(nanos, kRelaxed);
    host_.LimitSleep(nanos);
  }
  // Returns a number that changes when a thread takes messages from the rings
  // or looks at the network (GASNET_PAR).
  uint32_t PollCount() {
    return host_.rails().PollCount() + looks_.load(kRelaxed);
  }
  // Lets the network serve unattended requests, until EndUnattended().
  void ServeUnattended(am::Dispatcher& dispatcher) {
    if (network_ == nullptr) return;
    network_->ServeUnattended(
        dispatcher, [](void* link) { static_cast<Link*>(link)->RingAll(); },
        this);
  }
  void EndUnattended(am::Dispatcher& dispatcher) {
    if (network_ == nullptr) return;
    network_->ServeUnattended(dispatcher, nullptr, nullptr);
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

  // Sends a message by the network or to an endpoint of another index. May
  // change the message: the caller passes a copy.
  [[gnu::noinline]] am::Post SendElsewhere(Rank peer, am::Lane lane,
                                           am::Message& message);

  // Returns true if there is a network, or rings to endpoints of other indices.
  bool HasMore() const { return has_more_.load(kRelaxed); }
  [[gnu::noinline]] bool MoreHasMessages() {
    return (network_ != nullptr && IsTimeToLook()) ||
           (partners_.Any() && partners_.HasMessages());
  }

  // Returns true if no thread has looked for kLookInterval. Approximate: the
  // interval begins at the second send after a look, so a client that looks
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
  // Polls this endpoint's rings, and now and then those of other endpoints.
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
    // Records the look only if it serves all lanes. Messages of the other lane
    // then need not wait for the interval.
    if (lanes == am::Lanes::kAll) looked_.store(true, kRelaxed);
    if constexpr (thread::kConcurrent) CountLook();
    const Polled polled = network_->Poll(lanes, dispatcher, again);
    // Other threads may wait for a handler that has run, or for room to send.
    if (thread::kManyThreads && (polled.handled > 0 || polled.took_in)) {
      RingOwn();
      if (HasSiblings()) [[unlikely]]
        RingSiblings();
    }
    return polled.handled;
  }

  // Rings the doorbell so that another thread watches. A thread that naps rings
  // only when it disarms.
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
  // Wakes all sleeping threads of this rank, in every threading mode.
  void RingAll() {
    RingOwn();
    if (HasSiblings()) RingSiblings();
  }
  // Wakes a watcher that waits in the network. Called after ringing the
  // doorbell: a watcher that missed that ring has set awaits_ before (Watch).
  void RingWatcher() {
    if (can_.awaits && awaits_.load(std::memory_order_seq_cst)) {
      network_->Ring();
    }
  }

  void CountLook() { looks_.store(looks_.load(kRelaxed) + 1, kRelaxed); }
  bool HasSiblings() const { return siblings_.load(kRelaxed) != nullptr; }
  bool HasOthers() const { return HasSiblings() || partners_.Any(); }
  // Polls the rings to endpoints of other indices and the rings of the sibling
  // links. near: the number of messages that a poll of this link's own rings
  // has just handled.
  unsigned PollOthers(am::Lanes lanes, am::Dispatcher& dispatcher,
                      unsigned near, bool again);
  // Looks now and then at links that no thread polls.
  unsigned ServeSiblings(am::Lanes lanes, am::Dispatcher& dispatcher,
                         bool in_need);
  // Rings the doorbells of all links.
  void RingSiblings() const;
  // Returns the limit for a sleep if the rank has other links. Their messages
  // ring other doorbells, so the poll after the sleep looks at those links.
  int64_t NapBesideSiblings(int64_t longest);

  void Watch(uint32_t epoch, int64_t longest);
  void AwaitNetwork(int64_t nanos);
  // Returns the time until the network has work or the sleeper must look.
  int64_t SleepLimit() const;

  bool IsToldOfAll() const {
    return can_.awaits ? alone_ : !network_->fds().empty();
  }
  // Returns true if sleepers look when this deadline comes, and so need no
  // descriptor.
  bool IsLookedAtBy(int64_t deadline) const {
    return !can_.awaits && deadline != kNever;
  }

  hostshm::HostLink host_;
  std::unique_ptr<Network> owned_;  // set only in the link of endpoint 0
  Network* network_ = nullptr;
  std::atomic<bool> has_more_{false};
  EndpointIndex index_ = 0;
  // Used only with a network.
  Capabilities can_;
  size_t max_medium_ = 0;
  size_t max_long_far_ = 0;     // for Longs to endpoints 0
  size_t max_long_beside_ = 0;  // for Longs to other endpoints
  bool certain_ = true;
  bool alone_ = false;
  std::atomic<int64_t> longest_sleep_{kNever};
  // Used only with several endpoints.
  Partners partners_;
  std::atomic<const LinkTable*> siblings_{nullptr};
  hostshm::WakeSocket wake_socket_;
  // Threads write the fields from here on. Each group has its own cache lines.
  // Senders write the first group. looked_: true after a look, until a send.
  alignas(kCacheLine) std::atomic<bool> looked_{false};
  std::atomic<int64_t> next_look_{kNotBegun};
  std::atomic<int64_t> next_passing_{0};  // PollInPassing() looks again then
  std::atomic<uint32_t> looks_{0};
  // Fields that sleepers write:
  alignas(kCacheLine) std::atomic<bool> watched_{false};
  // the watcher has napped, and no thread watches
  std::atomic<bool> owes_ring_{false};
  // a watcher waits in the network or is about to
  std::atomic<bool> awaits_{false};
  // Fields that pollers write:
  alignas(kCacheLine) std::atomic<uint32_t> polls_{0};
  std::atomic<uint32_t> turns_{0};
  std::array<std::atomic<uint32_t>, kMaxEndpoints> polls_seen_{};
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_LINK_H_
