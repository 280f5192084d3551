// Sends without waiting for room.
#ifndef CORE_AM_TRY_SEND_H_
#define CORE_AM_TRY_SEND_H_

#include <cstddef>

#include "core/am/link.h"
#include "core/am/message.h"
#include "core/rma/send_state.h"

namespace gasnet::am {

// Returns false if a message with a payload of nbytes would find no room now.
template <Link L>
bool MayHaveRoom(L& link, Rank dest, Lane lane, size_t nbytes) {
  if constexpr (LinkKnowsRoom<L>) return link.MayHaveRoom(dest, lane, nbytes);
  return true;
}

// Sends the message, or returns false without any effect. Some links send a
// Long in steps: the payload first, then the header. A Long of this kind begins
// only if its header may find room. Then step_until(sent) takes all remaining
// steps. If the caller's send state is in the message, only one step is taken.
template <Link L, class StepUntil>
bool TrySend(L& link, Rank dest, Lane lane, const Message& message,
             StepUntil step_until) {
  if (link.Send(dest, lane, message) == Post::kDone) return true;
  if constexpr (LinkSendsInSteps<L>) {
    if (message.category != Category::kLong || message.send_state != nullptr ||
        !MayHaveRoom(link, dest, lane, 0)) {
      return false;
    }
    Message copy = message;
    SendState send_state;
    copy.send_state = &send_state;
    const auto sent = [&] {
      return link.Send(dest, lane, copy) == Post::kDone;
    };
    if (sent()) return true;
    if (!send_state.HasBegun()) return false;
    step_until(sent);
    return true;
  }
  return false;
}

}  // namespace gasnet::am

#endif  // CORE_AM_TRY_SEND_H_
