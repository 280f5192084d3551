#include "core/hostshm/rail.h"

#include <algorithm>

#include "base/cache_line.h"

namespace gasnet::hostshm {

void Rail::Init(unsigned char* out, unsigned char* in, const Layout& layout,
                uint32_t host_rank) {
  out_ = out;
  in_ = in;
  layout_ = layout;
  me_ = host_rank;
  const uint32_t n = layout.ranks();
  producers_ = MakeLineArray<Producer>(size_t{n} * am::kLanes);
  consumers_ = MakeLineArray<Consumer>(size_t{n} * am::kLanes);
  known_to_ = MakeLineArray<std::atomic<bool>>(n);
  for (uint32_t peer = 0; peer < n; ++peer) {
    for (const am::Lane lane : {am::Lane::kRequest, am::Lane::kReply}) {
      To(peer, lane).Init(out_, layout, peer, me_, lane);
      From(peer, lane).Init(in_, layout, me_, peer, lane);
    }
  }
}

std::span<std::atomic<uint64_t>> Rail::PendingOf(unsigned char* rings,
                                                 uint32_t host_rank,
                                                 am::Lane lane) const {
  auto* const words = reinterpret_cast<std::atomic<uint64_t>*>(
      rings + layout_.doorbell_at(host_rank) + kCacheLine);
  const size_t count = layout_.pending_words();
  return {words + static_cast<size_t>(lane) * count, count};
}

void Rail::SetPending(uint32_t host_rank, am::Lane lane) const {
  PendingOf(out_, host_rank, lane)[me_ / 64].fetch_or(
      uint64_t{1} << (me_ % 64), std::memory_order_release);
}

bool Rail::HasPending() const {
  // The words of the two lanes are adjacent.
  const auto* const words = OwnPending(am::Lane::kRequest).data();
  return std::any_of(words, words + am::kLanes * layout_.pending_words(),
                     [](const std::atomic<uint64_t>& word) {
                       return word.load(std::memory_order_relaxed) != 0;
                     });
}

}  // namespace gasnet::hostshm
