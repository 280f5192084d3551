// Puts and gets between any two endpoints. If the target's segment is mapped
// into this process, a transfer is a plain copy. Otherwise it uses messages.
//
// One thread of the initiating endpoint starts each transfer and waits for it.
#ifndef EXTENDED_ENDPOINT_TRANSFERS_H_
#define EXTENDED_ENDPOINT_TRANSFERS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/runtime.h"
#include "extended/operations.h"
#include "extended/peer.h"
#include "extended/reference.h"
#include "extended/transfers.h"
#include "gasnet/abi.h"

namespace gasnet::extended {

class EndpointTransfers {
 public:
  explicit EndpointTransfers(Endpoint& own) : own_(own) {}

  // Registers the handlers that run at the target. Call it before any rank
  // starts a transfer.
  void RegisterHandlers() {
    Reference::RegisterHandlers(own_.engine().handlers());
  }

  // Put() and Get() start a transfer to or from the memory of the node's
  // endpoint `of`. nbytes is not 0. When Put() returns, its source may be
  // reused. Both return null if the transfer is already complete.
  Operation* Put(Rank node, EndpointIndex of, void* dest, const void* src,
                 size_t nbytes) {
    if (void* const mapped = Mapped(node, of, dest)) {
      Transfers::Store(mapped, src, nbytes);
      return nullptr;
    }
    return Reference::Put(Peer(own_, node, of), dest, src, nbytes,
                          Source::kReusable);
  }
  Operation* Get(void* dest, Rank node, EndpointIndex of, const void* src,
                 size_t nbytes) {
    if (const void* const mapped = Mapped(node, of, src)) {
      Transfers::Load(dest, mapped, nbytes);
      return nullptr;
    }
    return Reference::Get(dest, Peer(own_, node, of), src, nbytes);
  }

  // Serves the endpoint until the operation is complete.
  void Wait(Operation* operation) {
    own_.engine().WaitUntil(
        [&] { return operation == nullptr || IsDone(*operation); });
    if (operation != nullptr) Operations::Mine().Release(*operation);
    GASNETI_FENCE();
  }

 private:
  static void* Mapped(Rank node, EndpointIndex of, const void* address) {
    return runtime->endpoints().segments(of).peers[node].Find(address);
  }

  Endpoint& own_;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_ENDPOINT_TRANSFERS_H_
