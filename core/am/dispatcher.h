// Runs the handler of a received message on the calling thread. An endpoint has
// a dispatcher, and the dispatchers of a rank know each other: messages from a
// network may be for any of them.
#ifndef CORE_AM_DISPATCHER_H_
#define CORE_AM_DISPATCHER_H_

#include <array>
#include <atomic>

#include "base/client_function.h"
#include "core/am/handler_table.h"
#include "core/am/message.h"
#include "core/segment.h"
#include "core/thread/rules.h"

namespace gasnet::am {

class Dispatcher;

// The message being handled, to which the token of its handler points. Lives on
// the stack of the thread that runs the handler.
struct Token {
  Rank source;
  bool is_request;
  bool replied;
  // The handler, for the error message if it does not return. Kept here, they
  // take no register while it runs.
  uint8_t index;
  AnyHandler handler;
  // The endpoint that the message is for, and the difference to the endpoint
  // that it comes from, to which a reply goes (Message::across). Not next to
  // the other bytes, since a compiler would put them together in one register,
  // byte by byte.
  Dispatcher* to;
  EndpointIndex across;
  Category category;
};

// The dispatchers of a rank, indexed by endpoint.
class Dispatchers {
 public:
  // Returns null if there is no such endpoint.
  Dispatcher* Find(EndpointIndex index) const {
    return all_[index].load(std::memory_order_acquire);
  }
  // Adds a dispatcher. It lives as long as any rank may send to it, and is
  // added before any does.
  void Add(EndpointIndex index, Dispatcher& dispatcher) {
    all_[index].store(&dispatcher, std::memory_order_release);
  }

 private:
  std::array<std::atomic<Dispatcher*>, kMaxEndpoints> all_{};
};

// Calls of a handler with its arguments from an array: one function for each
// number of arguments. Parameters are in the order of the handler's.
using ShortCall = void(void* token, const int32_t* args, AnyHandler handler);
using PayloadCall = void(void* token, void* payload, size_t nbytes,
                         const int32_t* args, AnyHandler handler);
extern const std::array<ShortCall*, kMaxArgs + 1> kShortCalls;
extern const std::array<PayloadCall*, kMaxArgs + 1> kPayloadCalls;

class Dispatcher {
 public:
  // index: that of the endpoint, of which other dispatchers know nothing until
  // it joins them.
  explicit Dispatcher(EndpointIndex index = 0) : index_(index) {}

  HandlerTable& handlers() { return handlers_; }

  // The endpoint's segment, to which Longs go.
  const Segment& segment() const { return segment_; }
  void SetSegment(const Segment& segment) { segment_ = segment; }

  // Makes this one of several dispatchers of the rank. One that has not joined
  // is that of endpoint 0.
  void Join(Dispatchers& all, EndpointIndex index) {
    all_ = &all;
    index_ = index;
    all.Add(index, *this);
  }
  EndpointIndex index() const { return index_; }

  // Returns the dispatcher of this rank's endpoint that a message is for. Ends
  // the job if there is none, or none with the sender's index, which a reply
  // would need: `source` is not to be trusted.
  [[gnu::always_inline]] Dispatcher& Of(Rank source, EndpointIndex index,
                                        EndpointIndex across) {
    return index == index_ && across == 0 ? *this
                                          : Named(source, index, across);
  }
  // Returns the dispatcher of an endpoint that exists.
  Dispatcher& Another(EndpointIndex index) const { return *all_->Find(index); }

  // Runs the handler of a message that may be for any endpoint of this rank.
  [[gnu::always_inline]] void Route(const Incoming& message) {
    Of(message.source, message.endpoint, message.across).Deliver(message);
  }

  // Runs the handler of a message for this endpoint. Ends the job with an error
  // message if no handler is registered, or if GASNet's own handler does not
  // take such a message, since a peer may send anything. Only the client knows
  // the arguments of its own handlers. A handler that does not return ends the
  // job too.
  [[gnu::always_inline]] void Deliver(const Incoming& message) {
    const AnyHandler handler = handlers_.Find(message.handler);
    const Signature signature = SignatureOf(message);
    if (handler == nullptr ||
        (message.handler < kFirstClientHandler &&
         handlers_.SignatureOf(message.handler) != signature)) [[unlikely]]
      Refuse(message.source, message.handler, signature);
    if constexpr (thread::kChecks) {
      if (message.handler >= kFirstClientHandler &&
          !handlers_.PromiseOf(message.handler).Allows(signature)) {
        RefuseBroken(message.source, message.handler, signature);
      }
    }
    Token token{message.source, message.lane == Lane::kRequest,
                false,          message.handler,
                handler,        this,
                message.across, message.category};
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
  // Gets its values in registers. Otherwise the message would have to be in
  // memory before it is known if this is called.
  [[noreturn, gnu::cold, gnu::noinline]] void Refuse(Rank source,
                                                     uint8_t handler,
                                                     Signature sent) const;

  // Ends the job: the message is not as its handler was registered for.
  [[noreturn, gnu::cold, gnu::noinline]] void RefuseBroken(
      Rank source, uint8_t handler, Signature sent) const;

  [[gnu::noinline]] Dispatcher& Named(Rank source, EndpointIndex index,
                                      EndpointIndex across);

  HandlerTable handlers_;
  EndpointIndex index_;
  Dispatchers* all_ = nullptr;
  Segment segment_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_DISPATCHER_H_
