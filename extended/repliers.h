// The two ways in which a handler at the target of an operation replies. Each
// of these handlers exists twice: one runs on a thread that polls, the other on
// a thread of the network (core/am/unattended.h).
#ifndef EXTENDED_REPLIERS_H_
#define EXTENDED_REPLIERS_H_

#include "core/am/message.h"
#include "core/am/unattended.h"
#include "core/runtime/runtime.h"

namespace gasnet::extended {

// Sends a handler's reply, and waits for room.
struct WaitingReply {
  static void Reply(am::Token& token, const am::Message& message) {
    runtime->EndpointOf(token).engine().Reply(token, message);
  }
};

// Sends the reply of an unattended handler if there is room.
struct UnattendedReply {
  static void Reply(am::Token& token, const am::Message& message) {
    static_cast<am::UnattendedToken&>(token).TryReply(message);
  }
};

}  // namespace gasnet::extended

#endif  // EXTENDED_REPLIERS_H_
