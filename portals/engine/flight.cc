#include "portals/engine/flight.h"

#include "portals/engine/entries.h"
#include "portals/engine/event_queue.h"
#include "portals/memory/help.h"

namespace gasnet::portals4 {
namespace {

void Decrease(uint32_t& count) {
  if (count > 0) --count;
}

// Returns true if the flight's process is dead and its portal table entry is
// broken. No other process will end such a flight.
bool IsForgotten(const View& view, const FlightRecord& flight, uint64_t mover) {
  const PtRecord* const pt =
      view.Pt(flight.pt.load(std::memory_order_relaxed) - 1);
  return (pt == nullptr || pt->lock.IsBroken()) && !IsAlive(mover);
}

bool TakeRecord(FlightRecord& flight, uint64_t from) {
  return flight.mover.compare_exchange_strong(from, ThisProcess(),
                                              std::memory_order_acq_rel,
                                              std::memory_order_relaxed);
}

// Takes a free record, or the record of a forgotten flight. Returns null if
// there is none.
FlightRecord* FindRecord(const View& view) {
  thread_local uint32_t start = 0;
  for (uint32_t i = 0; i < kFlights; ++i) {
    FlightRecord& flight = view.Flight(start + i);
    if (flight.mover.load(std::memory_order_relaxed) != 0 ||
        !TakeRecord(flight, 0)) {
      continue;
    }
    start = (start + i) % kFlights;
    return &flight;
  }
  for (uint32_t i = 0; i < kFlights; ++i) {
    FlightRecord& flight = view.Flight(i);
    const uint64_t mover = flight.mover.load(std::memory_order_acquire);
    if (mover != 0 && IsForgotten(view, flight, mover) &&
        TakeRecord(flight, mover)) {
      return &flight;
    }
  }
  return nullptr;
}

}  // namespace

FlightRecord* TakeOff(PeerInterface& target, const ClaimedEntry& claim) {
  FlightRecord* const flight = FindRecord(target.view);
  if (flight == nullptr) return nullptr;
  flight->header.store(claim.header, std::memory_order_relaxed);
  flight->entry.store(target.view.SlotOf(*claim.entry),
                      std::memory_order_relaxed);
  flight->reserved.store(claim.reserved, std::memory_order_relaxed);
  ++claim.pt->flights;
  ++claim.entry->flights;
  flight->pt.store(target.view.IndexOf(*claim.pt) + 1,
                   std::memory_order_release);
  return flight;
}

void Land(PtRecord& pt, EntryRecord& entry) {
  Decrease(pt.flights);
  Decrease(entry.flights);
}

void LandFlight(PtRecord& pt, EntryRecord& entry, FlightRecord& flight) {
  Land(pt, entry);
  FreeFlight(flight);
}

void FreeFlight(FlightRecord& flight) {
  flight.pt.store(0, std::memory_order_relaxed);
  flight.mover.store(0, std::memory_order_release);
}

bool HasFlight(const View& view, const PtRecord& pt) {
  const uint32_t mark = view.IndexOf(pt) + 1;
  for (uint32_t i = 0; i < kFlights; ++i) {
    const FlightRecord& flight = view.Flight(i);
    if (flight.mover.load(std::memory_order_acquire) != 0 &&
        flight.pt.load(std::memory_order_acquire) == mark) {
      return true;
    }
  }
  return false;
}

bool EndDeadFlights(PeerInterface& target, PtRecord& pt) {
  // Ends no flight while peers want help: a helper thread may still write bytes
  // that a dead process requested.
  if (HelpIsWanted(target.view)) {
    Helper::StartWhereWanted();
    return false;
  }
  const uint32_t index = target.view.IndexOf(pt);
  for (uint32_t i = 0; i < kFlights; ++i) {
    FlightRecord& flight = target.view.Flight(i);
    const uint64_t mover = flight.mover.load(std::memory_order_acquire);
    if (mover == 0 || flight.pt.load(std::memory_order_acquire) != index + 1 ||
        IsAlive(mover)) {
      continue;
    }
    EntryRecord* const entry =
        target.view.EntryAt(flight.entry.load(std::memory_order_relaxed));
    const uint32_t slot = flight.header.load(std::memory_order_relaxed);
    // A faulty process has overwritten the record.
    if (entry == nullptr) {
      Decrease(pt.flights);
      FreeFlight(flight);
      continue;
    }
    uint32_t reserved = flight.reserved.load(std::memory_order_relaxed);
    LandFlight(pt, *entry, flight);
    if (target.view.UnexpectedAt(slot) != nullptr) {
      UnlinkHeader(target.view, pt.headers, slot);
      target.view.GiveUnexpected(slot);
      Decrease(entry->headers);
    }
    Settle(target, pt, *entry, reserved);
    if (reserved > 0) GiveBack(target.view, pt, reserved);
  }
  return true;
}

void EndDeadFlights(PeerInterface& own) {
  for (uint32_t i = 0; i < kFlights; ++i) {
    const FlightRecord& flight = own.view.Flight(i);
    const uint64_t mover = flight.mover.load(std::memory_order_acquire);
    if (mover == 0 || mover == ThisProcess() || IsAlive(mover)) continue;
    PtRecord* const pt =
        own.view.Pt(flight.pt.load(std::memory_order_acquire) - 1);
    if (pt == nullptr || !pt->lock.TryAcquire()) continue;
    EndDeadFlights(own, *pt);
    pt->lock.Release();
  }
}

}  // namespace gasnet::portals4
