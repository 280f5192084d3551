#include "core/hostshm/host_link.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "base/cache_line.h"
#include "base/log.h"
#include "core/hostshm/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::hostshm {

void HostLink::Init(const HostMemory& memory, const Layout& layout,
                    uint32_t host_rank, std::span<const Rank> job_ranks,
                    uint32_t job_size) {
  peer_bells_ = memory.peer_bells;
  layout_ = layout;
  me_ = host_rank;
  my_doorbell_ = reinterpret_cast<Doorbell*>(memory.own_bells +
                                             layout.doorbell_at(host_rank));
  job_ranks_.assign(job_ranks.begin(), job_ranks.end());
  host_rank_of_.assign(job_size, kElsewhere);
  for (uint32_t peer = 0; peer < layout.ranks(); ++peer) {
    host_rank_of_[job_ranks_[peer]] = peer;
  }
  first_.Init(memory.out, memory.in, layout, host_rank);
  rails_.Init(first_, layout, host_rank);
  detours_.store(layout.direct_poll() ? 0 : kManyRanks,
                 std::memory_order_relaxed);
  max_medium_ = std::min(kMaxHostMedium, layout.payload_bytes() - kArgsBlock);
  max_long_ = max_medium_;
}

void HostLink::SetSegments(std::span<const MappedSegment> peers,
                           std::span<const Segment> segments, bool apart) {
  peers_ = peers;
  my_segment_ = segments[job_ranks_[me_]];
  // Nothing is sent to an empty segment, so it need not be mapped.
  const bool all_mapped =
      !apart &&
      std::all_of(job_ranks_.begin(), job_ranks_.end(), [&](Rank rank) {
        return segments[rank].size == 0 || peers[rank].map != nullptr;
      });
  max_long_ = all_mapped ? am::kMaxLong : max_medium_;
}

void HostLink::RingAll() {
  for (uint32_t rank = 0; rank < layout_.ranks(); ++rank) {
    DoorbellOf(rank).Ring();
  }
}

template <class Has>
bool HostLink::AnyRail(Has has) {
  Rails::Mask bits = rails_.ToLookAt(thread::Self());
  for (; bits != 0; bits &= bits - 1) {
    if (has(static_cast<unsigned>(std::countr_zero(bits)))) return true;
  }
  return false;
}

void HostLink::NotePoll() {
  if ((detours_.load(std::memory_order_relaxed) & kAsked) == 0) return;
  detours_.fetch_and(static_cast<uint8_t>(~kAsked), std::memory_order_relaxed);
  status_->NotePolled();
}

bool HostLink::RailsHaveMessages() {
  NotePoll();
  if (rails_.IsOne()) return first_.HasMessages();
  return AnyRail(
      [this](unsigned index) { return rails_.at(index).HasMessages(); });
}

bool HostLink::RailsHaveMessagesBut(uint8_t handler) {
  if (!layout_.direct_poll()) return RailsHaveMessages();
  return AnyRail([this, handler](unsigned index) {
    return index == 0 ? first_.HasMessagesInRingsBut(handler)
                      : rails_.at(index).HasMessages();
  });
}

unsigned HostLink::PollRails(am::Lanes lanes, am::Dispatcher& dispatcher) {
  NotePoll();
  if (rails_.IsOne()) return PollRail(0, lanes, dispatcher);
  thread::ThreadState& self = thread::Self();
  const bool all_lanes = lanes == am::Lanes::kAll;
  const uint8_t replies_on = self.rails.reply;
  unsigned handled = 0;
  Rails::Mask bits = all_lanes ? rails_.ToPoll(self) : rails_.made();
  for (; bits != 0; bits &= bits - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(bits));
    self.rails.reply = static_cast<uint8_t>(index);
    handled += PollRail(index, lanes, dispatcher);
  }
  self.rails.reply = replies_on;
  if (all_lanes && handled == 0) rails_.NoteIdlePoll(self);
  return handled;
}

unsigned HostLink::PollRail(unsigned index, am::Lanes lanes,
                            am::Dispatcher& dispatcher) {
  if (layout_.direct_poll()) return PollDirect(index, lanes, dispatcher);
  unsigned handled = PollPending(index, am::Lane::kReply, dispatcher);
  if (lanes == am::Lanes::kAll) {
    handled += PollPending(index, am::Lane::kRequest, dispatcher);
  }
  return handled;
}

// Clears a ring's bit before it looks at the ring. A message that arrives
// afterwards sets the bit again, so a later poll finds it.
unsigned HostLink::PollPending(unsigned index, am::Lane lane,
                               am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  const Rail& rail = rails_.at(index);
  const auto words = rail.OwnPending(lane);
  for (size_t w = 0; w < words.size(); ++w) {
    if (words[w].load(std::memory_order_relaxed) == 0) continue;
    uint64_t bits = words[w].exchange(0, std::memory_order_acquire);
    for (; bits != 0; bits &= bits - 1) {
      const auto source =
          static_cast<uint32_t>(w * 64 + std::countr_zero(bits));
      if (source >= layout_.ranks()) break;
      handled += PollRing(index, source, lane, dispatcher);
      if (rail.From(source, lane).Ready()) {
        words[w].fetch_or(bits & -bits, std::memory_order_relaxed);
      }
    }
  }
  return handled;
}

unsigned HostLink::PollRing(unsigned index, uint32_t source, am::Lane lane,
                            am::Dispatcher& dispatcher) {
  Rail& rail = rails_.at(index);
  if constexpr (thread::kConcurrent) rail.CountPoll();
  Consumer& consumer = rail.From(source, lane);
  uint32_t first;
  const unsigned count = consumer.Take(kBurst, first);
  Causality::AfterReceiving();
  unsigned handled = 0;  // messages since the last Finish
  size_t block_bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    block_bytes +=
        Handle(index, source, lane, consumer.CellAt(first + i), dispatcher);
    ++handled;
    if (i + 1 < count && !consumer.IsMuch(handled, block_bytes)) continue;
    const uint32_t from = first + i + 1 - handled;
    if (consumer.Finish(from, handled, block_bytes)) DoorbellOf(source).Ring();
    handled = 0;
    block_bytes = 0;
  }
  rail.To(source, am::Lane::kRequest).Heard();
  rail.To(source, am::Lane::kReply).Heard();
  return count;
}

[[gnu::always_inline]] inline size_t HostLink::Handle(
    unsigned index, uint32_t source, am::Lane lane, Cell& cell,
    am::Dispatcher& dispatcher) {
  const uint64_t word = cell.header.load(std::memory_order_relaxed);
  const CellHeader header = CellHeader::Unpack(word);
  const bool has_payload = header.category == am::Category::kMedium;
  const CellPlacement at = CellPlacement::Of(header.category, header.num_args,
                                             has_payload ? header.nbytes : 0);
  if (header.category >= am::Category::kLong || header.spilled || at.spilled) {
    return HandleLarge(index, source, lane, cell, word, dispatcher);
  }
  dispatcher.Deliver(
      {.source = job_ranks_[source],
       .lane = lane,
       .category = header.category,
       .handler = header.handler,
       .num_args = header.num_args,
       .args = reinterpret_cast<const int32_t*>(cell.bytes() + at.args_at),
       .payload = cell.bytes() + at.payload_at,
       .nbytes = header.nbytes,
       .across = across_});
  return 0;
}

// Handles a Long, or a message with a part in the payload area. word: the
// cell's header, passed packed so that Handle() need not unpack it in memory.
size_t HostLink::HandleLarge(unsigned index, uint32_t source, am::Lane lane,
                             Cell& cell, uint64_t word,
                             am::Dispatcher& dispatcher) {
  const CellHeader header = CellHeader::Unpack(word);
  if (header.category == kIntroduction && lane == am::Lane::kRequest) {
    TakeIntroduction(source, index, header.nbytes);
    return 0;
  }
  const Consumer& ring = rails_.at(index).From(source, lane);
  const bool is_long = header.category == am::Category::kLong;
  const bool carries =
      header.category == am::Category::kMedium || (is_long && header.carried);
  const size_t carried = carries ? header.nbytes : 0;
  const CellPlacement at =
      CellPlacement::Of(header.category, header.num_args, carried);

  uint64_t block_offset = 0;
  if (at.spilled) std::memcpy(&block_offset, &cell.bytes()[at.block_at], 8);
  if (header.num_args > am::kMaxArgs || header.spilled != at.spilled ||
      header.category > am::Category::kLong ||
      !BlockIsIn(ring, block_offset, at)) [[unlikely]] {
    Fatal(
        "the shared memory written by rank %u is corrupt: message header "
        "%016llx, block at %llu",
        job_ranks_[source], static_cast<unsigned long long>(word),
        static_cast<unsigned long long>(block_offset));
  }
  unsigned char* const block = ring.payload() + block_offset;
  unsigned char* const args_in = at.args_spilled ? block : cell.bytes();
  unsigned char* payload = (at.spilled ? block : cell.bytes()) + at.payload_at;
  if (is_long) payload = PlaceLong(source, cell, payload, carried, header);
  dispatcher.Deliver(
      {.source = job_ranks_[source],
       .lane = lane,
       .category = header.category,
       .handler = header.handler,
       .num_args = header.num_args,
       .args = reinterpret_cast<const int32_t*>(args_in + at.args_at),
       .payload = payload,
       .nbytes = header.nbytes,
       .across = across_});
  return at.block_bytes;
}

void HostLink::TakeIntroduction(uint32_t source, unsigned on, uint64_t index) {
  if (on != 0 || !rails_.MayHave(index)) {
    Fatal(
        "the shared memory written by rank %u is corrupt: it introduces rail "
        "%llu on rail %u",
        job_ranks_[source], static_cast<unsigned long long>(index), on);
  }
  const auto rail = static_cast<unsigned>(index);
  const absl::Status made = rails_.Make(rail);
  if (!made.ok()) Fatal("%s", std::string(made.message()).c_str());
  SetDetour(kRails);
  rails_.Serve(thread::Self(), rail);
}

// Returns the address of a Long's payload for the handler. Copies the payload
// to its destination if it came with the message.
unsigned char* HostLink::PlaceLong(uint32_t source, const Cell& cell,
                                   const unsigned char* payload, size_t carried,
                                   const CellHeader& header) const {
  unsigned char* destination;
  std::memcpy(&destination, cell.body, sizeof(destination));
  if (header.nbytes > 0 && !my_segment_.Contains(destination, header.nbytes))
      [[unlikely]] {
    Fatal(
        "Long active message from rank %u: destination [%p, %p) is outside "
        "this rank's segment [%p, %p)",
        job_ranks_[source], static_cast<void*>(destination),
        static_cast<void*>(destination + header.nbytes),
        reinterpret_cast<void*>(my_segment_.base),
        reinterpret_cast<void*>(my_segment_.base + my_segment_.size));
  }
  if (carried > 0) std::memcpy(destination, payload, carried);
  return destination;
}

uint32_t HostLink::Arm() {
  if constexpr (thread::kManyThreads) thread::Self().rails.polls_all = true;
  const uint32_t epoch = my_doorbell_->Arm();
  fenced_.store(AsymmetricFence::HeavyFence(), std::memory_order_relaxed);
  return epoch;
}

bool HostLink::Sleep(uint32_t epoch, int64_t longest) {
  longest = std::min(longest, longest_sleep_.load(std::memory_order_relaxed));
  my_doorbell_->Sleep(epoch, fenced_.load(std::memory_order_relaxed), longest);
  return my_doorbell_->IsArmed(epoch);
}

// Does nothing in modes with several threads, since other threads may sleep and
// depend on the doorbell's flag.
void HostLink::Disarm() {
  if (!thread::kManyThreads) my_doorbell_->Disarm();
}

}  // namespace gasnet::hostshm
