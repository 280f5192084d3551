// The calls for event queues.
#include "absl/synchronization/mutex.h"
#include "portals/api/check.h"
#include "portals/api/given_job.h"
#include "portals/api/held_back.h"
#include "portals/api/knobs.h"
#include "portals/api/wait.h"
#include "portals/engine/event_queue.h"
#include "portals4.h"

namespace portals4 = gasnet::portals4;
using portals4::EqRecord;
using portals4::GetLibrary;
using portals4::Interface;
using portals4::ObjectRef;
using portals4::Taken;

namespace {

// The arena of lines has room for two queues of this size, but not for two
// queues of twice this size.
constexpr ptl_size_t kMaxEvents = portals4::kEventSlots / 8;

// Returns the code for a result of Take.
int AnswerOf(Taken taken) {
  switch (taken) {
    case Taken::kNone:
      return PTL_EQ_EMPTY;
    case Taken::kEvent:
      return PTL_OK;
    default:
      return PTL_EQ_DROPPED;
  }
}

// Returns true if a fault hides the event.
bool IsLate() {
  return portals4::FaultsMayHappen() &&
         portals4::Knobs().Happens(portals4::Fault::kLate);
}

// Counts the calling thread's looks at queues. Returns true once in
// kLooksPerPoll looks. The caller should then poll for datagrams. A poll costs
// much more than a look, and a program looks at several queues in turn, so most
// looks do not poll.
bool IsTimeToPoll() {
  thread_local unsigned looks = 0;
  return looks++ % portals4::kLooksPerPoll == 0;
}

// Takes an event that the caller has seen.
[[gnu::noinline]] int TakeSeen(const Interface& interface,
                               ptl_handle_eq_t handle, EqRecord& eq,
                               ptl_event_t& event) {
  return AnswerOf(
      portals4::TakeFrom(interface.view(), portals4::RefOf(handle), eq, event));
}

// Looks a second time, for example if faults are set or if an event may be on
// its way. Neither LookFurther nor TakeSeen is inlined, to keep the caller's
// path for a look without an event short.
[[gnu::noinline]] int LookFurther(const Interface& interface,
                                  ptl_handle_eq_t handle, EqRecord& eq,
                                  ptl_event_t& event) {
  portals4::NoteLook();
  bool has_event = portals4::HasEvent(interface.view(), eq);
  if (!has_event && IsTimeToPoll() && portals4::PollCarrier()) {
    has_event = portals4::HasEvent(interface.view(), eq);
  }
  if (!has_event || IsLate()) {
    portals4::HelpWhoAsks(interface);
    return PTL_EQ_EMPTY;
  }
  return TakeSeen(interface, handle, eq, event);
}

// Returns the interface of all the queues, or null if the queues belong to
// different interfaces.
Interface* OneInterface(const ptl_handle_eq_t* handles, unsigned size) {
  Interface* interface = nullptr;
  for (unsigned i = 0; i < size; ++i) {
    const portals4::Named<EqRecord> eq = portals4::FindEq(handles[i]);
    if (!eq || (interface != nullptr && eq.interface != interface)) {
      return nullptr;
    }
    interface = eq.interface;
  }
  return interface;
}

int PollQueues(Interface& interface, const ptl_handle_eq_t* handles,
               unsigned size, ptl_time_t timeout, ptl_event_t& event,
               unsigned& which) {
  int result = PTL_EQ_EMPTY;
  const uint32_t turn =
      size == 1 ? 0 : interface.turn.fetch_add(1, std::memory_order_relaxed);
  const auto found = [&] {
    portals4::NoteLook();
    bool any = false;
    for (unsigned i = 0; i < size; ++i) {
      const unsigned at = (turn + i) % size;
      // Skips the queue if it was freed during the wait.
      if (!portals4::FindEq(handles[at])) continue;
      any = true;
      result = AnswerOf(portals4::Take(interface.view(),
                                       portals4::RefOf(handles[at]), event));
      if (result == PTL_EQ_EMPTY) continue;
      which = at;
      return true;
    }
    if (!any) result = portals4::AnswerOfGone();
    return !any;
  };
  const int64_t deadline = timeout == 0 ? 0 : portals4::DeadlineOf(timeout);
  const portals4::WaitResult waited =
      portals4::WaitUntil(interface, deadline, found);
  return waited == portals4::WaitResult::kAborted ? PTL_ABORTED : result;
}

}  // namespace

int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count,
               ptl_handle_eq_t* eq_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  Interface* const interface = GetLibrary().FromHandle(ni_handle);
  if (interface == nullptr || eq_handle == nullptr || count == 0) {
    return PTL_ARG_INVALID;
  }
  if (count > kMaxEvents) return PTL_NO_SPACE;
  const absl::MutexLock lock(&interface->setup);
  const uint32_t slot = interface->view().TakeEq();
  if (slot == 0) return PTL_NO_SPACE;
  const auto events = static_cast<uint32_t>(count);
  const uint32_t lines = portals4::QueueLines(portals4::QueueSlots(events));
  const std::optional<uint32_t> ring = interface->events.Take(lines);
  if (!ring.has_value()) {
    interface->view().GiveEq(slot);
    return PTL_NO_SPACE;
  }
  EqRecord& eq = *interface->view().EqAt(slot);
  interface->queue_lines[slot] = {*ring, lines};
  portals4::OpenQueue(interface->view(), eq, *ring, events);
  *eq_handle =
      portals4::MakeHandle(portals4::Object::kEq, interface->identity().index,
                           ObjectRef::Make(slot, eq.slot));
  return PTL_OK;
}

int PtlEQFree(ptl_handle_eq_t eq_handle) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const portals4::Named<EqRecord> eq = portals4::FindEq(eq_handle);
  if (!eq) return PTL_ARG_INVALID;
  const absl::MutexLock lock(&eq.interface->setup);
  if (portals4::FindEq(eq_handle).record == nullptr) return PTL_ARG_INVALID;
  portals4::CloseQueue(*eq);
  const uint32_t slot = ObjectRef::Slot(portals4::RefOf(eq_handle));
  if (const auto lines = eq.interface->queue_lines.extract(slot)) {
    eq.interface->events.Give(lines.mapped());
  }
  eq.interface->view().GiveEq(slot);
  // Wakes threads that wait for the queue, so that they notice its end.
  eq.interface->view().header().doorbell.Ring();
  return PTL_OK;
}

int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  const portals4::Named<EqRecord> eq = portals4::FindEq(eq_handle);
  if (!eq || event == nullptr) return PTL_ARG_INVALID;
  const Interface& interface = *eq.interface;
  if (portals4::FaultsMayHappen()) [[unlikely]]
    return LookFurther(interface, eq_handle, *eq, *event);
  if (portals4::HasEvent(interface.view(), *eq))
    return TakeSeen(interface, eq_handle, *eq, *event);
  if (portals4::GetCarrier() != nullptr ||
      portals4::HelpIsWanted(interface.view())) [[unlikely]] {
    return LookFurther(interface, eq_handle, *eq, *event);
  }
  return PTL_EQ_EMPTY;
}

int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  unsigned which = 0;
  return PtlEQPoll(&eq_handle, 1, PTL_TIME_FOREVER, event, &which);
}

int PtlEQPoll(const ptl_handle_eq_t* eq_handles, unsigned int size,
              ptl_time_t timeout, ptl_event_t* event, unsigned int* which) {
  if (!portals4::IsOpen()) return PTL_NO_INIT;
  if (eq_handles == nullptr || size == 0 || event == nullptr ||
      which == nullptr) {
    return PTL_ARG_INVALID;
  }
  if (GetLibrary().IsAborted()) return PTL_ABORTED;
  Interface* const interface = OneInterface(eq_handles, size);
  if (interface == nullptr) return portals4::AnswerOfGone();
  return PollQueues(*interface, eq_handles, size, timeout, *event, *which);
}
