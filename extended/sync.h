// Waiting for operations, and testing if they are complete.
//
// A wait serves the network at least once, and until its operations are
// complete. A try serves the network once, unless the caller polls by itself.
// So a loop of tries makes progress, and lets other processes run when the host
// is crowded. An operation that is found complete is released, and its handle
// is invalid from then on.
//
// A sync of puts ends with a fence, since a put is complete when every later
// access sees it:
// - Puts to mapped memory have no records. They count as complete as
//   soon as the client syncs, so only the fence orders them.
// - Puts by message need the fence if the target was this rank, since the
//   handler's stores were ordinary stores of this process.
// - Other puts are known to be stored: their reply was sent and received
//   after the store, or the network has reported it (core/rma/rma.h).
#ifndef EXTENDED_SYNC_H_
#define EXTENDED_SYNC_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/runtime.h"
#include "extended/handle_checks.h"
#include "extended/operations.h"
#include "gasnet/abi.h"

namespace gasnet::extended {

// Says if a try serves the network.
enum class Serving : bool { kNot, kOnce };

class Sync {
 public:
  using Handles = std::span<Handle>;

  // Serves the network once, like a wait for an operation that is already
  // complete.
  static void WaitForNothing() { runtime->engine().ServeInPassing(); }

  // Waits for one operation and releases it, without the fence.
  static void Wait(Operation& operation) {
    runtime->engine().WaitUntil([&] { return IsDone(operation); },
                                [&] { return ReasonOf(operation); });
    Operations::Mine().Release(operation);
  }

  static uint64_t WaitValue(Transfer& valget) {
    runtime->engine().WaitUntil([&] { return valget.IsDone(); },
                                am::WaitForTransfers{valget.peer});
    const uint64_t value = valget.value;
    Operations::Mine().Release(valget);
    return value;
  }

  // Waits for all valid handles of an array. Handles of complete operations
  // become invalid.
  static void WaitAll(const char* call, Handles handles) {
    WaitForNothing();
    bool any = false;
    for (Handle& handle : handles) {
      if (handle == nullptr) continue;
      any = true;
      if (handle != GASNETI_STORED_HANDLE) {
        Operation& operation = CheckedOperation(call, handle);
        if (!IsDone(operation)) {
          runtime->engine().WaitUntil([&] { return IsDone(operation); },
                                      [&] { return ReasonOf(operation); });
        }
        Release(operation, handles);
      }
      handle = nullptr;
    }
    if (any) GASNETI_FENCE();
  }
  static bool TryAll(const char* call, Handles handles,
                     Serving serving = Serving::kOnce) {
    if (serving == Serving::kOnce) runtime->engine().PollOrYield();
    return Sweep(call, handles).left == 0;
  }

  // Waits until at least one of the valid handles is complete. Returns at once
  // if none is valid.
  static void WaitSome(const char* call, Handles handles) {
    runtime->engine().WaitUntil([&] { return HasSome(call, handles); },
                                am::WaitForTransfers{});
    Sweep(call, handles);
  }
  static bool TrySome(const char* call, Handles handles,
                      Serving serving = Serving::kOnce) {
    if (serving == Serving::kOnce) runtime->engine().PollOrYield();
    return Sweep(call, handles).Some();
  }

  // Waits for those implicit operations of the calling thread that `done`
  // selects.
  using ImplicitDone = bool (Iop::*)() const;
  static void WaitImplicit(ImplicitDone done) {
    const Iop& iop = Operations::Mine().implicit();
    runtime->engine().WaitUntil([&] { return (iop.*done)(); },
                                [&] { return ReasonOf(iop); });
    if (done != &Iop::GetsDone) GASNETI_FENCE();
  }
  static bool TryImplicit(ImplicitDone done) {
    runtime->engine().PollOrYield();
    if (!(Operations::Mine().implicit().*done)()) return false;
    if (done != &Iop::GetsDone) GASNETI_FENCE();
    return true;
  }

  // WaitParts() waits for parts of the implicit operations. TryParts() tests
  // parts of them, and does not serve the network.
  static void WaitParts(Parts parts) {
    const Iop& iop = Operations::Mine().implicit();
    runtime->engine().WaitUntil([&] { return iop.IsDone(parts); },
                                [&] { return ReasonOf(iop); });
    if (parts != kGets) GASNETI_FENCE();
  }
  static bool TryParts(Parts parts) {
    if (!Operations::Mine().implicit().IsDone(parts)) return false;
    if (parts != kGets) GASNETI_FENCE();
    return true;
  }

  // Closes the access region. Returns its operation, or null if it is complete.
  static Operation* CloseRegion() {
    Iop& region = Operations::Mine().CloseRegion();
    return ReleaseIfDone(region) ? nullptr : &region;
  }

 private:
  struct Swept {
    size_t done = 0;
    size_t left = 0;

    bool Some() const { return done > 0 || left == 0; }
  };

  // Returns the condition to report while a thread waits for the operation.
  static observe::Waiting ReasonOf(const Operation& operation) {
    if (operation.shape == Operation::Shape::kForeign) {
      return static_cast<const Foreign&>(operation).Reason();
    }
    if (operation.shape == Operation::Shape::kTransfer) {
      return am::WaitForTransfers{
          static_cast<const Transfer&>(operation).peer}();
    }
    if (operation.shape == Operation::Shape::kIop) {
      return ReasonOf(static_cast<const Iop&>(operation));
    }
    return am::WaitForTransfers{}();
  }
  static observe::Waiting ReasonOf(const Iop& iop) {
    return am::WaitForTransfers{.count = iop.UnderWay()}();
  }

  static bool ReleaseIfDone(Operation& operation, Handles handles = {}) {
    if (!IsDone(operation)) return false;
    Release(operation, handles);
    return true;
  }
  // Invalidates the handles of the operation's leaves in the array, and then
  // releases the operation. The order matters, since after the release the
  // record may belong to another operation at once.
  static void Release(Operation& operation, Handles handles) {
    if (operation.shape == Operation::Shape::kIop &&
        static_cast<const Iop&>(operation).has_leaves) {
      ForgetLeaves(static_cast<const Iop&>(operation), handles);
    }
    Operations::Mine().Release(operation);
  }
  static void ForgetLeaves(const Iop& iop, Handles handles) {
    for (Handle& handle : handles) {
      if (handle == nullptr || handle == GASNETI_STORED_HANDLE) continue;
      const Operation* const operation = &FromHandle(handle);
      if (operation >= iop.leaves && operation < iop.leaves + kPartsOfIop) {
        handle = nullptr;
      }
    }
  }

  // Returns true if one of the valid handles is complete, or if no handle is
  // valid.
  static bool HasSome(const char* call, Handles handles) {
    bool any = false;
    for (const Handle handle : handles) {
      if (handle == nullptr) continue;
      if (handle == GASNETI_STORED_HANDLE) return true;
      if (IsDone(CheckedOperation(call, handle))) return true;
      any = true;
    }
    return !any;
  }

  static Swept Sweep(const char* call, Handles handles) {
    Swept swept;
    for (Handle& handle : handles) {
      if (handle == nullptr) continue;
      if (handle != GASNETI_STORED_HANDLE &&
          !ReleaseIfDone(CheckedOperation(call, handle), handles))
        continue;
      ++swept.done;
      handle = nullptr;
    }
    for (const Handle handle : handles) swept.left += handle != nullptr;
    if (swept.done > 0) GASNETI_FENCE();
    return swept;
  }
};

}  // namespace gasnet::extended

#endif  // EXTENDED_SYNC_H_
