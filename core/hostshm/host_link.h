// Active messages among the ranks of one host, through rings in shared memory:
// an am::Link.
//
// Every ordered pair of ranks has a ring for requests and one for replies. The
// rings of a rank to itself are never touched, since it runs such messages in
// place (am/in_place.h). The sender writes a message as one cache line that the
// receiver reads. A payload that does not fit goes to the ring's payload area
// and is handled in place. The payload of a Long goes straight to its
// destination if the target's segment is mapped; otherwise it travels with the
// message.
//
// This is the link of this rank's endpoint of one index to the other ranks'
// endpoints of one index, mostly the same. Rings between different indices lie
// elsewhere (endpoint_rings.h). Each endpoint has one doorbell, in the rings
// among endpoints of its index.
//
// Ranks here are indices among the co-located ranks (host ranks); the link
// translates from and to job ranks.
//
// A receiver with few peers looks at every ring. With many, each rank has a bit
// for every ring, which the sender sets after each message and the receiver
// clears before it looks.
#ifndef CORE_HOSTSHM_HOST_LINK_H_
#define CORE_HOSTSHM_HOST_LINK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/cache_line.h"
#include "base/clock.h"
#include "core/am/copy.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/causality.h"
#include "core/hostshm/cell.h"
#include "core/hostshm/consumer.h"
#include "core/hostshm/doorbell.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/producer.h"
#include "core/hostshm/tuning.h"
#include "core/segment.h"
#include "core/thread/mode.h"

namespace gasnet::hostshm {

// The shared memory of a link, each part laid out as a Layout says and
// initially zero.
struct HostMemory {
  unsigned char* out = nullptr;         // rings to the peers' endpoints
  unsigned char* in = nullptr;          // rings from the peers' endpoints
  unsigned char* own_bells = nullptr;   // have the doorbell of this endpoint
  unsigned char* peer_bells = nullptr;  // have the doorbells of the peers'
};

class HostLink {
 public:
  // job_ranks: the job rank of every co-located rank, in order; this rank's is
  // at host_rank.
  void Init(const HostMemory& memory, const Layout& layout, uint32_t host_rank,
            std::span<const Rank> job_ranks, uint32_t job_size);
  // Starts a link among endpoints of one index.
  void Init(unsigned char* memory, const Layout& layout, uint32_t host_rank,
            std::span<const Rank> job_ranks, uint32_t job_size) {
    Init({memory, memory, memory, memory}, layout, host_rank, job_ranks,
         job_size);
  }

  // Sets the segments for Long messages, by job rank: their mappings here, and
  // their places in their owners. `peers` must outlive the link. apart: true if
  // any two co-located ranks do not map each other's segments, even if this
  // rank is neither, so that the limits are the same on all.
  void SetSegments(std::span<const MappedSegment> peers,
                   std::span<const Segment> segments, bool apart);

  // Sets the memory that Longs to this endpoint may go to, if it is not this
  // rank's segment of those that SetSegments got.
  void SetOwnSegment(const Segment& segment) { my_segment_ = segment; }
  // Sets the index of the peers' endpoints XOR this one's (am::Message). 0
  // until it is set.
  void SetAcross(EndpointIndex across) { across_ = across; }

  // am::Link. The parts that small messages and idle polls need are inlined.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes) {
    const Placement at = Placement::Of(am::Category::kMedium, 0, nbytes);
    return ProducerTo(host_rank_of_[peer], lane).HasRoom(at.block_bytes);
  }
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher);
  bool HasMessages() const;
  bool HasMessagesBut(uint8_t handler) const;
  template <class Accept>
  bool TakeMedium(const am::Wanted& wanted, void* to, Accept accept);
  unsigned char* Prepare(Rank peer, am::Lane lane, unsigned num_args,
                         size_t nbytes);
  void EndPrepared(Rank peer, am::Lane lane, unsigned num_args,
                   const void* payload);
  size_t MaxMedium() const { return max_medium_; }
  size_t MaxLong(am::Lane) const { return max_long_; }
  uint32_t Arm();
  bool Sleep(uint32_t epoch, int64_t longest);
  void Disarm();
  // Limits a sleep to so many nanoseconds, or kNever, from now on. Any thread.
  void LimitSleep(int64_t nanos) {
    longest_sleep_.store(nanos, std::memory_order_relaxed);
  }
  void WakeOwn() {
    if constexpr (thread::kManyThreads) my_doorbell_->Ring();
  }
  void PollInPassing(am::Dispatcher& dispatcher) {
    if (HasMessages()) Poll(am::Lanes::kAll, dispatcher);
  }

  // Returns true if the rank is on this host.
  bool Reaches(Rank job_rank) const {
    return host_rank_of_[job_rank] != kElsewhere;
  }

  // Wakes the sleeping threads of this rank. Used by links that also wait for
  // other things.
  void RingOwn() { my_doorbell_->Ring(); }
  // Names the socket that wakes a thread of this rank that waits for
  // descriptors. Called before the first Watch.
  void SetWatcher(const WakeName& name) { my_doorbell_->watcher = name; }
  // In place of Sleep. Returns true if the caller may wait for the socket and
  // other descriptors: nothing has rung since the Arm that returned `epoch`.
  // EndWatch afterwards, in any case.
  bool Watch(uint32_t epoch) { return my_doorbell_->Watch(epoch); }
  void EndWatch() { my_doorbell_->EndWatch(); }
  // Returns true if the Arm that returned `epoch` holds still.
  bool IsArmed(uint32_t epoch) const { return my_doorbell_->IsArmed(epoch); }
  // Returns true if a thread that rings is guaranteed to see those that sleep.
  // Otherwise a sleeper looks by itself now and then.
  bool IsCertain() const { return fenced_.load(std::memory_order_relaxed); }

  // Wakes the sleeping threads of all co-located ranks, after an event that is
  // not a message.
  void RingAll();

 private:
  static constexpr uint32_t kElsewhere = ~uint32_t{0};

  Doorbell& DoorbellOf(uint32_t host_rank) const {
    return *reinterpret_cast<Doorbell*>(peer_bells_ +
                                        layout_.doorbell_at(host_rank));
  }
  // Returns the bits of the rank as a receiver, in its rings.
  std::span<std::atomic<uint64_t>> PendingOf(unsigned char* rings,
                                             uint32_t host_rank,
                                             am::Lane lane) const;
  Producer& ProducerTo(uint32_t host_rank, am::Lane lane) {
    return producers_[host_rank * am::kLanes + static_cast<unsigned>(lane)];
  }
  Consumer& ConsumerFrom(uint32_t host_rank, am::Lane lane) {
    return consumers_[host_rank * am::kLanes + static_cast<unsigned>(lane)];
  }

  am::Post SendLarge(Rank peer, am::Lane lane, const am::Message& message);
  unsigned char* MappedLong(Rank peer, const am::Message& message) const;
  static unsigned char* PreparedBlock(const Producer& producer,
                                      const Placement& at,
                                      const am::Message& message);
  [[noreturn]] void RefuseTooLong(Rank peer, const am::Message& message) const;
  static const unsigned char* WantedPayload(const Consumer& ring, Cell& cell,
                                            const Placement& at);
  static bool BlockIsIn(const Consumer& ring, uint64_t block_offset,
                        const Placement& at);
  static void Fill(const Producer::Slot& slot, const Placement& at,
                   const am::Message& message, size_t carried);
  void Announce(uint32_t host_rank, am::Lane lane);
  void SetPending(uint32_t host_rank, am::Lane lane);
  bool HasPending() const;
  unsigned PollDirect(am::Lanes lanes, am::Dispatcher& dispatcher);
  unsigned PollPending(am::Lane lane, am::Dispatcher& dispatcher);
  unsigned PollRing(uint32_t source, am::Lane lane, am::Dispatcher& dispatcher);
  // Check and deliver a message. Return the bytes of payload area that the
  // message used.
  size_t Handle(uint32_t source, am::Lane lane, Cell& cell,
                am::Dispatcher& dispatcher);
  size_t HandleLarge(uint32_t source, am::Lane lane, Cell& cell, uint64_t word,
                     am::Dispatcher& dispatcher);
  unsigned char* PlaceLong(uint32_t source, const Cell& cell,
                           const unsigned char* payload, size_t carried,
                           const Header& header) const;

  Layout layout_{1};
  unsigned char* out_ = nullptr;
  unsigned char* in_ = nullptr;
  unsigned char* peer_bells_ = nullptr;
  uint32_t me_ = 0;
  EndpointIndex across_ = 0;
  Doorbell* my_doorbell_ = nullptr;
  std::atomic<int64_t> longest_sleep_{kNever};
  std::atomic<bool> fenced_{true};      // the result of the last heavy fence
  std::vector<Rank> job_ranks_;         // by host rank
  std::vector<uint32_t> host_rank_of_;  // by job rank
  // Two for each peer. Small: a test pins their size.
  std::unique_ptr<Producer[]> producers_;
  std::unique_ptr<Consumer[]> consumers_;
  size_t max_medium_ = 0;
  size_t max_long_ = 0;
  std::span<const MappedSegment> peers_;
  Segment my_segment_;
};

[[gnu::always_inline]] inline am::Post HostLink::Send(
    Rank peer, am::Lane lane, const am::Message& message) {
  const bool has_payload = message.category == am::Category::kMedium;
  const Placement at = Placement::Of(message.category, message.num_args,
                                     has_payload ? message.nbytes : 0);
  if (message.category == am::Category::kLong || at.spilled) {
    const am::Message large = message;
    return SendLarge(peer, lane, large);
  }
  const uint32_t to = host_rank_of_[peer];
  Producer::Slot slot;
  if (!ProducerTo(to, lane).Reserve(0, slot)) [[unlikely]] {
    return am::Post::kRetry;
  }
  unsigned char* const line = slot.cell->bytes();
  am::CopyArguments(line + at.args_at, message.args, message.num_args);
  if (has_payload) {
    static_assert(kCacheLine <= am::kMostSmall);
    am::CopySmall(line + at.payload_at,
                  static_cast<const unsigned char*>(message.payload),
                  message.nbytes);
  }
  const Header header{.lap = slot.lap,
                      .handler = message.handler,
                      .num_args = message.num_args,
                      .category = message.category,
                      .nbytes = static_cast<uint32_t>(message.nbytes)};
  Causality::BeforeSending();
  slot.cell->header.store(header.Pack(), std::memory_order_release);
  Announce(to, lane);
  return am::Post::kDone;
}

[[gnu::always_inline]] inline void HostLink::Announce(uint32_t host_rank,
                                                      am::Lane lane) {
  if (!layout_.direct_poll()) [[unlikely]]
    SetPending(host_rank, lane);
  DoorbellOf(host_rank).Ring();
}

[[gnu::always_inline]] inline unsigned HostLink::Poll(
    am::Lanes lanes, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  if (layout_.direct_poll()) [[likely]] {
    handled = PollDirect(lanes, dispatcher);
  } else {
    handled = PollPending(am::Lane::kReply, dispatcher);
    if (lanes == am::Lanes::kAll) {
      handled += PollPending(am::Lane::kRequest, dispatcher);
    }
  }
  // Another thread of this process may wait for an effect of a handler that has
  // run.
  if (thread::kManyThreads && handled > 0) my_doorbell_->Ring();
  return handled;
}

[[gnu::always_inline]] inline bool HostLink::HasMessages() const {
  if (!layout_.direct_poll()) [[unlikely]]
    return HasPending();
  const Consumer* const own = &consumers_[me_ * am::kLanes];
  const Consumer* const end = &consumers_[layout_.ranks() * am::kLanes];
  for (const Consumer* rings = &consumers_[0]; rings != end;
       rings += am::kLanes) {
    if (rings == own) continue;
    if (rings[0].Ready() || rings[1].Ready()) return true;
  }
  return false;
}

// Looks at the rings of requests alone: a thread that leaves some to take them
// gets no replies.
[[gnu::always_inline]] inline bool HostLink::HasMessagesBut(
    uint8_t handler) const {
  if (!layout_.direct_poll()) [[unlikely]]
    return HasPending();
  constexpr auto kRequest = static_cast<unsigned>(am::Lane::kRequest);
  const Consumer* const own = &consumers_[me_ * am::kLanes];
  const Consumer* const end = &consumers_[layout_.ranks() * am::kLanes];
  for (const Consumer* rings = &consumers_[0]; rings != end;
       rings += am::kLanes) {
    if (rings == own) continue;
    if (rings[kRequest].HasOther(handler) || rings[1 - kRequest].Ready()) {
      return true;
    }
  }
  return false;
}

// One comparison identifies the message by its header, which is known in full.
template <class Accept>
[[gnu::always_inline]] inline bool HostLink::TakeMedium(
    const am::Wanted& wanted, void* to, Accept accept) {
  const uint32_t source = host_rank_of_[wanted.from];
  Consumer& ring = ConsumerFrom(source, am::Lane::kRequest);
  const Placement at =
      Placement::Of(am::Category::kMedium, wanted.num_args, wanted.nbytes);
  const unsigned char* payload = nullptr;
  const auto is_it = [&](uint32_t index) {
    const Header header{.lap = LapOf(index),
                        .handler = wanted.handler,
                        .num_args = wanted.num_args,
                        .category = am::Category::kMedium,
                        .spilled = at.spilled,
                        .nbytes = static_cast<uint32_t>(wanted.nbytes)};
    Cell& cell = ring.CellAt(index);
    if (cell.header.load(std::memory_order_relaxed) != header.Pack() ||
        at.args_spilled) {
      return false;
    }
    Causality::AfterReceiving();
    payload = WantedPayload(ring, cell, at);
    return payload != nullptr &&
           accept(reinterpret_cast<const int32_t*>(cell.bytes() + at.args_at));
  };
  uint32_t index;
  if (!ring.TakeIf(index, is_it)) return false;
  am::CopyPayload(to, payload, wanted.nbytes);
  if (ring.Finish(index, 1, at.block_bytes)) DoorbellOf(source).Ring();
  ProducerTo(source, am::Lane::kRequest).Heard();
  ProducerTo(source, am::Lane::kReply).Heard();
  return true;
}

// Returns null if memory is corrupt; a poll finds that and reports it.
[[gnu::always_inline]] inline const unsigned char* HostLink::WantedPayload(
    const Consumer& ring, Cell& cell, const Placement& at) {
  if (!at.spilled) return cell.bytes() + at.payload_at;
  uint64_t block_offset;
  std::memcpy(&block_offset, &cell.bytes()[at.block_at], sizeof(block_offset));
  return BlockIsIn(ring, block_offset, at)
             ? ring.payload() + block_offset + at.payload_at
             : nullptr;
}

// Checks the offset, which another process wrote.
[[gnu::always_inline]] inline bool HostLink::BlockIsIn(const Consumer& ring,
                                                       uint64_t block_offset,
                                                       const Placement& at) {
  return at.block_bytes <= ring.blocks_bytes() &&
         block_offset <= ring.blocks_bytes() - at.block_bytes &&
         block_offset % kCacheLine == 0;
}

[[gnu::always_inline]] inline unsigned HostLink::PollDirect(
    am::Lanes lanes, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  for (uint32_t source = 0; source < layout_.ranks(); ++source) {
    if (source == me_) continue;
    if (ConsumerFrom(source, am::Lane::kReply).Ready()) {
      handled += PollRing(source, am::Lane::kReply, dispatcher);
    }
    if (lanes == am::Lanes::kAll &&
        ConsumerFrom(source, am::Lane::kRequest).Ready()) {
      handled += PollRing(source, am::Lane::kRequest, dispatcher);
    }
  }
  return handled;
}

static_assert(am::Link<HostLink> && am::LinkHasMessages<HostLink> &&
              am::LinkTakes<HostLink> && am::LinkPollsInPassing<HostLink> &&
              am::LinkPrepares<HostLink> && am::LinkKnowsRoom<HostLink>);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_HOST_LINK_H_
