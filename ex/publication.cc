#include "ex/publication.h"

#include <cstddef>
#include <cstring>
#include <numeric>

#include "base/log.h"
#include "coll/collectives.h"
#include "core/runtime/runtime.h"

namespace gasnet::ex {

void Publication::Add(const gasneti_ep& endpoint) {
  const gasneti_segment* const segment = endpoint.segment.load();
  if (segment == nullptr || endpoint.index == 0) return;
  for (const Entry& entry : mine_) {
    if (entry.index != endpoint.index) continue;
    Fatal("%s: eps lists endpoint %u of this process twice", call_,
          endpoint.index);
  }
  mine_.push_back({reinterpret_cast<uintptr_t>(segment->address), segment->size,
                   endpoint.index, 0});
}

void Publication::Publish(ExTeam& team) {
  coll::Collectives& collectives = coll::Collectives::Mine();
  std::vector<size_t> sizes(team.size(), sizeof(uint32_t));
  std::vector<uint32_t> counts(team.size());
  const auto count = static_cast<uint32_t>(mine_.size());
  collectives.GatherAll(team.collective, call_, &count, counts.data(), sizes);

  const size_t total = std::accumulate(counts.begin(), counts.end(), size_t{0});
  if (total == 0) return;
  for (gex_Rank_t rank = 0; rank < team.size(); ++rank) {
    sizes[rank] = counts[rank] * sizeof(Entry);
  }
  std::vector<Entry> all(total);
  collectives.GatherAll(team.collective, call_, mine_.data(), all.data(),
                        sizes);
  const Entry* next = all.data();
  for (gex_Rank_t rank = 0; rank < team.size(); ++rank) {
    for (uint32_t i = 0; i < counts[rank]; ++i) {
      Note(team.NodeOf(rank), *next++);
    }
  }
}

void Publication::Note(Rank from, const Entry& entry) const {
  if (entry.index == 0 || entry.index >= kMaxEndpoints) {
    Fatal(
        "%s: rank %u publishes a segment of endpoint %u; endpoints are 1 to "
        "%u; its memory is corrupted",
        call_, from, entry.index, kMaxEndpoints - 1);
  }
  runtime->further_segments().Publish(
      from, static_cast<EndpointIndex>(entry.index), {entry.base, entry.size});
}

}  // namespace gasnet::ex
