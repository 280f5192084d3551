// The calls for counting events.
#include "absl/synchronization/mutex.h"
#include "portals/api/check.h"
#include "portals/api/given_job.h"
#include "portals/api/held_back.h"
#include "portals/api/initiate.h"
#include "portals/api/triggers.h"
#include "portals/api/wait.h"
#include "portals/engine/counter.h"
#include "portals/engine/due.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::CtRecord;
using portals4::GetLibrary;
using portals4::Interface;
using portals4::Named;
using portals4::ObjectRef;

namespace {

ptl_ct_event_t EventOf(CtRecord& ct) {
  const portals4::CtValue value = portals4::ValueOf(ct);
  return {value.success, value.failure};
}

// Returns true if a wait is over. A failure ends the wait as well, because the
// failed operation may never count as a success. The counter might then never
// reach `test`.
bool EndsWait(const ptl_ct_event_t& value, ptl_size_t test) {
  return value.success >= test || value.failure != 0;
}

Interface* OneInterface(const ptl_handle_ct_t* handles, unsigned size) {
  Interface* interface = nullptr;
  for (unsigned i = 0; i < size; ++i) {
    const Named<CtRecord> ct = portals4::FindCt(handles[i]);
    if (!ct || (interface != nullptr && ct.interface != interface)) {
      return nullptr;
    }
    interface = ct.interface;
  }
  return interface;
}

void RunIfDue(const Named<CtRecord>& ct, bool due) {
  if (due) {
    portals4::NoteDue(ct.interface->own(), ct.interface->view().SlotOf(*ct));
  }
  portals4::RunDueTriggers();
}

// Runs due operations that wait for the counter. Normally the thread that made
// an operation due runs it. If that thread has died, only this call runs it.
void LookAt(const Named<CtRecord>& ct) {
  portals4::NoteLook();
  if (portals4::IsDue(*ct)) RunIfDue(ct, true);
}

}  // namespace

int PtlCTAlloc(ptl_handle_ni_t ni_handle, ptl_handle_ct_t* ct_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || ct_handle == nullptr) return PTL_ARG_INVALID;
  const uint32_t slot = interface->view().TakeCt();
  if (slot == 0) return PTL_NO_SPACE;
  CtRecord& ct = *interface->view().CtAt(slot);
  portals4::OpenCounter(ct);
  *ct_handle =
      portals4::MakeHandle(portals4::Object::kCt, interface->identity().index,
                           ObjectRef::Make(slot, ct.slot));
  return PTL_OK;
}

int PtlCTFree(ptl_handle_ct_t ct_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Named<CtRecord> ct = portals4::FindCt(ct_handle);
  if (!ct) return PTL_ARG_INVALID;
  const absl::MutexLock lock(&ct.interface->setup);
  if (portals4::FindCt(ct_handle).record == nullptr) return PTL_ARG_INVALID;
  ct->slot.Become(portals4::RecordPhase::kFree);
  portals4::Cancel(ct.interface->own(), *ct);
  ct.interface->view().GiveCt(ObjectRef::Slot(portals4::RefOf(ct_handle)));
  // Wakes threads that wait for the counter, so that they notice its end.
  ct.interface->view().header().doorbell.Ring();
  return PTL_OK;
}

int PtlCTCancelTriggered(ptl_handle_ct_t ct_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Named<CtRecord> ct = portals4::FindCt(ct_handle);
  if (!ct) return PTL_ARG_INVALID;
  portals4::Cancel(ct.interface->own(), *ct);
  return PTL_OK;
}

int PtlCTGet(ptl_handle_ct_t ct_handle, ptl_ct_event_t* event) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Named<CtRecord> ct = portals4::FindCt(ct_handle);
  if (!ct || event == nullptr) return PTL_ARG_INVALID;
  portals4::PollCarrier();
  portals4::HelpWhoAsks(*ct.interface);
  LookAt(ct);
  *event = EventOf(*ct);
  return PTL_OK;
}

int PtlCTWait(ptl_handle_ct_t ct_handle, ptl_size_t test,
              ptl_ct_event_t* event) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (event == nullptr) return PTL_ARG_INVALID;
  if (GetLibrary().IsAborted()) return PTL_ABORTED;
  const Named<CtRecord> ct = portals4::FindCt(ct_handle);
  if (!ct) return portals4::AnswerOfGone();
  // Usually the counter has already reached `test`, so no wait is needed.
  LookAt(ct);
  *event = EventOf(*ct);
  if (EndsWait(*event, test)) return PTL_OK;
  unsigned which = 0;
  return PtlCTPoll(&ct_handle, &test, 1, PTL_TIME_FOREVER, event, &which);
}

int PtlCTPoll(const ptl_handle_ct_t* ct_handles, const ptl_size_t* tests,
              unsigned int size, ptl_time_t timeout, ptl_ct_event_t* event,
              unsigned int* which) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (ct_handles == nullptr || tests == nullptr || size == 0 ||
      event == nullptr || which == nullptr) {
    return PTL_ARG_INVALID;
  }
  if (GetLibrary().IsAborted()) return PTL_ABORTED;
  Interface* const interface = OneInterface(ct_handles, size);
  if (interface == nullptr) return portals4::AnswerOfGone();
  const uint32_t turn =
      size == 1 ? 0 : interface->turn.fetch_add(1, std::memory_order_relaxed);
  int result = PTL_CT_NONE_REACHED;
  const auto found = [&] {
    bool any = false;
    for (unsigned i = 0; i < size; ++i) {
      const unsigned at = (turn + i) % size;
      const Named<CtRecord> ct = portals4::FindCt(ct_handles[at]);
      // Skips the counter if it was freed during the wait.
      if (!ct) continue;
      any = true;
      LookAt(ct);
      const ptl_ct_event_t value = EventOf(*ct);
      if (!EndsWait(value, tests[at])) continue;
      *event = value;
      *which = at;
      result = PTL_OK;
      return true;
    }
    if (!any) result = portals4::AnswerOfGone();
    return !any;
  };
  const int64_t deadline = timeout == 0 ? 0 : portals4::DeadlineOf(timeout);
  const portals4::WaitResult waited =
      portals4::WaitUntil(*interface, deadline, found);
  return waited == portals4::WaitResult::kAborted ? PTL_ABORTED : result;
}

int PtlCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Named<CtRecord> ct = portals4::FindCt(ct_handle);
  if (!ct) return PTL_ARG_INVALID;
  RunIfDue(ct, portals4::Set(ct.interface->view(), *ct, new_ct.success,
                             new_ct.failure));
  return PTL_OK;
}

int PtlCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const Named<CtRecord> ct = portals4::FindCt(ct_handle);
  if (!ct || (increment.success != 0 && increment.failure != 0)) {
    return PTL_ARG_INVALID;
  }
  RunIfDue(ct, portals4::Add(ct.interface->view(), *ct, increment.success,
                             increment.failure));
  return PTL_OK;
}
