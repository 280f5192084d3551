// The three ways to complete a transfer in pieces: when the call returns, by an
// explicit handle, and as one of the thread's implicit operations.
//
// The Move of each way gets these arguments:
//
// - remote: the address at which the remote side begins
// - one_run: true if the remote side is one run
// - copy: copies mapped memory, with the displacement of the mapping
// - send: sends transfers that are not mapped, as parts of an Iop. Returns
//   false if the operation is refused (extended/attempt.h); then there is
//   no handle.
//
// A blocking transfer also polls the network. One run that is mapped does not:
// it is as cheap as gasnet_put_bulk.
#ifndef VIS_WAYS_H_
#define VIS_WAYS_H_

#include <cstdint>

#include "core/runtime/runtime.h"
#include "extended/operations.h"
#include "extended/sync.h"
#include "extended/target.h"
#include "gasnet/abi.h"
#include "vis/kind.h"
#include "vis/transfers.h"

namespace gasnet::vis {

// Copies mapped memory. Orders the copy like the inlined accesses
// (extended/transfers.h).
template <TransferKind kind, class Copy>
void CopyInOrder(Copy copy, uintptr_t displacement) {
  if constexpr (kind == TransferKind::kPut) GASNETI_RELEASE();
  copy(displacement);
  if constexpr (kind == TransferKind::kGet) GASNETI_ACQUIRE();
}

struct Blocking {
  static void Nothing() { extended::Sync::WaitForNothing(); }

  template <TransferKind kind, class Copy, class Send>
  static void Move(extended::Target target, const void* remote, bool one_run,
                   Copy copy, Send send) {
    uintptr_t displacement;
    if (VisTransfers::FindMapped(target, remote, displacement)) {
      CopyInOrder<kind>(copy, displacement);
      if (!one_run) Nothing();
    } else {
      Iop& iop = Operations::Mine().TakeIop();
      if (!send(iop)) return Operations::Mine().Release(iop);
      extended::Sync::Wait(iop);
    }
    if constexpr (kind == TransferKind::kPut) GASNETI_FENCE();
  }
};

struct Explicit {
  static extended::Handle Nothing() { return nullptr; }

  template <TransferKind kind, class Copy, class Send>
  static extended::Handle Move(extended::Target target, const void* remote,
                               bool, Copy copy, Send send) {
    uintptr_t displacement;
    if (VisTransfers::FindMapped(target, remote, displacement)) {
      CopyInOrder<kind>(copy, displacement);
      return kind == TransferKind::kPut ? GASNETI_STORED_HANDLE : nullptr;
    }
    Iop& iop = Operations::Mine().TakeIop();
    if (!send(iop)) {
      Operations::Mine().Release(iop);
      return nullptr;
    }
    return extended::ToHandle(iop);
  }
};

struct Implicit {
  static void Nothing() {}

  template <TransferKind kind, class Copy, class Send>
  static void Move(extended::Target target, const void* remote, bool, Copy copy,
                   Send send) {
    uintptr_t displacement;
    if (VisTransfers::FindMapped(target, remote, displacement)) {
      CopyInOrder<kind>(copy, displacement);
    } else {
      send(Operations::Mine().current());
    }
  }
};

}  // namespace gasnet::vis

#endif  // VIS_WAYS_H_
