// One operation of a call that may not wait for room (GEX_FLAG_IMMEDIATE).
//
//   untried --room for its first message or transfer--> begun
//      `-----no room--> refused: nothing has happened
//
// Once the operation has begun, each of its messages and transfers is posted or
// kept in the backlog, so the call need not wait. If the operation is refused,
// the caller undoes its preparations. A peer with a backlog counts as having no
// room. So the client must poll before it can start more operations, and the
// backlog stays bounded.
//
// Functions that start operations take a pointer to an Attempt. If the pointer
// is null, they wait for room.
#ifndef EXTENDED_ATTEMPT_H_
#define EXTENDED_ATTEMPT_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/am/message.h"
#include "core/rma/atomic.h"
#include "core/rma/rma.h"
#include "extended/backlog.h"
#include "extended/peer.h"

namespace gasnet::extended {

class Attempt {
 public:
  bool refused() const { return state_ == State::kRefused; }

  // Sends a message, or keeps it in the backlog. Returns false if the operation
  // is refused.
  bool Request(const Peer& peer, const am::Message& message);

  // Posts an atomic by the network, or refuses the operation. The atomic is the
  // whole operation, so it is never kept.
  void PostAtomic(rma::Rma& rma, const rma::Atomic& atomic);

  // Posts a transfer by the network (an rma::Put or rma::Get), or keeps it in
  // the backlog. Returns false if the operation is refused.
  template <class Transfer>
  bool Post(rma::Rma& rma, Transfer transfer) {
    if (refused()) return false;
    const size_t nbytes = transfer.nbytes;
    if (!Backlog::Mine().Has(transfer.peer) && PostSome(rma, transfer)) {
      state_ = State::kBegun;
      return true;
    }
    if (transfer.nbytes < nbytes) state_ = State::kBegun;
    if (!MayKeep()) return false;
    Backlog::Mine().Add(
        transfer.peer, std::make_unique<KeptTransfer<Transfer>>(rma, transfer));
    return true;
  }

 private:
  enum class State : uint8_t { kUntried, kBegun, kRefused };

  // Posts bytes from the front of the transfer while there is room. Returns
  // true if it posted all of them. Otherwise `transfer` becomes the rest.
  template <class Transfer>
  static bool PostSome(rma::Rma& rma, Transfer& transfer) {
    for (;;) {
      const rma::Posted posted = rma.Post(transfer);
      if (posted.state == rma::PostState::kRetry) return false;
      if (posted.nbytes == transfer.nbytes) return true;
      transfer.nbytes -= posted.nbytes;
      transfer.dest = static_cast<std::byte*>(transfer.dest) + posted.nbytes;
      transfer.src =
          static_cast<const std::byte*>(transfer.src) + posted.nbytes;
    }
  }

  // The unposted rest of a transfer, in the backlog. It counts as one
  // incomplete transfer until all of it is posted.
  template <class Transfer>
  class KeptTransfer final : public Backlog::Item {
   public:
    KeptTransfer(rma::Rma& rma, const Transfer& transfer)
        : rma_(rma), transfer_(transfer) {
      transfer.complete->Begin();
      if (rma::PendingCount* const sources = Sources()) sources->Begin();
    }
    ~KeptTransfer() override {
      if (rma::PendingCount* const sources = Sources()) sources->End();
      transfer_.complete->End();
    }
    bool Post() override { return PostSome(rma_, transfer_); }

   private:
    rma::PendingCount* Sources() const {
      if constexpr (requires { transfer_.sources; }) return transfer_.sources;
      return nullptr;
    }

    rma::Rma& rma_;
    Transfer transfer_;
  };

  // Returns true if the operation has begun. Otherwise marks it as refused.
  bool MayKeep() {
    if (state_ == State::kUntried) state_ = State::kRefused;
    return state_ == State::kBegun;
  }

  State state_ = State::kUntried;
};

// Sends a message of an operation. Returns false if the operation is refused.
[[gnu::always_inline]] inline bool Send(const Peer& peer,
                                        const am::Message& message,
                                        Attempt* attempt) {
  if (attempt != nullptr) [[unlikely]]
    return attempt->Request(peer, message);
  peer.Request(message);
  return true;
}

inline bool IsRefused(const Attempt* attempt) {
  return attempt != nullptr && attempt->refused();
}

}  // namespace gasnet::extended

#endif  // EXTENDED_ATTEMPT_H_
