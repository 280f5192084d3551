#include "portals/api/interface.h"

#include <unistd.h>

#include <iterator>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "portals/api/held_back.h"
#include "portals/api/library.h"
#include "portals/api/limits.h"

namespace gasnet::portals4 {

std::optional<uint32_t> Arena::Take(uint32_t size) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (range->second < size) continue;
    const uint32_t start = range->first;
    const uint32_t left = range->second - size;
    free_.erase(range);
    if (left > 0) free_[start + size] = left;
    return start;
  }
  return std::nullopt;
}

void Arena::Give(Block block) {
  const uint32_t start = block.first;
  uint32_t size = block.count;
  auto behind = free_.lower_bound(start);
  if (behind != free_.end() && behind->first == start + size) {
    size += behind->second;
    behind = free_.erase(behind);
  }
  if (behind != free_.begin()) {
    const auto before = std::prev(behind);
    if (before->first + before->second == start) {
      before->second += size;
      return;
    }
  }
  free_[start] = size;
}

Interface::Interface(const Identity& identity, const ptl_ni_limits_t& limits,
                     Region region)
    : identity_(identity),
      limits_(limits),
      region_(std::move(region)),
      helper_(View(region_.memory(), region_.counts()), region_.file()),
      own_(View(region_.memory(), region_.counts()), getpid(), true),
      initiator_(logical() ? PTL_RANK_ANY
                           : PackPhysical(identity.nid, identity.pid)) {}

std::unique_ptr<Interface> Interface::Open(const Identity& identity,
                                           const ptl_ni_limits_t& limits) {
  Region region = Region::Create(
      {.nid = identity.nid,
       .pid = identity.pid,
       .uid = identity.uid,
       .kind = identity.kind,
       .max_list_size = static_cast<uint32_t>(limits.max_list_size),
       .coherent = (limits.features & PTL_COHERENT_ATOMICS) != 0},
      CountsOf(limits));
  if (!region.valid()) return nullptr;
  return std::unique_ptr<Interface>(
      new Interface(identity, limits, std::move(region)));
}

void Interface::SetMap(const ptl_process_t* mapping, size_t size) {
  auto made = std::make_unique<RankMap>();
  made->ids.assign(mapping, mapping + size);
  made->peers = std::make_unique<std::atomic<PeerInterface*>[]>(size);
  uint64_t me = PTL_RANK_ANY;
  for (size_t i = size; i-- > 0;) {
    if (mapping[i].phys.nid == identity_.nid &&
        mapping[i].phys.pid == identity_.pid) {
      me = i;
    }
  }
  const absl::MutexLock lock(&setup);
  initiator_.store(me, std::memory_order_relaxed);
  // Release: pairs with the acquire loads of map_. A thread that loads this
  // pointer then sees the contents of the map.
  map_.store(made.get(), std::memory_order_release);
  maps_made_.push_back(std::move(made));
}

const std::vector<ptl_process_t>* Interface::map() const {
  const RankMap* const map = map_.load(std::memory_order_acquire);
  return map != nullptr ? &map->ids : nullptr;
}

PeerInterface* Interface::FindRank(ptl_rank_t rank, uint64_t physical) {
  const RankMap* const map = map_.load(std::memory_order_acquire);
  if (map == nullptr || rank >= map->ids.size()) return nullptr;
  PeerInterface* const peer = GetLibrary().FindPeer(physical, identity_.kind);
  map->peers[rank].store(peer, std::memory_order_release);
  return peer;
}

PeerInterface* Interface::FindPhysical(uint64_t physical) {
  PeerInterface* const peer = GetLibrary().FindPeer(physical, identity_.kind);
  if (peer == nullptr) return nullptr;
  const absl::MutexLock lock(&setup);
  const Known*& now = known_now_[physical];
  if (now == nullptr || now->peer != peer) {
    known_made_.push_back(std::make_unique<Known>(Known{physical, peer}));
    now = known_made_.back().get();
  }
  known_[PlaceOf(physical)].store(now, std::memory_order_release);
  return peer;
}

void Interface::OfferHelp() {
  if (offered_.load(std::memory_order_acquire)) return;
  if (view().header().coherent != 0 || MayBeRefused()) helper_.Start();
  // Stored last: a thread that sees it may append an entry, and a peer then
  // relies on the helper.
  offered_.store(true, std::memory_order_release);
}

void Interface::Close() {
  region_.Retire();
  helper_.End();
  ForgetHeldBack(own_);
  region_.Close();
}

}  // namespace gasnet::portals4
