#include "portals/engine/view.h"

namespace gasnet::portals4 {
namespace {

// Returns a function that gives a pool the link word of each slot of an array.
template <class Record>
auto LinkOf(Record* records) {
  return [records](uint32_t slot) -> std::atomic<uint32_t>& {
    return records[slot].next;
  };
}

}  // namespace

View::View(void* memory, const Counts& counts) : counts_(counts) {
  auto* const base = static_cast<std::byte*>(memory);
  const RegionLayout layout(counts);
  header_ = static_cast<RegionHeader*>(memory);
  pts_ = reinterpret_cast<PtRecord*>(base + layout.pts());
  atomics_ = reinterpret_cast<AtomicLockLine*>(base + layout.atomics());
  flights_ = reinterpret_cast<FlightRecord*>(base + layout.flights());
  maps_ = reinterpret_cast<MapRecord*>(base + layout.maps());
  cts_ = reinterpret_cast<CtRecord*>(base + layout.cts());
  mds_ = reinterpret_cast<MdRecord*>(base + layout.mds());
  eqs_ = reinterpret_cast<EqRecord*>(base + layout.eqs());
  entries_ = reinterpret_cast<EntryRecord*>(base + layout.entries());
  unexpected_ = reinterpret_cast<Unexpected*>(base + layout.unexpected());
  triggers_ = reinterpret_cast<TriggerRecord*>(base + layout.triggers());
  iovs_ = reinterpret_cast<IovRecord*>(base + layout.iovs());
  events_ = reinterpret_cast<EventSlot*>(base + layout.events());
  help_area_ = base + layout.help();
}

uint32_t View::TakeEntry() const {
  return header_->entry_pool.Take(counts_.entries, LinkOf(entries_));
}
void View::GiveEntry(uint32_t slot) const {
  header_->entry_pool.Give(slot, LinkOf(entries_));
}
uint32_t View::TakeUnexpected() const {
  return header_->unexpected_pool.Take(counts_.unexpected, LinkOf(unexpected_));
}
void View::GiveUnexpected(uint32_t slot) const {
  header_->unexpected_pool.Give(slot, LinkOf(unexpected_));
}
uint32_t View::TakeMd() const {
  return header_->md_pool.Take(counts_.mds, LinkOf(mds_));
}
void View::GiveMd(uint32_t slot) const {
  header_->md_pool.Give(slot, LinkOf(mds_));
}
uint32_t View::TakeEq() const {
  return header_->eq_pool.Take(counts_.eqs, LinkOf(eqs_));
}
void View::GiveEq(uint32_t slot) const {
  header_->eq_pool.Give(slot, LinkOf(eqs_));
}
uint32_t View::TakeCt() const {
  return header_->ct_pool.Take(counts_.cts, LinkOf(cts_));
}
void View::GiveCt(uint32_t slot) const {
  header_->ct_pool.Give(slot, LinkOf(cts_));
}
uint32_t View::TakeTrigger() const {
  return header_->trigger_pool.Take(counts_.triggers, LinkOf(triggers_));
}
void View::GiveTrigger(uint32_t slot) const {
  header_->trigger_pool.Give(slot, LinkOf(triggers_));
}

}  // namespace gasnet::portals4
