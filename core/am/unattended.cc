#include "core/am/unattended.h"

#include "core/observe/seam.h"

namespace gasnet::am {

Unattended::Unattended(Dispatcher& dispatcher, const Incoming& message)
    : to_(dispatcher.Of(message.source, message.endpoint, message.across)),
      handler_(to_.handlers().FindUnattended(message.handler)) {
  const Signature sent = {message.lane, message.category, message.num_args};
  if (handler_ != nullptr &&
      to_.handlers().SignatureOf(message.handler) != sent) {
    handler_ = nullptr;
  }
}

bool Unattended::Run(const Incoming& message, ReplySender& sender) const {
  UnattendedToken token({.source = message.source,
                         .is_request = true,
                         .replied = false,
                         .index = message.handler,
                         .handler = handler_,
                         .to = &to_,
                         .across = message.across,
                         .category = message.category},
                        sender);
  if (observe::IsOn()) [[unlikely]] {
    observe::ServiceObservation observation(message.source, message.handler,
                                            message.nbytes);
    token.observation = &observation;
    Call(message, token);
  } else {
    Call(message, token);
  }
  return token.replied;
}

void Unattended::Call(const Incoming& message, UnattendedToken& token) const {
  Token* const plain = &token;
  if (message.category == Category::kShort) {
    kShortCalls[message.num_args](plain, message.args, handler_);
  } else {
    kPayloadCalls[message.num_args](plain, message.payload, message.nbytes,
                                    message.args, handler_);
  }
}

}  // namespace gasnet::am
