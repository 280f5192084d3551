// The calls for portal table entries.
#include <sched.h>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "portals/api/check.h"
#include "portals/api/given_job.h"
#include "portals/api/knobs.h"
#include "portals/engine/append.h"
#include "portals/engine/event_queue.h"
#include "portals/engine/flight.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::DeadHolder;
using portals4::GetLibrary;
using portals4::Interface;
using portals4::PtRecord;

namespace {

PtRecord* Allocated(const Interface& interface, ptl_pt_index_t index) {
  PtRecord* const pt = interface.view().Pt(index);
  return pt != nullptr &&
                 pt->state.load(std::memory_order_acquire) != PtRecord::kFree
             ? pt
             : nullptr;
}

// Chooses the requested index, or the lowest free index for PTL_PT_ANY.
int Choose(const Interface& interface, ptl_pt_index_t asked,
           ptl_pt_index_t& chosen) {
  if (asked != PTL_PT_ANY) {
    if (interface.view().Pt(asked) == nullptr) return PTL_ARG_INVALID;
    chosen = asked;
    return Allocated(interface, asked) == nullptr ? PTL_OK : PTL_PT_IN_USE;
  }
  const uint32_t count = interface.view().counts().pts;
  const uint32_t from = portals4::Knobs().Happens(portals4::Fault::kPtAny)
                            ? portals4::Knobs().Draw() % count
                            : 0;
  for (uint32_t i = 0; i < count; ++i) {
    chosen = (from + i) % count;
    if (Allocated(interface, chosen) == nullptr) return PTL_OK;
  }
  return PTL_PT_FULL;
}

bool HasFlowControl(const PtRecord& pt) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock) {
  return (pt.options & PTL_PT_FLOWCTRL) != 0;
}

// Clears the entry's flow control. Returns true if flow control was set. Called
// only for an entry that is free or broken. No holder of the entry's lock reads
// the options of such an entry, so the lock is not needed.
bool TakeFlowControl(PtRecord& pt) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (!HasFlowControl(pt)) return false;
  pt.options = 0;
  return true;
}

bool HasFlights(portals4::PeerInterface& own, PtRecord& pt) {
  if (!pt.lock.Acquire(DeadHolder::kBreak)) return false;
  if (pt.flights > 0) portals4::EndDeadFlights(own, pt);
  // Operations that a carrier delivers have no record. All others have one: a
  // count without a record is not believed, since it would never become 0.
  const bool has = pt.flights > 0 && (portals4::GetCarrier() != nullptr ||
                                      portals4::HasFlight(own.view, pt));
  pt.lock.Release();
  return has;
}

// Ends the flights (operations that still move data) of dead processes at all
// entries. Reservations of these flights may have filled the event queue.
void EndAllDeadFlights(Interface& interface) {
  for (ptl_pt_index_t i = 0; i < interface.view().counts().pts; ++i) {
    PtRecord* const pt = Allocated(interface, i);
    if (pt != nullptr) HasFlights(interface.own(), *pt);
  }
}

int SetState(PtRecord& pt, PtRecord::State state) {
  if (!pt.lock.Acquire(DeadHolder::kBreak)) return PTL_FAIL;
  pt.state.store(state, std::memory_order_release);
  pt.lock.Release();
  return PTL_OK;
}

}  // namespace

int PtlPTAlloc(ptl_handle_ni_t ni_handle, unsigned int options,
               ptl_handle_eq_t eq_handle, ptl_pt_index_t pt_index_req,
               ptl_pt_index_t* pt_index) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  portals4::Ref eq = portals4::kNoRef;
  if (interface == nullptr || pt_index == nullptr ||
      (options & ~static_cast<unsigned>(PTL_PT_ALLOC_OPTIONS_MASK)) != 0 ||
      !portals4::EqOrNone(*interface, eq_handle, eq)) {
    return PTL_ARG_INVALID;
  }
  if (eq == portals4::kNoRef && (options & PTL_PT_FLOWCTRL) != 0) {
    return PTL_PT_EQ_NEEDED;
  }
  const absl::MutexLock lock(&interface->setup);
  ptl_pt_index_t chosen = 0;
  const int result = Choose(*interface, pt_index_req, chosen);
  if (result != PTL_OK) return result;
  PtRecord& pt = *interface->view().Pt(chosen);
  if (!pt.lock.Acquire(DeadHolder::kBreak)) return PTL_PT_IN_USE;
  pt.options = options;
  pt.eq.store(eq, std::memory_order_relaxed);
  pt.flights = 0;
  pt.lists[0] = pt.lists[1] = pt.headers = {};
  if (HasFlowControl(pt)) portals4::BeginFlowControl(interface->view(), pt);
  pt.state.store((options & PTL_PT_ALLOC_DISABLED) != 0 ? PtRecord::kDisabled
                                                        : PtRecord::kEnabled,
                 std::memory_order_release);
  pt.lock.Release();
  *pt_index = chosen;
  return PTL_OK;
}

int PtlPTFree(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  const absl::MutexLock lock(&interface->setup);
  PtRecord* const pt = Allocated(*interface, pt_index);
  if (pt == nullptr) return PTL_ARG_INVALID;
  const portals4::Ref eq = pt->queue();
  const int result = portals4::ClearLists(interface->own(), *pt);
  if (result == PTL_OK && TakeFlowControl(*pt)) {
    portals4::EndFlowControl(interface->view(), eq);
  }
  return result;
}

int PtlPTDisable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  PtRecord* const pt = Allocated(*interface, pt_index);
  if (pt == nullptr) return PTL_ARG_INVALID;
  const int result = SetState(*pt, PtRecord::kDisabled);
  while (HasFlights(interface->own(), *pt)) sched_yield();
  return result;
}

int PtlPTEnable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr) return PTL_ARG_INVALID;
  PtRecord* const pt = Allocated(*interface, pt_index);
  if (pt == nullptr) return PTL_ARG_INVALID;
  EndAllDeadFlights(*interface);
  return SetState(*pt, PtRecord::kEnabled);
}
