#include "portals/engine/flight.h"

#include "portals/engine/entries.h"
#include "portals/memory/help.h"

namespace gasnet::portals4 {
namespace {

void Decrease(uint32_t& count) {
  if (count > 0) --count;
}

}  // namespace

FlightRecord* TakeOff(Peer& target, const ClaimedEntry& claim) {
  thread_local uint32_t start = 0;
  for (uint32_t i = 0; i < kFlights; ++i) {
    FlightRecord& flight = target.view.Flight(start + i);
    uint64_t free = 0;
    if (flight.mover.load(std::memory_order_relaxed) != 0 ||
        !flight.mover.compare_exchange_strong(free, ThisProcess(),
                                              std::memory_order_acq_rel,
                                              std::memory_order_relaxed)) {
      continue;
    }
    start = (start + i) % kFlights;
    flight.pt.store(target.view.IndexOf(*claim.pt), std::memory_order_relaxed);
    flight.header.store(claim.header, std::memory_order_relaxed);
    flight.entry.store(target.view.SlotOf(*claim.entry),
                       std::memory_order_relaxed);
    ++claim.pt->flights;
    ++claim.entry->flights;
    return &flight;
  }
  return nullptr;
}

void Land(const ClaimedEntry& claim) {
  Decrease(claim.pt->flights);
  Decrease(claim.entry->flights);
}

void LandFlight(const ClaimedEntry& claim, FlightRecord& flight) {
  Land(claim);
  flight.mover.store(0, std::memory_order_release);
}

void EndDeadFlights(Peer& target, PtRecord& pt) {
  // The bytes that a dead process asked for are written yet.
  if (HelpIsWanted(target.view)) {
    Helper::StartWhereWanted();
    return;
  }
  const uint32_t index = target.view.IndexOf(pt);
  for (uint32_t i = 0; i < kFlights; ++i) {
    FlightRecord& flight = target.view.Flight(i);
    const uint64_t mover = flight.mover.load(std::memory_order_acquire);
    if (mover == 0 || flight.pt.load(std::memory_order_relaxed) != index ||
        IsAlive(mover)) {
      continue;
    }
    ClaimedEntry claim;
    claim.pt = &pt;
    claim.entry =
        target.view.EntryAt(flight.entry.load(std::memory_order_relaxed));
    const uint32_t slot = flight.header.load(std::memory_order_relaxed);
    if (claim.entry == nullptr) continue;
    LandFlight(claim, flight);
    if (target.view.UnexpectedAt(slot) != nullptr) {
      UnlinkHeader(target.view, pt.headers, slot);
      target.view.GiveUnexpected(slot);
      Decrease(claim.entry->headers);
    }
    uint32_t reserved = 0;
    Settle(target, pt, *claim.entry, reserved);
  }
}

}  // namespace gasnet::portals4
