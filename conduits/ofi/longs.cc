#include "conduits/ofi/longs.h"

#include <cstddef>

#include "core/rma/rma.h"
#include "core/rma/send_state.h"

namespace gasnet::ofi {

am::Post Longs::Send(Rank peer, Lane lane, const am::Message& message) {
  if (message.send_state == nullptr) return am::Post::kRetry;
  am::SendState& send_state = *message.send_state;
  const bool at_once = path_ != LongPath::kInTwoSteps;
  // The Long needs to wait for the put in two cases: the client may change the
  // source once the Long is done, or the path is kInTwoSteps. In two steps,
  // even the header waits for the put.
  const bool waits = !at_once || !message.stays;
  rma::PendingCount& complete = waits ? send_state.complete : unawaited_;
  if (!PostPayload(peer, message, complete)) return am::Post::kRetry;
  if (!at_once && !complete.IsOver()) return am::Post::kRetry;
  // Sends the header once. `held` is null until the header has been sent.
  if (send_state.held == nullptr) {
    am::Message header = message;
    header.payload_sent = true;
    const bool fenced = path_ == LongPath::kFenced;
    if (messages_.Send(peer, lane, header, fenced) == am::Post::kRetry) {
      return am::Post::kRetry;
    }
    send_state.held = this;
  }
  return !waits || complete.IsOver() ? am::Post::kDone : am::Post::kRetry;
}

// Posts the payload. Returns false if a later call must post the rest of it.
bool Longs::PostPayload(Rank peer, const am::Message& message,
                        rma::PendingCount& complete) {
  size_t& posted = message.send_state->posted;
  while (posted < message.nbytes) {
    const rma::Posted part = transfers_.Post(
        rma::Put{peer, static_cast<std::byte*>(message.dest_addr) + posted,
                 static_cast<const std::byte*>(message.payload) + posted,
                 message.nbytes - posted, &complete, nullptr});
    if (part.state == rma::PostState::kRetry) return false;
    posted += part.nbytes;
  }
  return true;
}

}  // namespace gasnet::ofi
