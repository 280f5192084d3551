#include "core/hostshm/host_link.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/cache_line.h"
#include "base/log.h"
#include "core/am/payload.h"
#include "core/hostshm/tuning.h"
#include "core/thread/mode.h"

namespace gasnet::hostshm {

void HostLink::Init(const HostMemory& memory, const Layout& layout,
                    uint32_t host_rank, std::span<const Rank> job_ranks,
                    uint32_t job_size) {
  out_ = memory.out;
  in_ = memory.in;
  peer_bells_ = memory.peer_bells;
  layout_ = layout;
  me_ = host_rank;
  my_doorbell_ = reinterpret_cast<Doorbell*>(memory.own_bells +
                                             layout.doorbell_at(host_rank));
  job_ranks_.assign(job_ranks.begin(), job_ranks.end());
  host_rank_of_.assign(job_size, kElsewhere);
  const uint32_t n = layout.ranks();
  producers_ = std::make_unique<Producer[]>(size_t{n} * am::kLanes);
  consumers_ = std::make_unique<Consumer[]>(size_t{n} * am::kLanes);
  for (uint32_t peer = 0; peer < n; ++peer) {
    host_rank_of_[job_ranks_[peer]] = peer;
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      ProducerTo(peer, lane).Init(out_, layout, peer, me_, lane);
      ConsumerFrom(peer, lane).Init(in_, layout, me_, peer, lane);
    }
  }
  max_medium_ = std::min(kMostMedium, layout.payload_bytes() - kArgsBlock);
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
  max_long_ = all_mapped ? am::kMostLong : max_medium_;
}

// Returns the address here for the payload of a Long, or null.
unsigned char* HostLink::MappedLong(Rank peer,
                                    const am::Message& message) const {
  const MappedSegment& to = peers_[peer];
  const Segment segment{to.base, to.size};
  if (!segment.Contains(message.dest_addr, message.nbytes)) return nullptr;
  return to.map + (reinterpret_cast<uintptr_t>(message.dest_addr) - to.base);
}

am::Post HostLink::SendLarge(Rank peer, am::Lane lane,
                             const am::Message& message) {
  const uint32_t to = host_rank_of_[peer];
  unsigned char* direct = nullptr;
  size_t carried = 0;
  if (message.category == am::Category::kLong) {
    direct = MappedLong(peer, message);
    carried = direct == nullptr && !message.in_place ? message.nbytes : 0;
  } else if (message.category == am::Category::kMedium) {
    carried = message.nbytes;
  }
  const Placement at =
      Placement::Of(message.category, message.num_args, carried);
  if (at.block_bytes > layout_.payload_bytes() ||
      message.nbytes > am::kMostLong) [[unlikely]] {
    RefuseTooLong(peer, message);
  }
  Producer& producer = ProducerTo(to, lane);
  unsigned char* const block = PreparedBlock(producer, at, message);
  Producer::Slot slot;
  if (block != nullptr ? !producer.ReserveFor(block, slot)
                       : !producer.Reserve(at.block_bytes, slot)) {
    return am::Post::kRetry;
  }
  if (direct != nullptr && message.nbytes > 0 && !message.in_place) {
    std::memcpy(direct, message.payload, message.nbytes);
  }
  Fill(slot, at, message, carried);
  Announce(to, lane);
  return am::Post::kDone;
}

unsigned char* HostLink::Prepare(Rank peer, am::Lane lane, unsigned num_args,
                                 size_t nbytes) {
  const Placement at = Placement::Of(am::Category::kMedium, num_args, nbytes);
  if (!at.spilled) return nullptr;
  unsigned char* const block =
      ProducerTo(host_rank_of_[peer], lane).TakeBlock();
  return block == nullptr ? nullptr : block + at.payload_at;
}

// The payload is where Prepare has put it, for a message that was spilled.
void HostLink::EndPrepared(Rank peer, am::Lane lane, unsigned num_args,
                           const void* payload) {
  const Placement at =
      Placement::Of(am::Category::kMedium, num_args, max_medium_);
  ProducerTo(host_rank_of_[peer], lane)
      .ReturnBlock(static_cast<const unsigned char*>(payload) - at.payload_at);
}

// Returns the prepared block that the message's payload lies in, or null.
unsigned char* HostLink::PreparedBlock(const Producer& producer,
                                       const Placement& at,
                                       const am::Message& message) {
  if (message.category != am::Category::kMedium || !at.spilled ||
      message.payload == nullptr) {
    return nullptr;
  }
  auto* const block = const_cast<unsigned char*>(
      static_cast<const unsigned char*>(message.payload) - at.payload_at);
  return producer.HasBlock(block) ? block : nullptr;
}

void HostLink::RefuseTooLong(Rank peer, const am::Message& message) const {
  if (message.category == am::Category::kMedium) {
    Fatal("Medium active message of %zu bytes to rank %u: the limit is %zu",
          message.nbytes, peer, max_medium_);
  }
  Fatal(
      "Long active message of %zu bytes to rank %u: the limit is %zu, and the "
      "destination %p must lie in that rank's segment",
      message.nbytes, peer, max_long_, message.dest_addr);
}

void HostLink::Fill(const Producer::Slot& slot, const Placement& at,
                    const am::Message& message, size_t carried) {
  unsigned char* const line = slot.cell->bytes();
  unsigned char* const payload_in = at.spilled ? slot.block : line;
  unsigned char* const args_in = at.args_spilled ? slot.block : line;
  const bool is_long = message.category == am::Category::kLong;
  if (is_long) std::memcpy(line + 8, &message.dest_addr, 8);
  if (at.spilled) {
    const uint64_t offset = slot.block_offset;
    std::memcpy(line + at.block_at, &offset, 8);
  }
  int32_t* const args = reinterpret_cast<int32_t*>(args_in + at.args_at);
  for (unsigned i = 0; i < message.num_args; ++i) args[i] = message.args[i];
  // A payload that was made there stays.
  if (carried > 0 && message.payload != payload_in + at.payload_at) {
    am::WritePayload(payload_in + at.payload_at, message);
  }
  const Header header{slot.lap,
                      message.handler,
                      message.num_args,
                      message.category,
                      at.spilled,
                      is_long && carried > 0,
                      static_cast<uint32_t>(message.nbytes)};
  Causality::BeforeSending();
  slot.cell->header.store(header.Pack(), std::memory_order_release);
}

std::span<std::atomic<uint64_t>> HostLink::PendingOf(unsigned char* rings,
                                                     uint32_t host_rank,
                                                     am::Lane lane) const {
  auto* const words = reinterpret_cast<std::atomic<uint64_t>*>(
      rings + layout_.doorbell_at(host_rank) + kCacheLine);
  const size_t count = layout_.pending_words();
  return {words + static_cast<size_t>(lane) * count, count};
}

void HostLink::SetPending(uint32_t host_rank, am::Lane lane) {
  PendingOf(out_, host_rank, lane)[me_ / 64].fetch_or(
      uint64_t{1} << (me_ % 64), std::memory_order_release);
}

void HostLink::RingAll() {
  for (uint32_t rank = 0; rank < layout_.ranks(); ++rank) {
    DoorbellOf(rank).Ring();
  }
}

bool HostLink::HasPending() const {
  // The words of the two lanes are adjacent.
  const auto* const words = PendingOf(in_, me_, am::Lane::kRequest).data();
  return std::any_of(words, words + am::kLanes * layout_.pending_words(),
                     [](const std::atomic<uint64_t>& word) {
                       return word.load(std::memory_order_relaxed) != 0;
                     });
}

// A bit is cleared before its ring is looked at, so a message whose bit is set
// later is found by a later poll.
unsigned HostLink::PollPending(am::Lane lane, am::Dispatcher& dispatcher) {
  unsigned handled = 0;
  const auto words = PendingOf(in_, me_, lane);
  for (size_t w = 0; w < words.size(); ++w) {
    if (words[w].load(std::memory_order_relaxed) == 0) continue;
    uint64_t bits = words[w].exchange(0, std::memory_order_acquire);
    for (; bits != 0; bits &= bits - 1) {
      const auto source =
          static_cast<uint32_t>(w * 64 + std::countr_zero(bits));
      if (source >= layout_.ranks()) break;
      handled += PollRing(source, lane, dispatcher);
      if (ConsumerFrom(source, lane).Ready()) {
        words[w].fetch_or(bits & -bits, std::memory_order_relaxed);
      }
    }
  }
  return handled;
}

unsigned HostLink::PollRing(uint32_t source, am::Lane lane,
                            am::Dispatcher& dispatcher) {
  Consumer& consumer = ConsumerFrom(source, lane);
  uint32_t first;
  const unsigned count = consumer.Take(kBurst, first);
  Causality::AfterReceiving();
  unsigned handled = 0;  // messages since the last Finish
  size_t block_bytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    block_bytes += Handle(source, lane, consumer.CellAt(first + i), dispatcher);
    ++handled;
    if (i + 1 < count && !consumer.IsMuch(handled, block_bytes)) continue;
    const uint32_t from = first + i + 1 - handled;
    if (consumer.Finish(from, handled, block_bytes)) DoorbellOf(source).Ring();
    handled = 0;
    block_bytes = 0;
  }
  ProducerTo(source, am::Lane::kRequest).Heard();
  ProducerTo(source, am::Lane::kReply).Heard();
  return count;
}

[[gnu::always_inline]] inline size_t HostLink::Handle(
    uint32_t source, am::Lane lane, Cell& cell, am::Dispatcher& dispatcher) {
  const uint64_t word = cell.header.load(std::memory_order_relaxed);
  const Header header = Header::Unpack(word);
  const bool has_payload = header.category == am::Category::kMedium;
  const Placement at = Placement::Of(header.category, header.num_args,
                                     has_payload ? header.nbytes : 0);
  if (header.category >= am::Category::kLong || header.spilled || at.spilled) {
    return HandleLarge(source, lane, cell, word, dispatcher);
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

// Handles a Long, or a message with a part in the payload area. word: its
// header; passed as a word, so that Handle need not unpack it in memory.
size_t HostLink::HandleLarge(uint32_t source, am::Lane lane, Cell& cell,
                             uint64_t word, am::Dispatcher& dispatcher) {
  const Header header = Header::Unpack(word);
  const Consumer& ring = ConsumerFrom(source, lane);
  const bool is_long = header.category == am::Category::kLong;
  const bool carries =
      header.category == am::Category::kMedium || (is_long && header.carried);
  const size_t carried = carries ? header.nbytes : 0;
  const Placement at = Placement::Of(header.category, header.num_args, carried);

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

// Returns the address of a Long's payload for the handler. Copies it there if
// it came with the message.
unsigned char* HostLink::PlaceLong(uint32_t source, const Cell& cell,
                                   const unsigned char* payload, size_t carried,
                                   const Header& header) const {
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
  const uint32_t epoch = my_doorbell_->Arm();
  fenced_.store(AsymmetricFence::HeavyFence(), std::memory_order_relaxed);
  return epoch;
}

bool HostLink::Sleep(uint32_t epoch, int64_t longest) {
  longest = std::min(longest, longest_sleep_.load(std::memory_order_relaxed));
  my_doorbell_->Sleep(epoch, fenced_.load(std::memory_order_relaxed), longest);
  return IsArmed(epoch);
}

// Other threads of the process may still sleep on the same flag.
void HostLink::Disarm() {
  if (!thread::kManyThreads) my_doorbell_->Disarm();
}

}  // namespace gasnet::hostshm
