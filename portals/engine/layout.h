// The layout of the records in an interface's shared memory. The layout follows
// from the number of records of each kind, so the owner and its peers compute
// the same one. A peer refuses memory with more records than kMaxCounts, and
// memory that is too small for its records.
//
// The shared file is sparse: untouched memory costs nothing.
#ifndef PORTALS_ENGINE_LAYOUT_H_
#define PORTALS_ENGINE_LAYOUT_H_

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "base/round_up.h"
#include "core/hostshm/doorbell.h"
#include "portals/engine/pool.h"
#include "portals/engine/records.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

struct Counts {
  uint32_t pts;
  uint32_t entries;
  uint32_t unexpected;
  uint32_t mds;
  uint32_t eqs;
  uint32_t cts;
  uint32_t triggers;
};

// The maximum numbers of records. Kinds that are not listed here have fixed
// numbers of records (tuning.h).
inline constexpr Counts kMaxCounts = {
    .pts = 256,
    .entries = EntryRef::kMaxSlots,
    .unexpected = 65536,
    .mds = ObjectRef::kMaxSlots,
    .eqs = 1024,
    .cts = ObjectRef::kMaxSlots,
    .triggers = 65536,
};

// The version of the layout. Change it whenever a record changes. Programs with
// different layouts then do not attach to each other's memory.
inline constexpr uint32_t kRegionVersion = 0x50340006;

// The header at the beginning of the shared memory.
struct RegionHeader {
  enum State : uint32_t { kNotReady, kReady, kGone };

  // A robust mutex. One thread of the owner holds it from kReady on. When that
  // thread ends, the kernel marks the mutex.
  pthread_mutex_t life;
  std::atomic<uint32_t> state;
  uint32_t version;
  // The time at which a peer last found that the owner lives although the
  // thread that held `life` has ended. 0: no peer has checked.
  std::atomic<int64_t> seen_alive;

  // The fields from here up to `doorbell` do not change once the state is
  // kReady.
  alignas(64) ProcessWord owner;
  uint32_t uid;
  uint32_t nid;
  uint32_t pid;
  uint32_t kind;
  uint32_t max_list_size;
  uint32_t coherent;  // 1: the interface has PTL_COHERENT_ATOMICS
  Counts counts;

  alignas(64) hostshm::Doorbell doorbell;

  alignas(64) std::atomic<uint32_t> status[3];  // indexed by ptl_sr_index_t

  HelpDesk help;

  alignas(64) SlotPool entry_pool;
  alignas(64) SlotPool unexpected_pool;
  alignas(64) SlotPool md_pool;
  alignas(64) SlotPool eq_pool;
  alignas(64) SlotPool ct_pool;
  alignas(64) SlotPool trigger_pool;
};
static_assert(sizeof(pthread_mutex_t) <= 48);

class RegionLayout {
 public:
  explicit constexpr RegionLayout(const Counts& counts) : counts_(counts) {}

  static constexpr bool AreAcceptable(const Counts& counts) {
    return counts.pts <= kMaxCounts.pts &&
           counts.entries <= kMaxCounts.entries &&
           counts.unexpected <= kMaxCounts.unexpected &&
           counts.mds <= kMaxCounts.mds && counts.eqs <= kMaxCounts.eqs &&
           counts.cts <= kMaxCounts.cts &&
           counts.triggers <= kMaxCounts.triggers;
  }

  constexpr const Counts& counts() const { return counts_; }

  // Return the offsets of the arrays, in the order of the arrays in memory. In
  // arrays that are addressed by slot, slot 0 is unused.
  constexpr size_t pts() const { return Page(sizeof(RegionHeader)); }
  constexpr size_t atomics() const {
    return pts() + counts_.pts * sizeof(PtRecord);
  }
  constexpr size_t flights() const {
    return Page(atomics() + kAtomicLocks * kCacheLine);
  }
  constexpr size_t maps() const {
    return flights() + kFlights * sizeof(FlightRecord);
  }
  constexpr size_t cts() const { return Page(maps() + kMaps * kCacheLine); }
  constexpr size_t mds() const {
    return Page(cts() + Slots<CtRecord>(counts_.cts));
  }
  constexpr size_t eqs() const {
    return Page(mds() + Slots<MdRecord>(counts_.mds));
  }
  constexpr size_t entries() const {
    return Page(eqs() + Slots<EqRecord>(counts_.eqs));
  }
  constexpr size_t unexpected() const {
    return Page(entries() + Slots<EntryRecord>(counts_.entries));
  }
  constexpr size_t triggers() const {
    return Page(unexpected() + Slots<Unexpected>(counts_.unexpected));
  }
  constexpr size_t iovs() const {
    return Page(triggers() + Slots<TriggerRecord>(counts_.triggers));
  }
  constexpr size_t events() const {
    return Page(iovs() + kIovs * sizeof(IovRecord));
  }
  constexpr size_t help() const {
    return Page(events() + kEventSlots * sizeof(EventSlot));
  }
  constexpr size_t total() const { return help() + kHelpBytes; }

 private:
  static constexpr size_t Page(size_t bytes) { return RoundUp(bytes, 4096); }
  template <class Record>
  static constexpr size_t Slots(uint32_t count) {
    return (size_t{count} + 1) * sizeof(Record);
  }

  Counts counts_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_LAYOUT_H_
