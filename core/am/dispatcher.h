// Runs the handler of a received message on the calling thread. Each endpoint
// has a dispatcher. The dispatchers of a rank know each other, because messages
// from a network may be for any of them.
#ifndef CORE_AM_DISPATCHER_H_
#define CORE_AM_DISPATCHER_H_

#include <array>
#include <atomic>

#include "base/client_function.h"
#include "core/am/handler_table.h"
#include "core/am/message.h"
#include "core/observe/seam.h"
#include "core/segment.h"
#include "core/thread/rules.h"

namespace gasnet::am {

class Dispatcher;

// The message that is being handled. The token of the handler points to it. The
// message lives on the stack of the thread that runs the handler.
struct Token {
  Rank source;
  bool is_request;
  bool replied;
  // The handler. An error message names it if it does not return. Stored here,
  // so that it takes no register while it runs.
  uint8_t index;
  AnyHandler handler;
  // The target endpoint of the message, and the XOR of its index and the
  // sender's index (Message::across). A reply goes to the sender's endpoint.
  // `across` and `category` are not adjacent to other small fields. A compiler
  // would combine adjacent bytes in a register, one by one.
  Dispatcher* to;
  EndpointIndex across;
  Category category;
};

// The dispatchers of a rank, indexed by endpoint.
class Dispatchers {
 public:
  // Returns the dispatcher of an endpoint, or null if the rank has no such
  // endpoint.
  Dispatcher* Find(EndpointIndex index) const {
    return all_[index].load(std::memory_order_acquire);
  }
  // Adds a dispatcher. Must be called before any rank may send to its endpoint.
  // The dispatcher must live as long as ranks may send to it.
  void Add(EndpointIndex index, Dispatcher& dispatcher) {
    all_[index].store(&dispatcher, std::memory_order_release);
  }

 private:
  std::array<std::atomic<Dispatcher*>, kMaxEndpoints> all_{};
};

// Tables of functions that call a handler with arguments from an array: one
// function for each number of arguments. Parameters are in the handler's order.
using ShortCall = void(void* token, const int32_t* args, AnyHandler handler);
using PayloadCall = void(void* token, void* payload, size_t nbytes,
                         const int32_t* args, AnyHandler handler);
extern const std::array<ShortCall*, kMaxArgs + 1> kShortCalls;
extern const std::array<PayloadCall*, kMaxArgs + 1> kPayloadCalls;

class Dispatcher {
 public:
  // Makes a dispatcher of the endpoint `index`. Other dispatchers find it only
  // after Join().
  explicit Dispatcher(EndpointIndex index = 0) : index_(index) {}

  HandlerTable& handlers() { return handlers_; }

  // The segment of the endpoint. Longs to the endpoint write to it.
  const Segment& segment() const { return segment_; }
  void SetSegment(const Segment& segment) { segment_ = segment; }

  // Makes this one of several dispatchers of the rank. Without Join, it is
  // endpoint 0.
  void Join(Dispatchers& all, EndpointIndex index) {
    all_ = &all;
    index_ = index;
    all.Add(index, *this);
  }
  EndpointIndex index() const { return index_; }

  // Returns the dispatcher of the endpoint that a message is for. Ends the job
  // if this rank has no such endpoint. Also ends the job if it has none with
  // the sender's index, because a reply needs one. A peer's indices cannot be
  // trusted.
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
  // message if no handler is registered. Also ends the job if one of GASNet's
  // own handlers does not accept the message, because a peer may send anything.
  // Arguments of client handlers cannot be checked. Also ends the job if a
  // handler does not return.
  [[gnu::always_inline]] void Deliver(const Incoming& message) {
    observe::HandlerCount count;
    if (observe::IsOn() && !count.Begin(message.handler, message.nbytes))
        [[unlikely]] {
      // Only this path copies the message to memory.
      const Incoming copy = message;
      return DeliverObserved(copy);
    }
    Run(message);
    count.End();
  }

 private:
  [[gnu::always_inline]] void Run(const Incoming& message) {
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

  [[gnu::noinline]] void DeliverObserved(const Incoming& message) {
    const observe::HandlerObservation scope(message.source, message.handler,
                                            message.nbytes);
    Run(message);
  }

  static Signature SignatureOf(const Incoming& message) {
    return {message.lane, message.category, message.num_args};
  }
  // Ends the job: no handler is registered for the message, or one of GASNet's
  // own handlers does not accept it. Takes values instead of the message. A
  // pointer to the message would force it into memory in every caller.
  [[noreturn, gnu::cold, gnu::noinline]] void Refuse(Rank source,
                                                     uint8_t handler,
                                                     Signature sent) const;

  // Ends the job: the message does not match the handler's registration.
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
