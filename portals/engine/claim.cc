#include "portals/engine/claim.h"

#include "absl/base/thread_annotations.h"
#include "portals/engine/due.h"
#include "portals/engine/entries.h"
#include "portals/engine/event_queue.h"

namespace gasnet::portals4 {
namespace {

uint32_t Refuse(const View& view, ptl_sr_index_t index, uint32_t fail) {
  view.Register(index).fetch_add(1, std::memory_order_relaxed);
  return fail;
}

bool Permits(const EntryRecord& entry, OperationKind kind) {
  const bool puts = kind != OperationKind::kGet;
  return (!puts || Has(entry, PTL_ME_OP_PUT)) &&
         (!Fetches(kind) || Has(entry, PTL_ME_OP_GET));
}

// Refuses a message for which there is no room or no matching entry. Disables
// the portal table entry if it has flow control. Returns the kind of failure.
uint32_t Exhausted(PeerInterface& target, PtRecord& pt,
                   const EntryRecord* entry)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  if ((pt.options & PTL_PT_FLOWCTRL) == 0) {
    return Refuse(target.view, PTL_SR_DROP_COUNT, PTL_NI_DROPPED);
  }
  pt.state.store(PtRecord::kDisabled, std::memory_order_relaxed);
  if (entry == nullptr || !Has(*entry, PTL_ME_EVENT_FLOWCTRL_DISABLE)) {
    Event event;
    event.type = PTL_EVENT_PT_DISABLED;
    event.fail = PTL_NI_PT_DISABLED;
    event.pt = target.view.IndexOf(pt);
    event.uid = target.view.header().uid;
    Post(target.view, pt.queue(), event);
  }
  return PTL_NI_PT_DISABLED;
}

bool LeavesHeader(const EntryRecord& entry) {
  return ListOf(entry) == PTL_OVERFLOW_LIST &&
         !Has(entry, PTL_ME_UNEXPECTED_HDR_DISABLE);
}

// Returns true if an operation of mlength bytes uses the entry up.
bool UsesUp(const EntryRecord& entry, uint64_t mlength) {
  if (Has(entry, PTL_ME_USE_ONCE)) return true;
  return Has(entry, PTL_ME_MANAGE_LOCAL) && entry.min_free > 0 &&
         RoomAt(entry, entry.offset + mlength) < entry.min_free;
}

uint32_t EventsOf(const EntryRecord& entry, bool used_up) {
  const uint32_t comm = Has(entry, PTL_ME_EVENT_COMM_DISABLE) ? 0 : 1;
  const uint32_t unlink =
      used_up && !Has(entry, PTL_ME_EVENT_UNLINK_DISABLE) ? 1 : 0;
  return comm + unlink;
}

// Reserves events if the portal table entry has flow control. The queue must
// then have room in advance. Returns false if the queue has no room.
bool ReserveEvents(PeerInterface& target, PtRecord& pt, uint32_t events,
                   ClaimedEntry& claim) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  if ((pt.options & PTL_PT_FLOWCTRL) == 0 || events == 0) return true;
  if (!Reserve(target.view, pt, events)) return false;
  claim.reserved = events;
  return true;
}

uint32_t EventOf(OperationKind kind) {
  switch (kind) {
    case OperationKind::kPut:
      return PTL_EVENT_PUT;
    case OperationKind::kGet:
      return PTL_EVENT_GET;
    case OperationKind::kAtomic:
      return PTL_EVENT_ATOMIC;
    default:
      return PTL_EVENT_FETCH_ATOMIC;
  }
}

void FillHeader(PeerInterface& target, const PortalsOperation& operation,
                const ClaimedEntry& claim, Unexpected& header) {
  header.match_bits = operation.match_bits;
  header.hdr_data = operation.hdr_data;
  header.initiator = operation.initiator;
  header.remote_offset = operation.remote_offset;
  header.rlength = operation.length;
  header.mlength = claim.mlength;
  header.start = claim.entry->start + claim.offset;
  header.mover = ThisProcess();
  header.entry = target.view.SlotOf(*claim.entry);
  header.uid = operation.uid;
  header.state = Unexpected::kMoving;
  header.event = EventOf(operation.kind);
  header.operation = operation.operation;
  header.datatype = operation.datatype;
  header.fail = PTL_NI_OK;
}

uint32_t Consume(PeerInterface& target, PtRecord& pt,
                 const PortalsOperation& operation, ClaimedEntry& claim)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  EntryRecord& entry = *claim.entry;
  const bool used_up = UsesUp(entry, claim.mlength);
  if (LeavesHeader(entry)) {
    claim.header = target.view.TakeUnexpected();
    if (claim.header == 0) return Exhausted(target, pt, &entry);
  }
  if (!ReserveEvents(target, pt, EventsOf(entry, used_up), claim)) {
    if (claim.header != 0) target.view.GiveUnexpected(claim.header);
    return Exhausted(target, pt, &entry);
  }
  if (Has(entry, PTL_ME_MANAGE_LOCAL)) entry.offset += claim.mlength;
  if (claim.header != 0) {
    FillHeader(target, operation, claim,
               *target.view.UnexpectedAt(claim.header));
    LinkHeader(target.view, pt.headers, claim.header);
    ++entry.headers;
  }
  if (used_up) {
    Unlink(target.view, pt.lists[claim.list], entry);
    entry.slot.Become(RecordPhase::kHeld);
    entry.unlinked = 1;
  }
  return PTL_NI_OK;
}

// Posts an event. If `reserved` is not 0, uses one of the reserved events.
void PostFrom(PeerInterface& target, PtRecord& pt, const Event& event,
              uint32_t& reserved) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  if (reserved == 0) {
    Post(target.view, pt.queue(), event);
    return;
  }
  PostReserved(target.view, pt, event);
  --reserved;
}

void PostComm(PeerInterface& target, const PortalsOperation& operation,
              const ClaimedEntry& claim, uint32_t fail, uint32_t& reserved)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock) {
  const EntryRecord& entry = *claim.entry;
  if (claim.pt->queue() == kNoRef || Has(entry, PTL_ME_EVENT_COMM_DISABLE) ||
      (fail == PTL_NI_OK && Has(entry, PTL_ME_EVENT_SUCCESS_DISABLE))) {
    return;
  }
  Event event;
  event.type = EventOf(operation.kind);
  event.list = claim.list;
  event.fail = fail;
  event.pt = operation.pt;
  event.operation = operation.operation;
  event.datatype = operation.datatype;
  event.uid = operation.uid;
  event.start = entry.start + claim.offset;
  event.user_ptr = entry.user_ptr;
  event.hdr_data = operation.hdr_data;
  event.match_bits = operation.match_bits;
  event.rlength = operation.length;
  event.mlength = claim.mlength;
  event.remote_offset = operation.remote_offset;
  event.initiator = operation.initiator;
  PostFrom(target, *claim.pt, event, reserved);
}

}  // namespace

uint32_t Claim(PeerInterface& target, PtRecord& pt,
               const PortalsOperation& operation, ClaimedEntry& claim) {
  if (pt.state.load(std::memory_order_relaxed) != PtRecord::kEnabled) {
    return PTL_NI_PT_DISABLED;
  }
  claim.pt = &pt;
  claim.entry = FindEntry(target.view, pt.lists[PTL_PRIORITY_LIST], operation);
  if (claim.entry == nullptr) {
    claim.list = PTL_OVERFLOW_LIST;
    claim.entry =
        FindEntry(target.view, pt.lists[PTL_OVERFLOW_LIST], operation);
  }
  if (claim.entry == nullptr) return Exhausted(target, pt, nullptr);
  const EntryRecord& entry = *claim.entry;
  if (entry.uid != PTL_UID_ANY && entry.uid != operation.uid) {
    return Refuse(target.view, PTL_SR_PERMISSION_VIOLATIONS,
                  PTL_NI_PERM_VIOLATION);
  }
  if (!Permits(entry, operation.kind)) {
    return Refuse(target.view, PTL_SR_OPERATION_VIOLATIONS,
                  PTL_NI_OP_VIOLATION);
  }
  claim.offset = OffsetFor(entry, operation.remote_offset);
  const uint64_t room = RoomAt(entry, claim.offset);
  claim.mlength = operation.length < room ? operation.length : room;
  return Consume(target, pt, operation, claim);
}

void PostEntryEvent(PeerInterface& target, PtRecord& pt, uint32_t type,
                    const EntryRecord& entry, uint32_t& reserved) {
  if (pt.queue() == kNoRef) return;
  Event event;
  event.type = type;
  event.list = ListOf(entry);
  event.pt = target.view.IndexOf(pt);
  event.uid = target.view.header().uid;
  event.user_ptr = entry.user_ptr;
  event.start = entry.start;
  PostFrom(target, pt, event, reserved);
}

void DisableByFault(PeerInterface& target, uint32_t pt_index) {
  PtRecord* const pt = target.view.Pt(pt_index);
  if (pt == nullptr || !pt->lock.Acquire(DeadHolder::kBreak)) return;
  if (pt->state.load(std::memory_order_relaxed) == PtRecord::kEnabled &&
      (pt->options & PTL_PT_FLOWCTRL) != 0) {
    Exhausted(target, *pt, nullptr);
  }
  pt->lock.Release();
}

void Settle(PeerInterface& target, PtRecord& pt, EntryRecord& entry,
            uint32_t& reserved) {
  if (entry.slot.phase() != RecordPhase::kHeld || entry.flights > 0) return;
  const bool silent = Has(entry, PTL_ME_EVENT_UNLINK_DISABLE);
  if (entry.unlinked != 0) {
    entry.unlinked = 0;
    if (!silent) {
      PostEntryEvent(target, pt, PTL_EVENT_AUTO_UNLINK, entry, reserved);
    }
  }
  if (entry.headers > 0) return;
  if (ListOf(entry) == PTL_OVERFLOW_LIST && !silent) {
    uint32_t none = 0;
    PostEntryEvent(target, pt, PTL_EVENT_AUTO_FREE, entry, none);
  }
  entry.slot.Become(RecordPhase::kFree);
  target.view.GiveEntry(target.view.SlotOf(entry));
}

void Finish(PeerInterface& target, const PortalsOperation& operation,
            const ClaimedEntry& claim, uint32_t fail) {
  EntryRecord& entry = *claim.entry;
  uint32_t reserved = claim.reserved;
  if (Unexpected* const header = target.view.UnexpectedAt(claim.header)) {
    header->fail = fail;
    header->state = Unexpected::kThere;
  }
  PostComm(target, operation, claim, fail, reserved);
  if (Has(entry, PTL_ME_EVENT_CT_COMM)) {
    const bool bytes = Has(entry, PTL_ME_EVENT_CT_BYTES);
    if (fail == PTL_NI_OK) {
      Count(target, entry.ct, bytes ? claim.mlength : 1, 0);
    } else {
      Count(target, entry.ct, 0, 1);
    }
  }
  Settle(target, *claim.pt, entry, reserved);
  if (reserved > 0) GiveBack(target.view, *claim.pt, reserved);
}

}  // namespace gasnet::portals4
