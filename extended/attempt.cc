#include "extended/attempt.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "core/am/payload.h"
#include "core/rma/send_state.h"
#include "core/runtime/runtime.h"

namespace gasnet::extended {
namespace {

// A message that waits in the backlog. It has copies of the message's arguments
// and payload. A payload that is lent is not copied.
class KeptMessage final : public Backlog::Item {
 public:
  KeptMessage(const Peer& peer, const am::Message& message)
      : engine_(peer.engine()), node_(peer.node), message_(message) {
    message_.across = peer.across;
    message_.send_state = &send_state_;
    std::copy_n(message.args, message.num_args, args_.begin());
    message_.args = args_.data();
    if (message.loan != nullptr) {
      message.loan->readers.fetch_add(1, std::memory_order_relaxed);
    } else if (message.nbytes > 0) {
      payload_ = std::make_unique_for_overwrite<std::byte[]>(message.nbytes);
      am::WritePayload(payload_.get(), message);
      message_.payload = payload_.get();
      message_.gather = nullptr;
    }
  }
  ~KeptMessage() override {
    if (message_.loan == nullptr) return;
    message_.loan->readers.fetch_sub(1, std::memory_order_release);
  }

  bool Post() override { return engine_.TryRequest(node_, message_); }

 private:
  Engine& engine_;
  const Rank node_;
  am::Message message_;
  am::SendState send_state_;
  std::array<int32_t, am::kMaxArgs> args_;
  std::unique_ptr<std::byte[]> payload_;
};

}  // namespace

bool Attempt::Request(const Peer& peer, const am::Message& message) {
  if (refused()) return false;
  if (!Backlog::Mine().Has(peer.node)) {
    am::Message tried = message;
    tried.across = peer.across;
    if (peer.engine().TryRequest(peer.node, tried)) {
      state_ = State::kBegun;
      return true;
    }
  }
  if (!MayKeep()) return false;
  Backlog::Mine().Add(peer.node, std::make_unique<KeptMessage>(peer, message));
  return true;
}

void Attempt::PostAtomic(rma::Rma& rma, const rma::Atomic& atomic) {
  const bool posted = !Backlog::Mine().Has(atomic.peer) &&
                      rma.PostAtomic(atomic) != rma::PostState::kRetry;
  state_ = posted ? State::kBegun : State::kRefused;
}

}  // namespace gasnet::extended
