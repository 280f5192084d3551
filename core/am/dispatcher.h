// Runs the handler of a received message on the calling thread.
#ifndef CORE_AM_DISPATCHER_H_
#define CORE_AM_DISPATCHER_H_

#include <array>

#include "base/client_function.h"
#include "core/am/handler_table.h"
#include "core/am/message.h"
#include "core/thread/rules.h"

namespace gasnet::am {

// The target of a gasnet_token_t: the message being handled. Lives on the stack
// of the thread that runs the handler.
struct Token {
  Rank source;
  bool is_request;
  bool replied;
  // For the message where it does not return. Here, no register keeps them
  // while it runs.
  uint8_t index;
  AnyHandler handler;
};

// Call a handler with its arguments from an array: one function for each number
// of arguments. Parameters are in the order in which the handler wants them.
using ShortCall = void(void* token, const int32_t* args, AnyHandler handler);
using PayloadCall = void(void* token, void* payload, size_t nbytes,
                         const int32_t* args, AnyHandler handler);
extern const std::array<ShortCall*, kMaxArgs + 1> kShortCalls;
extern const std::array<PayloadCall*, kMaxArgs + 1> kPayloadCalls;

class Dispatcher {
 public:
  HandlerTable& handlers() { return handlers_; }

  // Runs the handler. Ends the job with a message when none is registered, and
  // when one of GASNet's own does not take such a message: a peer may send
  // anything. Only the client knows the arguments of its own handlers. A
  // handler that does not return ends the job too.
  [[gnu::always_inline]] void Deliver(const Incoming& message) {
    const AnyHandler handler = handlers_.Find(message.handler);
    const Signature signature = SignatureOf(message);
    if (handler == nullptr ||
        (message.handler < kFirstClientHandler &&
         handlers_.SignatureOf(message.handler) != signature)) [[unlikely]]
      Refuse(message.source, message.handler, signature);
    Token token{message.source, message.lane == Lane::kRequest, false,
                message.handler, handler};
    const thread::HandlerScope scope(token.is_request
                                         ? thread::Context::kRequestHandler
                                         : thread::Context::kReplyHandler,
                                     message.handler);
    try {
      if (message.category == Category::kShort) {
        kShortCalls[message.num_args](&token, message.args, handler);
      } else {
        kPayloadCalls[message.num_args](&token, message.payload, message.nbytes,
                                        message.args, handler);
      }
    } catch (...) {
      RefuseUnwinding("handler", token.index, token.handler);
    }
  }

 private:
  static Signature SignatureOf(const Incoming& message) {
    return {message.lane, message.category, message.num_args};
  }
  // Gets what it tells in registers: else the message would have to be in
  // memory before it is known whether it must.
  [[noreturn, gnu::cold, gnu::noinline]] void Refuse(Rank source,
                                                     uint8_t handler,
                                                     Signature sent) const;

  HandlerTable handlers_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_DISPATCHER_H_
