// A network interface of this process.
//
// Its tables lie in shared memory, which peers also access (engine/). This
// class has the part that peers do not need: identities, the map of ranks, and
// the peers found through the map. It also allocates the parts of the shared
// memory that only the owner allocates. These are lines of event queues,
// elements of iovecs, and records of mappings.
//
// `setup` protects these allocations. Threads look up known peers without a
// lock. A found peer stays until the library is closed, so a thread may
// continue to use it without a lock.
#ifndef PORTALS_API_INTERFACE_H_
#define PORTALS_API_INTERFACE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "portals/engine/deliver.h"
#include "portals/engine/operation.h"
#include "portals/memory/door.h"
#include "portals/memory/help.h"
#include "portals/memory/region.h"
#include "portals/tuning.h"
#include "portals4.h"

namespace gasnet::portals4 {

// An allocator of ranges of an array in shared memory. The allocator itself is
// private to the owner.
class Arena {
 public:
  explicit Arena(uint32_t size) : free_{{0, size}} {}

  struct Block {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  std::optional<uint32_t> Take(uint32_t size);
  // Frees a block. `block` must come from the owner's own memory. A faulty
  // process could have changed a block in shared memory. A range would then be
  // allocated twice.
  void Give(Block block);

 private:
  std::map<uint32_t, uint32_t> free_;  // Start to size. No two ranges adjoin.
};

class Interface {
 public:
  struct Identity {
    uint32_t index;  // index in Library
    uint32_t kind;   // PTL_NI_... options.
    uint32_t nid;
    uint32_t pid;
    uint32_t uid;
  };

  // Opens an interface. Returns null if there is not enough memory.
  static std::unique_ptr<Interface> Open(const Identity& identity,
                                         const ptl_ni_limits_t& limits);

  const Identity& identity() const { return identity_; }
  const ptl_ni_limits_t& limits() const { return limits_; }
  PeerInterface& own() { return own_; }
  const View& view() const { return own_.view; }

  bool logical() const { return (identity_.kind & PTL_NI_LOGICAL) != 0; }
  bool matching() const { return (identity_.kind & PTL_NI_MATCHING) != 0; }
  // Returns the label by which peers find the interface's memory.
  std::string label() const {
    return LabelOf(identity_.nid, identity_.pid, identity_.kind);
  }
  int file() const { return region_.file(); }
  // Returns true if peers can map files that this process has open.
  bool peers_can_map() const { return peers_can_map_; }
  bool allows_inaccessible() const {
    return (limits_.features & PTL_TARGET_BIND_INACCESSIBLE) != 0;
  }

  // Returns this process's identifier as peers see it: a rank, or a node and a
  // process.
  uint64_t initiator() const {
    return initiator_.load(std::memory_order_relaxed);
  }

  void SetMap(const ptl_process_t* mapping, size_t size);
  // Returns the map of ranks, or null before SetMap.
  const std::vector<ptl_process_t>* map() const;

  // Stores the physical identifier of a target in `physical`. Returns false if
  // the target is a rank that is not in the map.
  bool Resolve(ptl_process_t target, uint64_t& physical) const {
    if (!logical()) {
      physical = PackPhysical(target.phys.nid, target.phys.pid);
      return true;
    }
    const RankMap* const map = map_.load(std::memory_order_acquire);
    if (map == nullptr || target.rank >= map->ids.size()) return false;
    const ptl_process_t id = map->ids[target.rank];
    physical = PackPhysical(id.phys.nid, id.phys.pid);
    return true;
  }
  // Returns the peer of a target that Resolve has resolved to `physical`, or
  // null if the target process does not exist.
  PeerInterface* Find(ptl_process_t target, uint64_t physical) {
    PeerInterface* const peer =
        logical() ? Remembered(target.rank) : RememberedPhysical(physical);
    if (peer != nullptr && IsThere(peer->view)) [[likely]]
      return peer;
    return logical() ? FindRank(target.rank, physical) : FindPhysical(physical);
  }

  // Starts the helper thread if the system may deny peers access to this
  // process's memory, or if the interface has PTL_COHERENT_ATOMICS. Called
  // before the first use of memory that peers cannot map.
  void OfferHelp();

  void Close();

  // Guarded by the library's lock.
  uint32_t uses = 0;

  absl::Mutex setup;
  uint32_t maps ABSL_GUARDED_BY(setup) = 0;  // MapRecords in use
  Arena events ABSL_GUARDED_BY(setup){kEventSlots};
  Arena iovs ABSL_GUARDED_BY(setup){kIovs};
  std::map<uint32_t, Arena::Block> queue_lines
      ABSL_GUARDED_BY(setup);  // Key: slot of the EqRecord.
  std::map<uint32_t, Arena::Block> md_iovs
      ABSL_GUARDED_BY(setup);  // Key: slot of the MdRecord.
  struct IovBlock {
    uint32_t slot;
    uint32_t generation;
    Arena::Block elements;
  };
  std::vector<IovBlock> entry_iovs
      ABSL_GUARDED_BY(setup);  // Peers may free the entries' slots.

  // Counts calls of PtlEQPoll and PtlCTPoll. Each call uses the count to begin
  // with a different queue or counter.
  std::atomic<uint32_t> turn{0};
  std::atomic<uint32_t> bundles{0};  // Bundles that have begun and not ended.
  // The time at which a waiting thread last looked for work that dead processes
  // have left undone.
  std::atomic<int64_t> looked{0};
  // The number of threads that have armed the doorbell and sleep, or are about
  // to sleep.
  std::atomic<uint32_t> sleepers{0};
  // Returns true if a thread sleeps and no other thread has woken it yet.
  bool IsAsleep() const {
    return sleepers.load(std::memory_order_relaxed) > 0 &&
           view().header().doorbell.armed.load(std::memory_order_relaxed) != 0;
  }

 private:
  struct RankMap {
    std::vector<ptl_process_t> ids;
    std::unique_ptr<std::atomic<PeerInterface*>[]> peers;
  };
  struct Known {
    uint64_t physical;
    PeerInterface* peer;
  };

  Interface(const Identity& identity, const ptl_ni_limits_t& limits,
            Region region);

  // Return a peer that was found before, or null. The peer's process may have
  // ended.
  PeerInterface* Remembered(ptl_rank_t rank) const {
    const RankMap* const map = map_.load(std::memory_order_acquire);
    return map != nullptr && rank < map->ids.size()
               ? map->peers[rank].load(std::memory_order_acquire)
               : nullptr;
  }
  PeerInterface* RememberedPhysical(uint64_t physical) const {
    const Known* const known =
        known_[PlaceOf(physical)].load(std::memory_order_acquire);
    return known != nullptr && known->physical == physical ? known->peer
                                                           : nullptr;
  }
  static constexpr size_t PlaceOf(uint64_t physical) {
    return (physical >> 32) % kKnownPeers;
  }

  PeerInterface* FindRank(ptl_rank_t rank, uint64_t physical);
  PeerInterface* FindPhysical(uint64_t physical);

  const Identity identity_;
  const ptl_ni_limits_t limits_;
  const bool peers_can_map_ = !IsShut();
  Region region_;
  Helper helper_;  // Destroyed before region_, because it uses region_.
  std::atomic<bool> offered_{false};
  PeerInterface own_;
  std::atomic<uint64_t> initiator_;
  std::atomic<const RankMap*> map_{nullptr};
  std::vector<std::unique_ptr<const RankMap>> maps_made_;
  // A cache without a lock. Each place (PlaceOf) has the peer of this place
  // that was found last.
  std::atomic<const Known*> known_[kKnownPeers] = {};
  // All peers found, by physical identifier. Two of these peers may share a
  // place of known_.
  std::map<uint64_t, const Known*> known_now_;
  std::vector<std::unique_ptr<const Known>> known_made_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_API_INTERFACE_H_
