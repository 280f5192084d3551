#include "portals/api/triggers.h"

#include <algorithm>
#include <cstring>

#include "portals/api/entry_calls.h"
#include "portals/api/given_job.h"
#include "portals/api/held_back.h"
#include "portals/engine/append.h"
#include "portals/engine/arithmetic.h"
#include "portals/engine/counter.h"
#include "portals/engine/due.h"
#include "portals/engine/trigger.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

uint64_t InitiatorOf(const RegionHeader& header, uint64_t rank) {
  return (header.kind & PTL_NI_LOGICAL) != 0
             ? rank
             : PackPhysical(header.nid, header.pid);
}

// Checks a record, because any process may have overwritten it. Returns true if
// its descriptors exist and cover the memory that the record names, and its
// atomic operation exists.
bool IsSound(const InitiatorRequest& request,
             const PortalsOperation& operation) {
  const OperationKind kind = operation.kind;
  if (kind > OperationKind::kSwap) return false;
  if (kind != OperationKind::kGet &&
      (request.put_md == nullptr ||
       !internal::Holds(*request.put_md, operation.source_offset,
                        operation.length))) {
    return false;
  }
  if (Fetches(kind) && (request.get_md == nullptr ||
                        !internal::Holds(*request.get_md, operation.sink_offset,
                                         operation.length))) {
    return false;
  }
  if (kind < OperationKind::kAtomic) return true;
  return (GetCarrier() == nullptr || operation.length <= kWholeBytes) &&
         internal::ItemsFit({.kind = kind,
                             .length = operation.length,
                             .operand = operation.operand,
                             .operation = operation.operation,
                             .datatype = operation.datatype});
}

// Executes an operation of the owner in this process.
void RunOperation(PeerInterface& owner, const TriggerRecord& record) {
  InitiatorRequest request;
  request.put_md = owner.view.Md(record.md);
  request.get_md = owner.view.Md(record.get_md);
  request.put_ref = record.md;
  request.get_ref = record.get_md;
  request.ack = record.ack;
  request.user_ptr = record.user_ptr;
  PortalsOperation operation;
  operation.kind = static_cast<OperationKind>(record.action);
  operation.pt = record.pt;
  operation.uid = owner.view.header().uid;
  operation.operation = record.operation;
  operation.datatype = record.datatype;
  operation.match_bits = record.match_bits;
  operation.remote_offset = record.remote_offset;
  operation.length = record.length;
  operation.hdr_data = record.hdr_data;
  operation.initiator = InitiatorOf(owner.view.header(), record.increment[0]);
  operation.source_offset = record.local_offset;
  operation.sink_offset = record.get_offset;
  operation.operand = record.operand;
  if (!IsSound(request, operation)) return;
  if (Carry(owner, request, operation, record.target, false)) return;
  Initiate(owner, request, operation,
           GetLibrary().FindPeer(record.target, owner.view.header().kind));
}

void RunCounting(PeerInterface& owner, const TriggerRecord& record,
                 Action action) {
  CtRecord* const ct = owner.view.Ct(record.md);
  if (ct == nullptr) return;
  const bool due =
      action == Action::kCtInc
          ? Add(owner.view, *ct, record.increment[0], record.increment[1])
          : Set(owner.view, *ct, record.increment[0], record.increment[1]);
  if (due) NoteDue(owner, owner.view.SlotOf(*ct));
}

void RunEntry(PeerInterface& owner, const TriggerRecord& record,
              Action action) {
  EntryRecord* const entry = owner.view.EntryAt(EntryRef::Slot(record.md));
  if (entry == nullptr ||
      EntryRef::Make(EntryRef::Slot(record.md), entry->slot) != record.md) {
    return;
  }
  if (action == Action::kUnlink) {
    UnlinkEntry(owner, record.md);
  } else if (entry->slot.phase() == RecordPhase::kPending &&
             AppendEntry(owner, *entry) != PTL_OK) {
    entry->slot.Become(RecordPhase::kFree);
    owner.view.GiveEntry(owner.view.SlotOf(*entry));
  }
}

void Run(PeerInterface& owner, const TriggerRecord& record) {
  const auto action = static_cast<Action>(record.action);
  switch (action) {
    case Action::kCtInc:
    case Action::kCtSet:
      RunCounting(owner, record, action);
      return;
    case Action::kAppend:
    case Action::kUnlink:
      RunEntry(owner, record, action);
      return;
    default:
      break;
  }
  RunOperation(owner, record);
}

// Takes a record for an operation that `trigger` starts. Returns null if all
// records are in use.
TriggerRecord* NewRecord(const Named<CtRecord>& trigger, ptl_size_t threshold,
                         uint32_t action, uint32_t& slot) {
  ReportAllHeldBack();
  slot = trigger.interface->view().TakeTrigger();
  if (slot == 0) return nullptr;
  TriggerRecord& record = *trigger.interface->view().TriggerAt(slot);
  record.threshold = threshold;
  record.action = action;
  record.md = kNoRef;
  record.get_md = kNoRef;
  return &record;
}

void Keep(const Named<CtRecord>& trigger, uint32_t slot) {
  if (AddTrigger(trigger.interface->view(), *trigger, slot)) {
    NoteDue(trigger.interface->own(),
            trigger.interface->view().SlotOf(*trigger));
  }
  RunDueTriggers();
}

// Returns true if any process that executes the operation can map the
// descriptor's memory, or if there is no memory to map.
bool IsMapped(const MdRecord* md) {
  return md == nullptr || md->mapping != 0 || md->length == 0;
}

void Hold(const View& view, Ref ref) {
  if (MdRecord* const md = view.Md(ref)) {
    md->pending.fetch_add(1, std::memory_order_relaxed);
  }
}

int KeepCounting(Action action, ptl_handle_ct_t ct_handle, ptl_ct_event_t value,
                 ptl_handle_ct_t trigger_handle, ptl_size_t threshold) {
  if (!IsOpen()) return PTL_NO_INIT;
  const Named<CtRecord> ct = FindCt(ct_handle);
  const Named<CtRecord> trigger = FindCt(trigger_handle);
  if (!ct || !trigger || ct.interface != trigger.interface ||
      (action == Action::kCtInc && value.success != 0 && value.failure != 0)) {
    return PTL_ARG_INVALID;
  }
  uint32_t slot = 0;
  TriggerRecord* const record =
      NewRecord(trigger, threshold, static_cast<uint32_t>(action), slot);
  if (record == nullptr) return PTL_NO_SPACE;
  record->md = RefOf(ct_handle);
  record->increment[0] = value.success;
  record->increment[1] = value.failure;
  Keep(trigger, slot);
  return PTL_OK;
}

}  // namespace

void RunDueTriggers() { RunDue(&Run); }

void RunAbandonedTriggers(Interface& interface) {
  const View& view = interface.view();
  // Looks only at slots that were ever used, so that the pages of unused slots
  // are never touched.
  const uint32_t used =
      std::min(view.counts().cts,
               view.header().ct_pool.fresh.load(std::memory_order_relaxed));
  for (uint32_t slot = 1; slot <= used; ++slot) {
    CtRecord& ct = *view.CtAt(slot);
    // Also notes counters whose runner has taken an operation and died. This
    // operation is not due any more, but must be cleaned up.
    const bool has_runner = ct.running.load(std::memory_order_relaxed) != 0;
    if (ct.slot.phase() == RecordPhase::kLive && (has_runner || IsDue(ct))) {
      NoteDue(interface.own(), slot);
    }
  }
  RunDueTriggers();
}

void Cancel(PeerInterface& owner, CtRecord& ct) {
  for (uint32_t left = owner.view.counts().triggers; left > 0; --left) {
    const uint32_t slot = TakeAnyTrigger(owner.view, ct);
    if (slot == 0) return;
    const TriggerRecord& record = *owner.view.TriggerAt(slot);
    ReleaseMds(owner.view, record);
    if (static_cast<Action>(record.action) == Action::kAppend) {
      EntryRecord* const entry = owner.view.EntryAt(EntryRef::Slot(record.md));
      if (entry != nullptr && entry->slot.phase() == RecordPhase::kPending) {
        entry->slot.Become(RecordPhase::kFree);
        owner.view.GiveEntry(owner.view.SlotOf(*entry));
      }
    }
    owner.view.GiveTrigger(slot);
  }
}

int Postpone(const PreparedOperation& call, const void* operand,
             ptl_handle_ct_t handle, ptl_size_t threshold) {
  const Named<CtRecord> trigger = FindCt(handle);
  if (!trigger || trigger.interface != call.interface) return PTL_ARG_INVALID;
  const PortalsOperation& operation = call.operation;
  uint32_t slot = 0;
  TriggerRecord* const record = NewRecord(
      trigger, threshold, static_cast<uint32_t>(operation.kind), slot);
  if (record == nullptr) return PTL_NO_SPACE;
  record->md = call.request.put_ref;
  record->get_md = call.request.get_ref;
  record->local_offset = operation.source_offset;
  record->get_offset = operation.sink_offset;
  record->length = operation.length;
  record->target = call.physical;
  record->match_bits = operation.match_bits;
  record->remote_offset = operation.remote_offset;
  record->user_ptr = call.request.user_ptr;
  record->hdr_data = operation.hdr_data;
  record->increment[0] = operation.initiator;
  record->pt = operation.pt;
  record->ack = call.request.ack;
  record->operation = operation.operation;
  record->datatype = operation.datatype;
  if (operand != nullptr) {
    std::memcpy(record->operand, operand, SizeOfType(operation.datatype));
  }
  if (!trigger.interface->peers_can_map() || !IsMapped(call.request.put_md) ||
      !IsMapped(call.request.get_md)) {
    trigger.interface->OfferHelp();
  }
  Hold(trigger.interface->view(), record->md);
  Hold(trigger.interface->view(), record->get_md);
  Keep(trigger, slot);
  return PTL_OK;
}

namespace {

int PostponeEntry(Action action, Ref ref, const Interface* interface,
                  ptl_handle_ct_t handle, ptl_size_t threshold) {
  const Named<CtRecord> trigger = FindCt(handle);
  if (!trigger || trigger.interface != interface) return PTL_ARG_INVALID;
  uint32_t slot = 0;
  TriggerRecord* const record =
      NewRecord(trigger, threshold, static_cast<uint32_t>(action), slot);
  if (record == nullptr) return PTL_NO_SPACE;
  record->md = ref;
  Keep(trigger, slot);
  return PTL_OK;
}

}  // namespace

int PostponeAppend(const Named<EntryRecord>& entry, ptl_handle_ct_t trigger,
                   ptl_size_t threshold) {
  return PostponeEntry(Action::kAppend, RefOf(HandleOf(entry)), entry.interface,
                       trigger, threshold);
}

int PostponeUnlink(ptl_handle_me_t handle, ptl_handle_ct_t trigger,
                   ptl_size_t threshold) {
  const Named<EntryRecord> entry = FindEntryNamed(handle);
  if (!entry) return PTL_ARG_INVALID;
  return PostponeEntry(Action::kUnlink, RefOf(handle), entry.interface, trigger,
                       threshold);
}

}  // namespace gasnet::portals4

namespace portals4 = gasnet::portals4;

int PtlTriggeredCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return portals4::KeepCounting(portals4::Action::kCtInc, ct_handle, increment,
                                trig_ct_handle, threshold);
}

int PtlTriggeredCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return portals4::KeepCounting(portals4::Action::kCtSet, ct_handle, new_ct,
                                trig_ct_handle, threshold);
}
