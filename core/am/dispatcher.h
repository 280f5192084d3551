// Runs the handler of a received message on the calling thread.
#ifndef CORE_AM_DISPATCHER_H_
#define CORE_AM_DISPATCHER_H_

#include "core/am/handler_table.h"
#include "core/am/message.h"
#include "core/thread/rules.h"

namespace gasnet::am {

// What a gasnet_token_t points to: the message being handled. Lives on the
// stack of the thread that runs the handler.
struct Token {
  Rank source;
  bool is_request;
  bool replied;
};

class Dispatcher {
 public:
  HandlerTable& handlers() { return handlers_; }

  // Runs the handler. Ends the job with a message when none is registered.
  void Deliver(const Incoming& message) {
    const AnyHandler handler = handlers_.Find(message.handler);
    if (handler == nullptr) [[unlikely]]
      Unregistered(message);
    Token token{message.source, message.lane == Lane::kRequest, false};
    const thread::HandlerScope scope(token.is_request
                                         ? thread::Context::kRequestHandler
                                         : thread::Context::kReplyHandler,
                                     message.handler);
    Call(handler, token, message);
  }

 private:
  [[noreturn]] static void Unregistered(const Incoming& message);
  static void Call(AnyHandler handler, Token& token, const Incoming& message);

  HandlerTable handlers_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_DISPATCHER_H_
