#include "portals/engine/append.h"

#include <sched.h>

#include <atomic>

#include "absl/base/thread_annotations.h"
#include "base/clock.h"
#include "portals/engine/claim.h"
#include "portals/engine/due.h"
#include "portals/engine/entries.h"
#include "portals/engine/event_queue.h"
#include "portals/engine/flight.h"
#include "portals/memory/help.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

std::atomic<void (*)()> idle_now{nullptr};

// Returns the overflow variant of an event type: PTL_EVENT_PUT_OVERFLOW for
// PTL_EVENT_PUT.
uint32_t OverflowEvent(uint32_t event) { return event + 1; }

void PostHeader(PeerInterface& own, const PtRecord& pt,
                const EntryRecord& probe, const Unexpected& header,
                uint32_t type) {
  if (Has(probe, PTL_ME_EVENT_OVER_DISABLE) ||
      (header.fail == PTL_NI_OK && Has(probe, PTL_ME_EVENT_SUCCESS_DISABLE))) {
    return;
  }
  Event event;
  event.type = type;
  event.list = PTL_OVERFLOW_LIST;
  event.fail = header.fail;
  event.pt = own.view.IndexOf(pt);
  event.operation = header.operation;
  event.datatype = header.datatype;
  event.uid = header.uid;
  event.start = header.start;
  event.user_ptr = probe.user_ptr;
  event.hdr_data = header.hdr_data;
  event.match_bits = header.match_bits;
  event.rlength = header.rlength;
  event.mlength = header.mlength;
  event.remote_offset = header.remote_offset;
  event.initiator = header.initiator;
  Post(own.view, pt.queue(), event);
}

void CountHeader(PeerInterface& own, const EntryRecord& probe,
                 const Unexpected& header) {
  if (!Has(probe, PTL_ME_EVENT_CT_OVERFLOW)) return;
  if (header.fail != PTL_NI_OK) {
    Count(own, probe.ct, 0, 1);
  } else {
    Count(own, probe.ct, Has(probe, PTL_ME_EVENT_CT_BYTES) ? header.mlength : 1,
          0);
  }
}

// Takes a header out of the list. The entry that holds the header's data may be
// free afterwards.
void RemoveHeader(PeerInterface& own, PtRecord& pt, uint32_t slot)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  const uint32_t entry_slot = own.view.UnexpectedAt(slot)->entry;
  UnlinkHeader(own.view, pt.headers, slot);
  own.view.GiveUnexpected(slot);
  if (EntryRecord* const entry = own.view.EntryAt(entry_slot)) {
    if (entry->headers > 0) --entry->headers;
    uint32_t reserved = 0;
    Settle(own, pt, *entry, reserved);
  }
}

// Searches the list from `slot` on. Returns the first header that the probe
// matches, or 0.
uint32_t FindHeader(PeerInterface& own, const EntryRecord& probe,
                    uint32_t slot) {
  for (uint32_t steps = own.view.counts().unexpected; steps > 0; --steps) {
    const Unexpected* const header = own.view.UnexpectedAt(slot);
    if (header == nullptr) return 0;
    if (Accepts(probe, header->match_bits, header->initiator, header->rlength,
                header->remote_offset)) {
      return slot;
    }
    slot = header->next.load(std::memory_order_relaxed);
  }
  return 0;
}

enum class MoveStatus {
  kNever,  // memory is corrupted: no process moves the data
  kEnded,  // this thread has ended the dead mover's move
  kLater,  // the lock was free for a moment: the list may have changed
};

// Releases the lock for a moment. Afterwards the caller must look at the lists
// again. Returns false, without the lock, if the lock is broken.
bool StepBack(PtRecord& pt) ABSL_UNLOCK_FUNCTION(pt.lock)
    ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, pt.lock) {
  pt.lock.Release();
  Helper::StartWhereWanted();
  if (void (*const idle)() = idle_now.load(std::memory_order_acquire)) idle();
  sched_yield();
  return pt.lock.Acquire(DeadHolder::kBreak);
}

// Waits until `flights` returns 0, or for kInUsePatience. The limit is needed:
// an operation may arrive in parts, or come from a stopped process. Calls
// StepBack while it waits. Returns false, without the lock, if the lock is
// broken.
template <class Flights>
bool WaitOutFlights(PeerInterface& own, PtRecord& pt, Flights flights)
    ABSL_UNLOCK_FUNCTION(pt.lock)
        ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, pt.lock) {
  if (flights() == 0) return true;
  const int64_t end = NowNanos() + kInUsePatience;
  for (;;) {
    EndDeadFlights(own, pt);
    if (flights() == 0 || NowNanos() >= end) return true;
    if (!StepBack(pt)) return false;
  }
}

// Lets the process that moves the header's data go on: releases the lock for a
// moment. If that process is dead, ends its move instead. Returns false,
// without the lock, if the lock is broken.
bool LetItArrive(PeerInterface& own, PtRecord& pt, const Unexpected& header,
                 MoveStatus& arrival) ABSL_UNLOCK_FUNCTION(pt.lock)
    ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, pt.lock) {
  const uint32_t before = pt.headers.count;
  if (!IsAlive(header.mover) && EndDeadFlights(own, pt)) {
    arrival =
        pt.headers.count < before ? MoveStatus::kEnded : MoveStatus::kNever;
    return true;
  }
  arrival = MoveStatus::kLater;
  return StepBack(pt);
}

// Gives a header to the entry. Returns true if that uses the entry up.
bool TakeHeader(PeerInterface& own, PtRecord& pt, EntryRecord& entry,
                uint32_t slot) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  const Unexpected& header = *own.view.UnexpectedAt(slot);
  PostHeader(own, pt, entry, header, OverflowEvent(header.event));
  CountHeader(own, entry, header);
  const bool uses_room = Has(entry, PTL_ME_LOCAL_INC_UH_RLENGTH);
  if (uses_room) entry.offset += header.rlength;
  RemoveHeader(own, pt, slot);
  return Has(entry, PTL_ME_USE_ONCE) ||
         (uses_room && entry.min_free > 0 &&
          RoomAt(entry, entry.offset) < entry.min_free);
}

// Gives `entry` the headers that it matches, until the entry is used up.
// Returns false, without the lock, if the lock is broken.
bool TakeHeaders(PeerInterface& own, PtRecord& pt, EntryRecord& entry,
                 bool& used_up) ABSL_UNLOCK_FUNCTION(pt.lock)
    ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, pt.lock) {
  // Bounded, so that the loop ends even if a list in corrupted memory never
  // becomes empty.
  uint32_t left = own.view.counts().unexpected;
  while (!used_up) {
    const uint32_t slot = FindHeader(own, entry, pt.headers.head);
    if (slot == 0 || left == 0) return true;
    --left;
    const Unexpected& header = *own.view.UnexpectedAt(slot);
    if (header.state != Unexpected::kMoving) {
      used_up = TakeHeader(own, pt, entry, slot);
      continue;
    }
    MoveStatus arrival = MoveStatus::kLater;
    if (!LetItArrive(own, pt, header, arrival)) return false;
    if (arrival == MoveStatus::kNever) return true;
    if (arrival == MoveStatus::kLater) left = own.view.counts().unexpected;
  }
  return true;
}

// Frees an entry that was used up before it was linked. Posts the same unlink
// event as for a linked entry.
void Discard(PeerInterface& own, PtRecord& pt, EntryRecord& entry)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  uint32_t none = 0;
  if (!Has(entry, PTL_ME_EVENT_UNLINK_DISABLE)) {
    PostEntryEvent(own, pt, PTL_EVENT_AUTO_UNLINK, entry, none);
  }
  entry.slot.Become(RecordPhase::kFree);
  own.view.GiveEntry(own.view.SlotOf(entry));
}

bool IsFull(const PeerInterface& own, const PtRecord& pt,
            const EntryRecord& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  return pt.lists[ListOf(entry)].count >= own.view.header().max_list_size;
}

int LinkAtEnd(PeerInterface& own, PtRecord& pt, EntryRecord& entry)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  // The append may have waited for a counter or for headers. Since the call
  // began, the portal table entry may have been freed.
  if (pt.state.load(std::memory_order_relaxed) == PtRecord::kFree) {
    return PTL_ARG_INVALID;
  }
  if (IsFull(own, pt, entry)) return PTL_NO_SPACE;
  List& list = pt.lists[ListOf(entry)];
  entry.slot.Become(RecordPhase::kLive);
  Link(own.view, list, entry);
  if (!Has(entry, PTL_ME_EVENT_LINK_DISABLE)) {
    uint32_t none = 0;
    PostEntryEvent(own, pt, PTL_EVENT_LINK, entry, none);
  }
  return PTL_OK;
}

// Reports the headers that the probe accepts, and counts them in `found`.
// Returns false, without the lock, if the lock is broken.
bool Search(PeerInterface& own, PtRecord& pt, const EntryRecord& probe,
            bool removes, uint32_t& found) ABSL_UNLOCK_FUNCTION(pt.lock)
    ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, pt.lock) {
  uint32_t from = pt.headers.head;
  // Bounded as in TakeHeaders.
  for (uint32_t left = own.view.counts().unexpected; left > 0; --left) {
    const uint32_t slot = FindHeader(own, probe, from);
    if (slot == 0) break;
    const Unexpected& header = *own.view.UnexpectedAt(slot);
    if (header.state == Unexpected::kMoving) {
      // No header may be reported twice. So a search waits and begins anew only
      // until it has found its first header. From then on the search skips
      // headers whose data has not arrived.
      if (found > 0 && !removes) {
        from = header.next.load(std::memory_order_relaxed);
        continue;
      }
      MoveStatus arrival = MoveStatus::kLater;
      if (!LetItArrive(own, pt, header, arrival)) return false;
      if (arrival == MoveStatus::kNever) break;
      if (arrival == MoveStatus::kLater)
        left = own.view.counts().unexpected + 1;
      from = pt.headers.head;
      continue;
    }
    ++found;
    PostHeader(
        own, pt, probe, header,
        removes ? OverflowEvent(header.event) : uint32_t{PTL_EVENT_SEARCH});
    CountHeader(own, probe, header);
    from = header.next.load(std::memory_order_relaxed);
    if (removes) RemoveHeader(own, pt, slot);
    if (Has(probe, PTL_ME_USE_ONCE)) break;
  }
  return true;
}

void PostNoMatch(PeerInterface& own, const PtRecord& pt,
                 const EntryRecord& probe) {
  Event event;
  event.type = PTL_EVENT_SEARCH;
  event.fail = PTL_NI_NO_MATCH;
  event.pt = own.view.IndexOf(pt);
  event.uid = own.view.header().uid;
  event.user_ptr = probe.user_ptr;
  Post(own.view, pt.queue(), event);
}

}  // namespace

void SetIdle(void (*idle)()) {
  idle_now.store(idle, std::memory_order_release);
}

int AppendEntry(PeerInterface& own, EntryRecord& entry) {
  PtRecord* const pt = own.view.Pt(entry.pt_list >> 1);
  if (pt == nullptr || !pt->lock.Acquire(DeadHolder::kBreak)) return PTL_FAIL;
  int result = PTL_NO_SPACE;
  // Checks for room first. Otherwise the entry would take headers and then fail
  // to be linked, and these headers would be lost.
  if (!IsFull(own, *pt, entry)) {
    bool used_up = false;
    if (ListOf(entry) == PTL_PRIORITY_LIST &&
        !TakeHeaders(own, *pt, entry, used_up)) {
      return PTL_FAIL;
    }
    if (used_up) Discard(own, *pt, entry);
    result = used_up ? PTL_OK : LinkAtEnd(own, *pt, entry);
  }
  pt->lock.Release();
  return result;
}

int SearchHeaders(PeerInterface& own, uint32_t pt_index,
                  const EntryRecord& probe, bool removes) {
  PtRecord* const pt = own.view.Pt(pt_index);
  if (pt == nullptr || !pt->lock.Acquire(DeadHolder::kBreak)) return PTL_FAIL;
  uint32_t found = 0;
  if (!Search(own, *pt, probe, removes, found)) return PTL_FAIL;
  if (found == 0) PostNoMatch(own, *pt, probe);
  const bool fails = found == 0 || !Has(probe, PTL_ME_USE_ONCE);
  if (Has(probe, PTL_ME_EVENT_CT_OVERFLOW) && fails) {
    Count(own, probe.ct, 0, 1);
  }
  pt->lock.Release();
  return PTL_OK;
}

int UnlinkEntry(PeerInterface& own, Ref ref) {
  const uint32_t slot = EntryRef::Slot(ref);
  EntryRecord* const found = own.view.EntryAt(slot);
  if (found == nullptr) return PTL_ARG_INVALID;
  EntryRecord& entry = *found;
  PtRecord* const pt = own.view.Pt(entry.pt_list >> 1);
  if (pt == nullptr || !pt->lock.Acquire(DeadHolder::kBreak)) return PTL_FAIL;
  // Counts flights only while the entry is live. A peer may have used the entry
  // up since its portal table entry was looked up.
  const auto flights = [&] {
    return EntryRef::IsLive(ref, entry.slot) ? entry.flights : 0;
  };
  if (!WaitOutFlights(own, *pt, flights)) return PTL_FAIL;
  int result = PTL_OK;
  if (!EntryRef::IsLive(ref, entry.slot)) {
    result = PTL_ARG_INVALID;
  } else if (entry.flights > 0 || entry.headers > 0) {
    result = PTL_IN_USE;
  } else {
    Unlink(own.view, pt->lists[ListOf(entry)], entry);
    entry.slot.Become(RecordPhase::kFree);
    own.view.GiveEntry(slot);
  }
  pt->lock.Release();
  return result;
}

int ClearLists(PeerInterface& own, PtRecord& pt) {
  if (!pt.lock.Acquire(DeadHolder::kBreak)) return PTL_OK;
  const auto has_entries = [&pt]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
    return pt.lists[0].head != 0 || pt.lists[1].head != 0;
  };
  const auto flights = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
    return has_entries() ? 0 : pt.flights;
  };
  if (!WaitOutFlights(own, pt, flights)) return PTL_OK;
  int result = PTL_OK;
  if (has_entries() || pt.flights > 0) {
    result = PTL_IN_USE;
  } else {
    pt.eq.store(kNoRef, std::memory_order_relaxed);
    for (uint32_t left = own.view.counts().unexpected; left > 0; --left) {
      // Reads the head only once: another process may change it after the
      // check.
      const uint32_t slot = pt.headers.head;
      if (own.view.UnexpectedAt(slot) == nullptr) break;
      RemoveHeader(own, pt, slot);
    }
    pt.state.store(PtRecord::kFree, std::memory_order_release);
  }
  pt.lock.Release();
  return result;
}

}  // namespace gasnet::portals4
