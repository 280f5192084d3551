// Active messages among the ranks of one host, through rings in shared memory:
// an am::Link.
//
// Every ordered pair of ranks has a ring for requests and a ring for replies.
// The rings of a rank to itself are never touched: a rank runs messages to
// itself in place (am/self_delivery.h). The sender writes a message as one
// cache line that the receiver reads. A payload that does not fit goes to the
// ring's payload area, where the handler reads it in place. The payload of a
// Long goes straight to its destination if the target's segment is mapped.
// Otherwise the payload travels with the message.
//
// A link goes from this rank's endpoint of one index to the other ranks'
// endpoints of one index, usually the same index. Rings between different
// indices lie elsewhere (endpoint_rings.h). Each endpoint has a doorbell beside
// its rings. Ranks here are indices among the co-located ranks (host ranks).
//
// A receiver with few peers looks at every ring. With many peers, each rank has
// a bit for every ring: the sender sets the bit after each message, and the
// receiver clears it before it looks at the ring.
//
// Threads that send at the same time have rings of their own (rails.h). Links
// of endpoints other than 0 have one rail.
#ifndef CORE_HOSTSHM_HOST_LINK_H_
#define CORE_HOSTSHM_HOST_LINK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cache_line.h"
#include "base/causality.h"
#include "base/clock.h"
#include "core/am/copy.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/hostshm/cell.h"
#include "core/hostshm/consumer.h"
#include "core/hostshm/doorbell.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/producer.h"
#include "core/hostshm/rail.h"
#include "core/hostshm/rails.h"
#include "core/hostshm/tuning.h"
#include "core/observe/status_board.h"
#include "core/segment.h"
#include "core/thread/mode.h"

namespace gasnet::hostshm {

class HostLink {
 public:
  // Starts the link. job_ranks: the job rank of every co-located rank, in
  // order; this rank is at host_rank.
  void Init(const HostMemory& memory, const Layout& layout, uint32_t host_rank,
            std::span<const Rank> job_ranks, uint32_t job_size);
  // Starts a link among endpoints of one index: all its memory is at `memory`.
  void Init(unsigned char* memory, const Layout& layout, uint32_t host_rank,
            std::span<const Rank> job_ranks, uint32_t job_size) {
    Init({memory, memory, memory, memory}, layout, host_rank, job_ranks,
         job_size);
  }

  // Sets the segments for Long messages, by job rank. peers: the segments as
  // mapped in this process; must outlive the link. segments: the segments'
  // addresses in their owners' processes. apart: true if any two co-located
  // ranks do not map each other's segments, even if this rank is not one of the
  // two. Then the message size limits are the same on all ranks.
  void SetSegments(std::span<const MappedSegment> peers,
                   std::span<const Segment> segments, bool apart);

  // Sets the segment that Longs to this endpoint go to, if it differs from this
  // rank's segment in SetSegments.
  void SetOwnSegment(const Segment& segment) { my_segment_ = segment; }
  // Lets peers introduce rails. Called before any peer introduces a rail.
  void AllowPeersRails(RailSource& source) { rails_.SetSource(source); }
  // Lets this rank's threads have their own rails. Called once all peers have
  // called AllowPeersRails().
  void AllowRails(unsigned most) {
    if constexpr (thread::kConcurrent) rails_.Allow(most);
  }
  Rails& rails() { return rails_; }
  // Moves the calling thread to another rail if allowed. Returns true if the
  // thread has moved.
  bool MoveThread();
  // Sets the index of the peers' endpoints XOR that of this endpoint
  // (am::Message); initially 0.
  void SetAcross(EndpointIndex across) { across_ = across; }

  // The am::Link functions. The parts for small messages and idle polls are
  // inlined.
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes);
  job::RingFill FillTo(Rank peer, am::Lane lane);
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher);
  bool HasMessages();
  bool HasMessagesBut(uint8_t handler);
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
  // Limits each sleep to `nanos` nanoseconds from now on; kNever removes the
  // limit. Any thread.
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

  // Returns this rank's doorbell, for links that also wait for other events.
  Doorbell& doorbell() { return *my_doorbell_; }
  // Returns true if a thread that rings is guaranteed to see sleepers. If this
  // is not guaranteed, sleepers wake up now and then and look.
  bool IsCertain() const { return fenced_.load(std::memory_order_relaxed); }

  // Sets the board on which a poll records itself after NoteNextPoll().
  void SetStatusBoard(observe::StatusBoard& status) { status_ = &status; }
  void NoteNextPoll() { SetDetour(kAsked); }

  // Wakes the sleeping threads of all co-located ranks, after an event that is
  // not a message.
  void RingAll();

 private:
  static constexpr uint32_t kElsewhere = ~uint32_t{0};

  Doorbell& DoorbellOf(uint32_t host_rank) const {
    return *reinterpret_cast<Doorbell*>(peer_bells_ +
                                        layout_.doorbell_at(host_rank));
  }
  // The reasons why a poll or send takes the slow path, as bits.
  enum Detour : uint8_t {
    kManyRanks = 1,  // polls look at bits that senders set
    kRails = 2,      // there are several rails
    kAsked = 4,      // the next poll must be recorded
  };
  bool IsPlain() const { return detours_.load(std::memory_order_relaxed) == 0; }
  void SetDetour(Detour detour) {
    detours_.fetch_or(detour, std::memory_order_relaxed);
  }
  // Records this poll if NoteNextPoll() requested it.
  void NotePoll();
  // Returns the rail for the calling thread's requests, or for its reply to the
  // request that it handles.
  unsigned RailOf(am::Lane lane) const {
    if (rails_.IsOne()) return 0;
    const thread::RailUse& use = thread::Self().rails;
    return lane == am::Lane::kReply ? rails_.OfReply(use) : rails_.OwnOf(use);
  }
  // Returns true if a message may go to the peer on this rail. Replies always
  // may.
  bool IsKnown(uint32_t host_rank, am::Lane lane, unsigned index) const;
  // Introduces this rail to the peer. Returns false if the ring has no room for
  // the introduction.
  bool Introduce(uint32_t host_rank, unsigned index);
  void TakeIntroduction(uint32_t source, unsigned on, uint64_t index);

  // The parts of a message that are known before it has a cell.
  struct Shape {
    // destination of a Long's payload, as mapped here
    unsigned char* direct = nullptr;
    size_t carried = 0;
    CellPlacement at;
  };
  // The rail and ring slot of a message to send.
  struct Place {
    unsigned rail = 0;
    Producer::Slot slot;
  };
  Shape ShapeOf(Rank peer, const am::Message& message) const;
  Rail* RailToSendOn(uint32_t to, am::Lane lane, bool to_take);
  am::Post SendByThread(Rank peer, am::Lane lane, const am::Message& message);
  bool Reserve(uint32_t to, am::Lane lane, const Shape& shape,
               const am::Message& message, Place& place);
  bool ReserveByThread(uint32_t to, am::Lane lane, size_t block_bytes,
                       Place& place);
  unsigned char* MappedLong(Rank peer, const am::Message& message) const;
  // Returns the rail that has this prepared block, or -1 if no rail has it.
  int RailOfBlock(uint32_t to, am::Lane lane, const unsigned char* block) const;
  [[noreturn]] void RefuseTooLong(Rank peer, const am::Message& message) const;
  static const unsigned char* WantedPayload(const Consumer& ring, Cell& cell,
                                            const CellPlacement& at);
  static bool BlockIsIn(const Consumer& ring, uint64_t block_offset,
                        const CellPlacement& at);
  static void Fill(const Producer::Slot& slot, const CellPlacement& at,
                   const am::Message& message, size_t carried);
  void Announce(const Rail& rail, uint32_t host_rank, am::Lane lane);
  // Returns true if has(index) is true for any rail that the thread polls.
  template <class Has>
  bool AnyRail(Has has);
  bool RailsHaveMessages();
  bool RailsHaveMessagesBut(uint8_t handler);
  unsigned PollRails(am::Lanes lanes, am::Dispatcher& dispatcher);
  unsigned PollRail(unsigned index, am::Lanes lanes,
                    am::Dispatcher& dispatcher);
  unsigned PollDirect(unsigned index, am::Lanes lanes,
                      am::Dispatcher& dispatcher);
  unsigned PollPending(unsigned index, am::Lane lane,
                       am::Dispatcher& dispatcher);
  unsigned PollRing(unsigned index, uint32_t source, am::Lane lane,
                    am::Dispatcher& dispatcher);
  // Handle() and HandleLarge() check and deliver a message. They return the
  // number of bytes that the message used in the payload area. HandleLarge()
  // takes the messages that are not small.
  size_t Handle(unsigned index, uint32_t source, am::Lane lane, Cell& cell,
                am::Dispatcher& dispatcher);
  size_t HandleLarge(unsigned index, uint32_t source, am::Lane lane, Cell& cell,
                     uint64_t word, am::Dispatcher& dispatcher);
  unsigned char* PlaceLong(uint32_t source, const Cell& cell,
                           const unsigned char* payload, size_t carried,
                           const CellHeader& header) const;

  Layout layout_{1};
  unsigned char* peer_bells_ = nullptr;
  uint32_t me_ = 0;
  EndpointIndex across_ = 0;
  Doorbell* my_doorbell_ = nullptr;
  std::atomic<int64_t> longest_sleep_{kNever};
  std::atomic<bool> fenced_{true};      // the result of the last heavy fence
  std::vector<Rank> job_ranks_;         // indexed by host rank
  std::vector<uint32_t> host_rank_of_;  // indexed by job rank
  std::atomic<uint8_t> detours_{0};
  observe::StatusBoard* status_ = nullptr;
  Rail first_;
  Rails rails_;
  size_t max_medium_ = 0;
  size_t max_long_ = 0;
  std::span<const MappedSegment> peers_;
  Segment my_segment_;
};

[[gnu::always_inline]] inline am::Post HostLink::Send(
    Rank peer, am::Lane lane, const am::Message& message) {
  const bool has_payload = message.category == am::Category::kMedium;
  const CellPlacement at = CellPlacement::Of(message.category, message.num_args,
                                             has_payload ? message.nbytes : 0);
  const uint32_t to = host_rank_of_[peer];
  const bool is_small = message.category != am::Category::kLong && !at.spilled;
  Producer::Slot slot;
  Producer::Room room = Producer::Room::kBusy;
  if (is_small) {
    Rail* rail = &first_;
    if (!IsPlain()) [[unlikely]]
      rail = RailToSendOn(to, lane, message.to_take);
    if (rail != nullptr) room = rail->To(to, lane).TryReserve(0, slot);
  }
  if (room != Producer::Room::kFound) [[unlikely]] {
    if (room == Producer::Room::kNone) return am::Post::kRetry;
    const am::Message other = message;
    return SendByThread(peer, lane, other);
  }
  unsigned char* const line = slot.cell->bytes();
  am::CopyArguments(line + at.args_at, message.args, message.num_args);
  if (has_payload) {
    static_assert(kCacheLine <= am::kMaxSmall);
    am::CopySmall(line + at.payload_at,
                  static_cast<const unsigned char*>(message.payload),
                  message.nbytes);
  }
  const CellHeader header{.lap = slot.lap,
                          .handler = message.handler,
                          .num_args = message.num_args,
                          .category = message.category,
                          .nbytes = static_cast<uint32_t>(message.nbytes)};
  Causality::BeforeSending();
  slot.cell->header.store(header.Pack(), std::memory_order_release);
  DoorbellOf(to).Ring();
  return am::Post::kDone;
}

[[gnu::always_inline]] inline unsigned HostLink::Poll(
    am::Lanes lanes, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  if (IsPlain()) [[likely]] {
    handled = PollDirect(0, lanes, dispatcher);
  } else {
    handled = PollRails(lanes, dispatcher);
  }
  // Wakes the other threads of this process, since one may sleep until one of
  // these handlers has run.
  if (thread::kManyThreads && handled > 0) my_doorbell_->Ring();
  return handled;
}

[[gnu::always_inline]] inline bool HostLink::HasMessages() {
  if (!IsPlain()) [[unlikely]]
    return RailsHaveMessages();
  return first_.HasMessagesInRings();
}

[[gnu::always_inline]] inline bool HostLink::HasMessagesBut(uint8_t handler) {
  if (!IsPlain()) [[unlikely]]
    return RailsHaveMessagesBut(handler);
  return first_.HasMessagesInRingsBut(handler);
}

// Recognizes the wanted message by one comparison with its header, since all
// fields of the header are known.
template <class Accept>
[[gnu::always_inline]] inline bool HostLink::TakeMedium(
    const am::Wanted& wanted, void* to, Accept accept) {
  const uint32_t source = host_rank_of_[wanted.from];
  Consumer& ring = first_.From(source, am::Lane::kRequest);
  const CellPlacement at =
      CellPlacement::Of(am::Category::kMedium, wanted.num_args, wanted.nbytes);
  const unsigned char* payload = nullptr;
  const auto is_it = [&](uint32_t index) {
    const CellHeader header{.lap = LapOf(index),
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
  if constexpr (thread::kConcurrent) first_.CountPoll();
  am::CopyPayload(to, payload, wanted.nbytes);
  if (ring.Finish(index, 1, at.block_bytes)) DoorbellOf(source).Ring();
  first_.To(source, am::Lane::kRequest).Heard();
  first_.To(source, am::Lane::kReply).Heard();
  return true;
}

// Returns null if the memory is corrupt. A later poll detects and reports this.
[[gnu::always_inline]] inline const unsigned char* HostLink::WantedPayload(
    const Consumer& ring, Cell& cell, const CellPlacement& at) {
  if (!at.spilled) return cell.bytes() + at.payload_at;
  uint64_t block_offset;
  std::memcpy(&block_offset, &cell.bytes()[at.block_at], sizeof(block_offset));
  return BlockIsIn(ring, block_offset, at)
             ? ring.payload() + block_offset + at.payload_at
             : nullptr;
}

// Returns true if the block lies in the ring's memory. Necessary because
// another process wrote the offset.
[[gnu::always_inline]] inline bool HostLink::BlockIsIn(
    const Consumer& ring, uint64_t block_offset, const CellPlacement& at) {
  return at.block_bytes <= ring.blocks_bytes() &&
         block_offset <= ring.blocks_bytes() - at.block_bytes &&
         block_offset % kCacheLine == 0;
}

[[gnu::always_inline]] inline unsigned HostLink::PollDirect(
    unsigned index, am::Lanes lanes, am::Dispatcher& dispatcher) {
  const Rail& rail = index == 0 ? first_ : rails_.at(index);
  unsigned handled = 0;
  for (uint32_t source = 0; source < layout_.ranks(); ++source) {
    if (source == me_) continue;
    if (rail.From(source, am::Lane::kReply).Ready()) {
      handled += PollRing(index, source, am::Lane::kReply, dispatcher);
    }
    if (lanes == am::Lanes::kAll &&
        rail.From(source, am::Lane::kRequest).Ready()) {
      handled += PollRing(index, source, am::Lane::kRequest, dispatcher);
    }
  }
  return handled;
}

static_assert(am::Link<HostLink> && am::LinkHasMessages<HostLink> &&
              am::LinkTakes<HostLink> && am::LinkPollsInPassing<HostLink> &&
              am::LinkPrepares<HostLink> && am::LinkKnowsRoom<HostLink>);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_HOST_LINK_H_
