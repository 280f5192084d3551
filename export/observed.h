// The first lines of each C function that statistics and traces observe
// (core/observe/seam.h):
//
//   if (IsObserved()) [[unlikely]]
//     return Run<Call::kPut, &gasneti_put, ToNode<0>, Bytes<3>>(
//         node, dest, src, nbytes);
//
// Run calls the same function a second time, inside a CallScope. There
// IsObserved() is false. Run's other template parameters tell which arguments,
// counted from 0, hold the peer, the size, and the handler of a message.
//
// Run looks at the arguments before the function has checked them. So it reads
// no memory that an argument points to, unless the function itself would read
// that memory before its checks refuse the argument.
#ifndef EXPORT_OBSERVED_H_
#define EXPORT_OBSERVED_H_

#include <cstddef>
#include <type_traits>

#include "core/observe/seam.h"
#include "core/phase.h"
#include "core/rank.h"
#include "export/client_handler.h"
#include "gasnet/abi.h"
#include "gasnet/types.h"

struct gasneti_sd;

namespace gasnet::exported {

namespace internal {
template <size_t index, class First, class... Rest>
constexpr auto Nth(First first, Rest... rest) {
  if constexpr (index == 0) {
    return first;
  } else {
    return Nth<index - 1>(rest...);
  }
}
}  // namespace internal

// ToNobody: the call names no peer. NoBytes: the call has no size.
struct ToNobody {
  template <class... Args>
  static Rank Of(Args...) {
    return observe::kNobody;
  }
};
struct NoBytes {
  template <class... Args>
  static size_t Of(Args...) {
    return 0;
  }
};

// Finds the peer from a node number, as in GASNet-1. The number may be out of
// range. The observed function itself reports that.
template <size_t index>
struct ToNode {
  template <class... Args>
  static Rank Of(Args... args) {
    const auto node = internal::Nth<index>(args...);
    static_assert(std::is_same_v<decltype(node), const gasnet_node_t>);
    return node;
  }
};

// Finds the size as the product of these arguments.
template <size_t... indices>
struct Bytes {
  template <class... Args>
  static size_t Of(Args... args) {
    static_assert(
        (std::is_same_v<decltype(internal::Nth<indices>(args...)), size_t> &&
         ...));
    return (internal::Nth<indices>(args...) * ... * 1);
  }
};

// Finds the size as the sum of the lengths in a list of memory regions.
template <size_t count_index, size_t list_index>
struct VectorBytes {
  static constexpr bool kReadsMemory = true;
  template <class... Args>
  static size_t Of(Args... args) {
    const size_t count = internal::Nth<count_index>(args...);
    const auto* const list = internal::Nth<list_index>(args...);
    if (list == nullptr) return 0;
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i) {
      if constexpr (requires { list->gex_len; }) {
        bytes += list[i].gex_len;
      } else {
        bytes += list[i].len;
      }
    }
    return bytes;
  }
};

// Finds the size of a strided region: the product of its counts and, if given,
// of an element's size. If no element size is given, the first count is in
// bytes, and there is one more count than there are levels. A size of 0 ends
// the search, since the counts behind it may be unset.
template <size_t count_index, size_t levels_index, size_t... element_size>
struct StridedBytes {
  static constexpr bool kReadsMemory = true;
  template <class... Args>
  static size_t Of(Args... args) {
    constexpr size_t kFurther = sizeof...(element_size) == 0 ? 1 : 0;
    const size_t* const count = internal::Nth<count_index>(args...);
    const size_t counts = internal::Nth<levels_index>(args...) + kFurther;
    if (count == nullptr && counts > 0) return 0;
    size_t bytes = (internal::Nth<element_size>(args...) * ... * size_t{1});
    for (size_t i = 0; i < counts && bytes != 0; ++i) bytes *= count[i];
    return bytes;
  }
};

// Finds the handler of a message from an argument.
template <size_t index>
struct Handler {
  template <class... Args>
  static gasneti_index_t Of(Args... args) {
    const auto handler = internal::Nth<index>(args...);
    static_assert(std::is_same_v<decltype(handler), const gasneti_index_t>);
    return handler;
  }
};
struct NoHandler {
  template <class... Args>
  static gasneti_index_t Of(Args...) {
    return 0;
  }
};

namespace internal {
// DidNothing() returns true if the result of a communication call tells that
// the call had no effect.
inline bool DidNothing(int result) { return result != 0; }
inline bool DidNothing(gex_Event_t event) { return event == GEX_EVENT_NO_OP; }
inline bool DidNothing(gasneti_sd* prepared) { return prepared == nullptr; }
template <class Result>
inline bool DidNothing(const Result&) {
  return false;
}

// Returns true if the group's calls may be refused (GEX_FLAG_IMMEDIATE). Such a
// call then tells this by its result.
constexpr bool MayRefuse(char group) {
  return group == 'A' || group == 'P' || group == 'G' || group == 'R';
}

// Returns the observed arguments of a call of an attached job. Returns no size
// if the size is in memory and the peer is not in the job, because then the
// call is refused.
template <class To, class Size, class Handled, class... Args>
[[gnu::always_inline]] inline observe::CallFacts FactsOf(Args... args) {
  observe::CallFacts facts = {.peer = To::Of(args...),
                              .handler = Handled::Of(args...)};
  constexpr bool kReads = requires { Size::kReadsMemory; };
  if (!kReads || facts.peer < gasneti_world.nodes)
    facts.nbytes = Size::Of(args...);
  return facts;
}
}  // namespace internal

// Calls the function inside a CallScope. The call has no facts if it comes too
// early, or if no thread is observed.
template <observe::Call call, auto* function, class To = ToNobody,
          class Size = NoBytes, class Handled = NoHandler, class... Args>
[[gnu::noinline]] auto Run(Args... args) {
  const bool has_facts = observe::IsOn() && CurrentPhase() == Phase::kAttached;
  observe::CallScope scope(
      call, has_facts ? internal::FactsOf<To, Size, Handled>(args...)
                      : observe::CallFacts{});
  if constexpr (internal::MayRefuse(observe::GroupOf(call)) &&
                !std::is_void_v<decltype(function(args...))>) {
    const auto result = function(args...);
    if (internal::DidNothing(result)) scope.NoteRefused();
    return result;
  } else {
    return function(args...);
  }
}

// The first lines of a function that sends a message. In a flood they are a
// large part of the function, so most calls are counted without Run():
//
//   using Observed = ObservedMessage<Call::kAMRequestShort, ...>;
//   if (IsObserved() && !Observed::IsCounted(dest, handler, ...)) [[unlikely]]
//     return Observed::Call(dest, handler, ...);
template <observe::Call call, auto* function, class To, class Size,
          class Handled>
struct ObservedMessage {
  // Counts the call if this is all that there is to observe. Returns false if
  // the call needs Call(). Legal only if the call is not GEX_FLAG_IMMEDIATE.
  template <class... Args>
  [[gnu::always_inline]] static bool IsCounted(Args... args) {
    if (CurrentPhase() != Phase::kAttached) return false;
    const auto facts = internal::FactsOf<To, Size, Handled>(args...);
    // A message to another handler is refused.
    return IsClients(facts.handler) && observe::CountMessage(call, facts);
  }
  template <class... Args>
  static auto Call(Args... args) {
    return Run<call, function, To, Size, Handled>(args...);
  }
};

}  // namespace gasnet::exported

#endif  // EXPORT_OBSERVED_H_
