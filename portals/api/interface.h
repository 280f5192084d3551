// A network interface of this process.
//
// Its tables lie in shared memory, which peers work on as well (engine/). Here
// is what nobody else needs: identities, the map of ranks and the peers found
// through it, and what of the shared memory is given out by the owner alone
// (lines of event queues, elements of iovecs, records of mappings).
//
// `setup` protects the latter. Peers are found without a lock once they are
// known; what was found stays until the library is closed, so that a thread
// that still uses it is safe.
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

// Ranges of an array in shared memory that only its owner gives out.
class Arena {
 public:
  explicit Arena(uint32_t size) : free_{{0, size}} {}

  struct Block {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  std::optional<uint32_t> Take(uint32_t size);
  // The block is as the owner remembers it: one that any process could have
  // written would be given out again.
  void Give(Block block);

 private:
  std::map<uint32_t, uint32_t> free_;  // size by start, never adjacent
};

class Interface {
 public:
  struct Identity {
    uint32_t index;  // among the library's
    uint32_t kind;   // ptl options
    uint32_t nid;
    uint32_t pid;
    uint32_t uid;
  };

  // Null where there is no memory.
  static std::unique_ptr<Interface> Open(const Identity& identity,
                                         const ptl_ni_limits_t& limits);

  const Identity& identity() const { return identity_; }
  const ptl_ni_limits_t& limits() const { return limits_; }
  Peer& own() { return own_; }
  const View& view() const { return own_.view; }

  bool logical() const { return (identity_.kind & PTL_NI_LOGICAL) != 0; }
  bool matching() const { return (identity_.kind & PTL_NI_MATCHING) != 0; }
  // Of its memory, for peers.
  std::string label() const {
    return LabelOf(identity_.nid, identity_.pid, identity_.kind);
  }
  int file() const { return region_.file(); }
  // Whether peers can map files that this process has open.
  bool peers_can_map() const { return peers_can_map_; }
  bool allows_inaccessible() const {
    return (limits_.features & PTL_TARGET_BIND_INACCESSIBLE) != 0;
  }

  // Ourselves as peers are told: a rank, or node and process.
  uint64_t initiator() const {
    return initiator_.load(std::memory_order_relaxed);
  }

  void SetMap(const ptl_process_t* mapping, size_t size);
  // Null before SetMap.
  const std::vector<ptl_process_t>* map() const;

  // The physical identifier of a target; false for a rank that is not in the
  // map.
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
  // The peer that a resolved target names, or null: nobody there.
  Peer* Find(ptl_process_t target, uint64_t physical) {
    Peer* const peer =
        logical() ? Remembered(target.rank) : RememberedPhysical(physical);
    if (peer != nullptr && IsThere(peer->view)) [[likely]]
      return peer;
    return logical() ? FindRank(target.rank, physical) : FindPhysical(physical);
  }

  // Memory that peers cannot map is in use: whoever may be refused it is
  // helped.
  void OfferHelp();

  void Close();

  // Under the lock of the library.
  uint32_t uses = 0;

  absl::Mutex setup;
  uint32_t maps ABSL_GUARDED_BY(setup) = 0;  // MapRecords in use
  Arena events ABSL_GUARDED_BY(setup){kEventSlots};
  Arena iovs ABSL_GUARDED_BY(setup){kIovs};
  std::map<uint32_t, Arena::Block> queue_lines
      ABSL_GUARDED_BY(setup);  // by slot of EqRecord
  std::map<uint32_t, Arena::Block> md_iovs
      ABSL_GUARDED_BY(setup);  // by slot of MdRecord
  struct IovBlock {
    uint32_t slot;
    uint32_t generation;
    Arena::Block elements;
  };
  std::vector<IovBlock> entry_iovs
      ABSL_GUARDED_BY(setup);  // of entries, which others may free

  // Queues take turns in PtlEQPoll, counters in PtlCTPoll.
  std::atomic<uint32_t> turn{0};
  std::atomic<uint32_t> bundles{0};  // begun and not ended
  // When a thread that waits last looked for what the dead have left.
  std::atomic<int64_t> looked{0};
  // Threads that have armed the doorbell and sleep, or are on their way.
  std::atomic<uint32_t> sleepers{0};
  // Whether one sleeps that nobody has woken yet.
  bool IsAsleep() const {
    return sleepers.load(std::memory_order_relaxed) > 0 &&
           view().header().doorbell.armed.load(std::memory_order_relaxed) != 0;
  }

 private:
  struct RankMap {
    std::vector<ptl_process_t> ids;
    std::unique_ptr<std::atomic<Peer*>[]> peers;
  };
  struct Known {
    uint64_t physical;
    Peer* peer;
  };

  Interface(const Identity& identity, const ptl_ni_limits_t& limits,
            Region region);

  // Those that were found before, who may be gone; or null.
  Peer* Remembered(ptl_rank_t rank) const {
    const RankMap* const map = map_.load(std::memory_order_acquire);
    return map != nullptr && rank < map->ids.size()
               ? map->peers[rank].load(std::memory_order_acquire)
               : nullptr;
  }
  Peer* RememberedPhysical(uint64_t physical) const {
    const Known* const known =
        known_[PlaceOf(physical)].load(std::memory_order_acquire);
    return known != nullptr && known->physical == physical ? known->peer
                                                           : nullptr;
  }
  static constexpr size_t PlaceOf(uint64_t physical) {
    return (physical >> 32) % kKnownPeers;
  }

  Peer* FindRank(ptl_rank_t rank, uint64_t physical);
  Peer* FindPhysical(uint64_t physical);

  const Identity identity_;
  const ptl_ni_limits_t limits_;
  const bool peers_can_map_ = !IsShut();
  Region region_;
  Helper helper_;  // before its region goes
  std::atomic<bool> offered_{false};
  Peer own_;
  std::atomic<uint64_t> initiator_;
  std::atomic<const RankMap*> map_{nullptr};
  std::vector<std::unique_ptr<const RankMap>> maps_made_;
  // By process, the last one found.
  std::atomic<const Known*> known_[kKnownPeers] = {};
  // By physical identifier: two may take turns in a place of known_.
  std::map<uint64_t, const Known*> known_now_;
  std::vector<std::unique_ptr<const Known>> known_made_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_API_INTERFACE_H_
