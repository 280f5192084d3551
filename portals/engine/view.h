// The shared memory of one interface, as one process sees it. The interface
// belongs to that process or to a peer. Access to a record by its number is
// checked: a number beyond the count of records gives null. The process has
// read and accepted these counts once.
//
// A View is copyable and owns nothing. The mapping lives until the library is
// closed.
#ifndef PORTALS_ENGINE_VIEW_H_
#define PORTALS_ENGINE_VIEW_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "portals/engine/layout.h"
#include "portals/engine/records.h"

namespace gasnet::portals4 {

class View {
 public:
  View() = default;
  View(void* memory, const Counts& counts);

  RegionHeader& header() const { return *header_; }
  const Counts& counts() const { return counts_; }

  PtRecord* Pt(uint32_t index) const {
    return index < counts_.pts ? pts_ + index : nullptr;
  }
  EntryRecord* EntryAt(uint32_t slot) const {
    return At(entries_, slot, counts_.entries);
  }
  Unexpected* UnexpectedAt(uint32_t slot) const {
    return At(unexpected_, slot, counts_.unexpected);
  }
  MdRecord* MdAt(uint32_t slot) const { return At(mds_, slot, counts_.mds); }
  EqRecord* EqAt(uint32_t slot) const { return At(eqs_, slot, counts_.eqs); }
  CtRecord* CtAt(uint32_t slot) const { return At(cts_, slot, counts_.cts); }
  TriggerRecord* TriggerAt(uint32_t slot) const {
    return At(triggers_, slot, counts_.triggers);
  }
  // Return the live object of a Ref. They return null if the Ref is kNoRef,
  // stale, or garbage.
  MdRecord* Md(Ref ref) const {
    return Live<ObjectRef>(mds_, ref, counts_.mds);
  }
  EqRecord* Eq(Ref ref) const {
    return Live<ObjectRef>(eqs_, ref, counts_.eqs);
  }
  CtRecord* Ct(Ref ref) const {
    return Live<ObjectRef>(cts_, ref, counts_.cts);
  }

  // Return the number of a record of this view: a slot, or an index of a portal
  // table entry.
  uint32_t SlotOf(const EntryRecord& entry) const {
    return static_cast<uint32_t>(&entry - entries_);
  }
  uint32_t SlotOf(const CtRecord& ct) const {
    return static_cast<uint32_t>(&ct - cts_);
  }
  uint32_t IndexOf(const PtRecord& pt) const {
    return static_cast<uint32_t>(&pt - pts_);
  }

  // Return the first and the second cache line of event number `index` of a
  // queue.
  EventSlot* Event(const EqRecord& eq, uint64_t index) const {
    const uint64_t at = eq.ring + (index & (eq.slots - 1));
    return at < kEventSlots ? events_ + at : nullptr;
  }
  EventSlot* EventRest(const EqRecord& eq, uint64_t index) const {
    const uint64_t at = uint64_t{eq.ring} + eq.slots + (index & (eq.slots - 1));
    return at < kEventSlots ? events_ + at : nullptr;
  }
  EventSlot* events() const { return events_; }
  // Returns the area of kHelpBytes through which a helper passes data
  // (memory/help.h).
  std::byte* help_area() const { return help_area_; }

  FlightRecord& Flight(uint32_t index) const {
    return flights_[index % kFlights];
  }
  SharedLock& AtomicLock(uint64_t address) const {
    return atomics_[(address / kAtomicUnit) % kAtomicLocks].lock;
  }
  MapRecord* Map(uint32_t index) const {
    return index < kMaps ? maps_ + index : nullptr;
  }
  // Returns `count` records from `first` on, or null if they are out of range.
  IovRecord* Iovs(uint32_t first, uint32_t count) const {
    return first <= kIovs && count <= kIovs - first ? iovs_ + first : nullptr;
  }

  std::atomic<uint32_t>& Register(uint32_t index) const {
    return header_->status[index % 3];
  }

  uint32_t TakeEntry() const;
  void GiveEntry(uint32_t slot) const;
  uint32_t TakeUnexpected() const;
  void GiveUnexpected(uint32_t slot) const;
  uint32_t TakeMd() const;
  void GiveMd(uint32_t slot) const;
  uint32_t TakeEq() const;
  void GiveEq(uint32_t slot) const;
  uint32_t TakeCt() const;
  void GiveCt(uint32_t slot) const;
  uint32_t TakeTrigger() const;
  void GiveTrigger(uint32_t slot) const;

 private:
  struct alignas(64) AtomicLockLine {
    SharedLock lock;
  };

  template <class Record>
  static Record* At(Record* records, uint32_t slot, uint32_t count) {
    return slot - 1 < count ? records + slot : nullptr;
  }
  template <class Format, class Record>
  static Record* Live(Record* records, Ref ref, uint32_t count) {
    Record* const record = At(records, Format::Slot(ref), count);
    return record != nullptr && Format::IsLive(ref, record->slot) ? record
                                                                  : nullptr;
  }

  RegionHeader* header_ = nullptr;
  PtRecord* pts_ = nullptr;
  AtomicLockLine* atomics_ = nullptr;
  FlightRecord* flights_ = nullptr;
  MapRecord* maps_ = nullptr;
  CtRecord* cts_ = nullptr;
  MdRecord* mds_ = nullptr;
  EqRecord* eqs_ = nullptr;
  EntryRecord* entries_ = nullptr;
  Unexpected* unexpected_ = nullptr;
  TriggerRecord* triggers_ = nullptr;
  IovRecord* iovs_ = nullptr;
  EventSlot* events_ = nullptr;
  std::byte* help_area_ = nullptr;
  Counts counts_ = {};
};

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_VIEW_H_
