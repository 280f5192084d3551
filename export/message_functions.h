// The functions for active messages (gasnet/am.h), as the C functions call
// them.
//
// All code between a C function and the link is inlined. So arguments that are
// constant in a function, such as the category, cost nothing.
#ifndef EXPORT_MESSAGE_FUNCTIONS_H_
#define EXPORT_MESSAGE_FUNCTIONS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/log.h"
#include "core/am/engine.h"
#include "core/am/message.h"
#include "core/endpoint_index.h"
#include "core/observe/seam.h"
#include "core/phase.h"
#include "core/runtime/runtime.h"
#include "core/segment.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "ex/endpoint.h"
#include "ex/further_messages.h"
#include "export/client_handler.h"
#include "extended/target.h"
#include "gasnet/abi.h"
#include "gasnet/am.h"
#include "gasnet/types.h"

namespace gasnet::exported {

// Short() and the functions below make messages from a client's arguments. They
// truncate the handler's index to the width that it has in a message.
inline am::Message Short(gasneti_index_t handler, unsigned numargs,
                         const gasnet_handlerarg_t* args) {
  return {.category = am::Category::kShort,
          .handler = static_cast<uint8_t>(handler),
          .num_args = static_cast<uint8_t>(numargs),
          .args = args};
}
inline am::Message Medium(gasneti_index_t handler, const void* source,
                          size_t nbytes, unsigned numargs,
                          const gasnet_handlerarg_t* args) {
  return {.category = am::Category::kMedium,
          .handler = static_cast<uint8_t>(handler),
          .num_args = static_cast<uint8_t>(numargs),
          .args = args,
          .payload = source,
          .nbytes = nbytes};
}
inline am::Message Long(gasneti_index_t handler, const void* source,
                        size_t nbytes, void* dest_addr, unsigned numargs,
                        const gasnet_handlerarg_t* args) {
  am::Message message = Medium(handler, source, nbytes, numargs, args);
  message.category = am::Category::kLong;
  message.dest_addr = dest_addr;
  return message;
}

class MessageFunctions {
 public:
  // Sends a request. call: the public name of the function, for error messages.
  // handler: the index as the client passed it, not truncated.
  [[gnu::always_inline]] static int Request(const char* call,
                                            gasnet_node_t dest,
                                            gasneti_index_t handler,
                                            const am::Message& message) {
    CheckRequest(call, dest, message);
    if (!IsClients(handler)) [[unlikely]]
      return GASNET_ERR_BAD_ARG;
    runtime->engine().Request(dest, message);
    return GASNET_OK;
  }

  // Sends a request for GASNet-EX. Returns 0, or 1 if `immediate` is set and
  // the call would have to wait.
  [[gnu::always_inline]] static int RequestEx(const char* call,
                                              gasnet_node_t dest,
                                              gasneti_index_t handler,
                                              const am::Message& message,
                                              bool immediate) {
    CheckRequest(call, dest, message);
    if (!IsClients(handler)) [[unlikely]]
      RefuseHandler(call, handler);
    if (immediate) return !runtime->engine().TryRequest(dest, message);
    runtime->engine().Request(dest, message);
    return 0;
  }

  // Sends a request like RequestEx(), but from or to an endpoint other than 0.
  [[gnu::noinline]] static int RequestFurther(
      const char* call, const gasneti_ep& own, extended::Target to,
      gasneti_index_t handler, const am::Message& message, bool immediate) {
    RequireAttached(call);
    if constexpr (thread::kChecks) {
      thread::RequireMayCommunicate(call);
      CheckMessage(call, message, runtime->engine().MaxLong(am::Lane::kRequest),
                   to.node, SegmentOf(to));
    }
    if (!IsClients(handler)) RefuseHandler(call, handler);
    return !ex::FurtherMessages::Mine().Request(own, to, message, immediate);
  }

  [[gnu::always_inline]] static int Reply(const char* call,
                                          gasnet_token_t opaque,
                                          gasneti_index_t handler,
                                          const am::Message& message) {
    am::Token& token = CheckedToken(call, opaque, message);
    if (!IsClients(handler)) [[unlikely]]
      return GASNET_ERR_BAD_ARG;
    if (ex::FurtherMessages::Brought(token)) [[unlikely]] {
      const am::Message copy = message;
      ReplyFurther(token, copy, false);
      return GASNET_OK;
    }
    runtime->EndpointOf(token).engine().Reply(token, message);
    return GASNET_OK;
  }

  // Sends a reply for GASNet-EX. Returns 0, or 1 if `immediate` is set and the
  // call would have to wait.
  [[gnu::always_inline]] static int ReplyEx(const char* call,
                                            gasnet_token_t opaque,
                                            gasneti_index_t handler,
                                            const am::Message& message,
                                            bool immediate) {
    am::Token& token = CheckedToken(call, opaque, message);
    if (!IsClients(handler)) [[unlikely]]
      RefuseHandler(call, handler);
    if (ex::FurtherMessages::Brought(token)) [[unlikely]] {
      const am::Message copy = message;
      return ReplyFurther(token, copy, immediate);
    }
    Engine& engine = runtime->EndpointOf(token).engine();
    if (immediate) return !engine.TryReply(token, message);
    engine.Reply(token, message);
    return 0;
  }

  static int Source(gasnet_token_t token, gasnet_node_t* source) {
    RequireAttached("gasnet_AMGetMsgSource");
    if (token == nullptr || source == nullptr) return GASNET_ERR_BAD_ARG;
    *source = static_cast<const am::Token*>(token)->source;
    return GASNET_OK;
  }

  // Returns the largest payload of a Medium in bytes. Legal from gasnet_init
  // on.
  static size_t MaxMedium(const char* call) {
    RequireInitialised(call);
    return runtime->engine().MaxMedium();
  }
  static size_t MaxLong(const char* call, am::Lane lane) {
    RequireInitialised(call);
    return runtime->engine().MaxLong(lane);
  }

  static int Poll(const char* call) {
    RequireMayServe(call);
    runtime->engine().PollOrYield();
    return GASNET_OK;
  }

  // Serves the network in a wait whose loop is in the client's code. The client
  // keeps the state of the wait between steps.
  static void WaitServe(const char* call) {
    RequireMayServe(call);
    runtime->engine().ServeInPassing();
  }
  static void WaitStep(const char* call, gasneti_wait_t* wait) {
    RequireMayServe(call);
    if (observe::IsOn()) [[unlikely]]
      observe::NoteConditionStep();
    auto state = std::bit_cast<am::Wait>(*wait);
    runtime->engine().WaitStep(state, am::EndedBy::kAnything,
                               am::WaitForCondition{});
    *wait = std::bit_cast<gasneti_wait_t>(state);
  }
  static void WaitEnd(gasneti_wait_t* wait) {
    auto state = std::bit_cast<am::Wait>(*wait);
    runtime->engine().EndWait(state);
    if (observe::IsOn()) [[unlikely]]
      observe::EndCondition();
  }

 private:
  static void RequireMayServe(const char* call) {
    RequireAttached(call);
    thread::RequireMayCommunicate(call);
  }

  [[gnu::always_inline]] static void CheckRequest(const char* call,
                                                  gasnet_node_t dest,
                                                  const am::Message& message) {
    RequireAttached(call);
    if constexpr (!thread::kChecks) return;
    thread::RequireMayCommunicate(call);
    CheckNode(call, dest);
    CheckMessage(call, message, runtime->engine().MaxLong(am::Lane::kRequest),
                 dest, runtime->segments()[dest]);
  }

  [[gnu::always_inline]] static am::Token& CheckedToken(
      const char* call, gasnet_token_t opaque, const am::Message& message) {
    RequireAttached(call);
    if constexpr (thread::kChecks) {
      if (opaque == nullptr) Fatal("%s: the token is null", call);
    }
    auto& token = *static_cast<am::Token*>(opaque);
    if constexpr (!thread::kChecks) return token;
    thread::RequireMayReply(call, token.is_request, token.replied);
    CheckReply(call, token, message);
    return token;
  }

  [[gnu::noinline]] static int ReplyFurther(am::Token& token,
                                            const am::Message& message,
                                            bool immediate) {
    return !ex::FurtherMessages::Mine().Reply(token, message, immediate);
  }

  // Returns the segment of an endpoint. Returns an empty segment if this
  // process does not know it.
  static Segment SegmentOf(extended::Target target) {
    return target.endpoint == 0 ? runtime->segments()[target.node]
                                : runtime->further_segments().Published(
                                      target.node, target.endpoint);
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void RefuseHandler(
      const char* call, gasneti_index_t handler) {
    Fatal("%s: handler %u is out of range; a client's are %u to %u", call,
          handler, am::kFirstClientHandler, am::kHandlers - 1);
  }

  static void CheckNode(const char* call, gasnet_node_t node) {
    if (node >= gasneti_world.nodes) {
      Fatal("%s: node %u is out of range; this job has nodes 0 to %u", call,
            node, gasneti_world.nodes - 1);
    }
  }

  static void CheckPayload(const char* call, size_t nbytes, size_t limit) {
    if (nbytes > limit) {
      Fatal("%s: nbytes is %zu; the limit is %zu", call, nbytes, limit);
    }
  }

  static void CheckDestination(const char* call, gasnet_node_t node,
                               const Segment& segment, const void* address,
                               size_t nbytes) {
    if (nbytes == 0) return;
    if (segment.Contains(address, nbytes)) return;
    Fatal(
        "%s: destination %p, %zu bytes, is outside the segment of "
        "node %u, %p, %zu bytes",
        call, address, nbytes, node, reinterpret_cast<void*>(segment.base),
        static_cast<size_t>(segment.size));
  }

  // Checks the sizes and the destination of a message. segment: the segment of
  // the endpoint on `node` that receives the message.
  static void CheckMessage(const char* call, const am::Message& message,
                           size_t max_long, gasnet_node_t node,
                           const Segment& segment) {
    if (message.category == am::Category::kMedium) {
      CheckPayload(call, message.nbytes, runtime->engine().MaxMedium());
    } else if (message.category == am::Category::kLong) {
      CheckPayload(call, message.nbytes, max_long);
      CheckDestination(call, node, segment, message.dest_addr, message.nbytes);
    }
  }

  // Checks a reply. A reply goes from the endpoint that runs the handler to the
  // endpoint that sent the request.
  static void CheckReply(const char* call, const am::Token& token,
                         const am::Message& message) {
    const EndpointIndex from = token.to->index();
    const auto to = static_cast<EndpointIndex>(from ^ token.across);
    if (ex::FurtherMessages::Brought(token)) {
      const size_t most =
          ex::FurtherMessages::MaxReply(message.category, message.num_args);
      CheckPayload(call, message.nbytes, most);
      return CheckMessage(call, message, most, token.source,
                          SegmentOf({token.source, to}));
    }
    const Engine& engine = runtime->EndpointOf(token).engine();
    const size_t max_long =
        from == 0 && to == 0
            ? engine.MaxLong(am::Lane::kReply)
            : engine.MaxLongTo(token.source, am::Lane::kReply, token.across);
    const std::span<const Segment> segments =
        to == 0 ? runtime->segments()
                : runtime->endpoints().segments(to).by_rank;
    CheckMessage(call, message, max_long, token.source, segments[token.source]);
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_MESSAGE_FUNCTIONS_H_
