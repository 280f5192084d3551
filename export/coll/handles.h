// The handle of a collective, and its use by the sync functions. The handle is
// null if the collective is complete. Otherwise it points to an operation of
// the node or, if a bit of the handle is set, to a ticket of coll/images.h. A
// ticket stands for an image's part of an operation, or for a node's call whose
// lists must live as long as the operation.
//
// P is the policy of front.h.
#ifndef EXPORT_COLL_HANDLES_H_
#define EXPORT_COLL_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/log.h"
#include "coll/images.h"
#include "gasnet/coll_types.h"
#include "gasnet/types.h"

namespace gasnet::exported {

template <class P>
class CollHandles {
 public:
  using Handle = gasnet_coll_handle_t;
  using Handles = std::span<Handle>;

  static Handle Of(coll::CollectiveOperation* operation) {
    return reinterpret_cast<Handle>(operation);
  }
  static Handle Of(coll::Ticket& ticket) {
    return reinterpret_cast<Handle>(reinterpret_cast<uintptr_t>(&ticket) |
                                    kTicket);
  }

  static void Wait(Handle handle) {
    if (handle == GASNET_COLL_INVALID_HANDLE) return;
    if (IsTicket(handle)) {
      P::WaitUntil([&ticket = TicketOf(handle)] { return IsDone(ticket); },
                   [=] { return Pending(handle); });
      Release(handle);
    } else {
      P::engine().Wait(OperationOf(handle));
    }
  }
  static bool Try(Handle handle) {
    if (handle == GASNET_COLL_INVALID_HANDLE) return true;
    P::Poll();
    return ReleaseIfDone(handle);
  }

  static void WaitAll(Handles handles) {
    for (Handle& handle : handles) {
      Wait(handle);
      handle = GASNET_COLL_INVALID_HANDLE;
    }
  }
  static bool TryAll(Handles handles) {
    P::Poll();
    const Swept swept = Sweep(handles);
    return swept.done == swept.valid;
  }
  static void WaitSome(Handles handles) {
    P::WaitUntil([handles] { return HasSome(handles); },
                 [=]() -> const coll::CollectiveOperation* { return nullptr; });
    Sweep(handles);
  }
  static bool TrySome(Handles handles) {
    P::Poll();
    const Swept swept = Sweep(handles);
    return swept.done > 0 || swept.valid == 0;
  }

  // Returns the result of a barrier that is complete.
  static BarrierVote Vote(Handle handle) {
    if (!IsTicket(handle)) return P::engine().Vote(OperationOf(handle));
    const coll::ImageMeeting& meeting = *TicketOf(handle).meeting;
    return meeting.operation() == nullptr
               ? meeting.request().vote
               : P::engine().Vote(*meeting.operation());
  }
  static bool IsDone(Handle handle) {
    return IsTicket(handle) ? IsDone(TicketOf(handle))
                            : P::engine().IsDone(OperationOf(handle));
  }
  // Returns the handle's operation. Returns null if the operation has not
  // begun, or if the call needs none.
  static const coll::CollectiveOperation* Pending(Handle handle) {
    if (handle == GASNET_COLL_INVALID_HANDLE) return nullptr;
    if (!IsTicket(handle)) return &OperationOf(handle);
    const coll::ImageMeeting& meeting = *TicketOf(handle).meeting;
    return meeting.has_begun() ? meeting.operation() : nullptr;
  }
  static void Release(Handle handle) {
    if (IsTicket(handle)) {
      P::calls().meetings.Leave(TicketOf(handle),
                                [](coll::CollectiveOperation& operation) {
                                  P::engine().Release(operation);
                                });
    } else {
      P::engine().Release(OperationOf(handle));
    }
  }

 private:
  static constexpr uintptr_t kTicket = 1;

  struct Swept {
    size_t valid = 0;
    size_t done = 0;
  };

  static bool IsTicket(Handle handle) {
    return (reinterpret_cast<uintptr_t>(handle) & kTicket) != 0;
  }
  static coll::Ticket& TicketOf(Handle handle) {
    return *reinterpret_cast<coll::Ticket*>(
        reinterpret_cast<uintptr_t>(handle) - kTicket);
  }
  static coll::CollectiveOperation& OperationOf(Handle handle) {
    return *reinterpret_cast<coll::CollectiveOperation*>(handle);
  }

  static bool IsDone(const coll::Ticket& ticket) {
    const coll::ImageMeeting& meeting = *ticket.meeting;
    return meeting.has_begun() && (meeting.operation() == nullptr ||
                                   P::engine().IsDone(*meeting.operation()));
  }
  static bool ReleaseIfDone(Handle handle) {
    if (!IsDone(handle)) return false;
    Release(handle);
    return true;
  }

  static bool HasSome(Handles handles) {
    bool any = false;
    for (const Handle handle : handles) {
      if (handle == GASNET_COLL_INVALID_HANDLE) continue;
      if (IsDone(handle)) return true;
      any = true;
    }
    return !any;
  }
  static Swept Sweep(Handles handles) {
    Swept swept;
    for (Handle& handle : handles) {
      if (handle == GASNET_COLL_INVALID_HANDLE) continue;
      ++swept.valid;
      if (!ReleaseIfDone(handle)) continue;
      ++swept.done;
      handle = GASNET_COLL_INVALID_HANDLE;
    }
    return swept;
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_COLL_HANDLES_H_
