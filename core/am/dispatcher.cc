#include "core/am/dispatcher.h"

#include <array>
#include <utility>

#include "base/log.h"

namespace gasnet::am {
namespace {

using Invoker = void (*)(AnyHandler, Token&, const Incoming&);

// A parameter type that does not depend on its index.
template <size_t>
using Arg = int32_t;

template <size_t... I>
void InvokeShort(AnyHandler handler, Token& token, const Incoming& message) {
  using Function = void (*)(void*, Arg<I>...);
  reinterpret_cast<Function>(handler)(&token, message.args[I]...);
}

template <size_t... I>
void InvokeWithPayload(AnyHandler handler, Token& token,
                       const Incoming& message) {
  using Function = void (*)(void*, void*, size_t, Arg<I>...);
  reinterpret_cast<Function>(handler)(&token, message.payload, message.nbytes,
                                      message.args[I]...);
}

template <size_t... I>
constexpr Invoker ShortInvoker(std::index_sequence<I...>) {
  return &InvokeShort<I...>;
}
template <size_t... I>
constexpr Invoker PayloadInvoker(std::index_sequence<I...>) {
  return &InvokeWithPayload<I...>;
}

template <size_t... M>
constexpr auto ShortInvokers(std::index_sequence<M...>) {
  return std::array{ShortInvoker(std::make_index_sequence<M>())...};
}
template <size_t... M>
constexpr auto PayloadInvokers(std::index_sequence<M...>) {
  return std::array{PayloadInvoker(std::make_index_sequence<M>())...};
}

// One call sequence for each number of arguments.
constexpr auto kShort = ShortInvokers(std::make_index_sequence<kMaxArgs + 1>());
constexpr auto kPayload =
    PayloadInvokers(std::make_index_sequence<kMaxArgs + 1>());

const char* Name(Category category) {
  switch (category) {
    case Category::kShort:
      return "Short";
    case Category::kMedium:
      return "Medium";
    case Category::kLong:
      return "Long";
  }
  return "unknown";
}

}  // namespace

void Dispatcher::Call(AnyHandler handler, Token& token,
                      const Incoming& message) {
  const auto& invokers =
      message.category == Category::kShort ? kShort : kPayload;
  invokers[message.num_args](handler, token, message);
}

void Dispatcher::Unregistered(const Incoming& message) {
  Fatal(
      "no handler is registered at index %u, named by a %s %s from rank %u; "
      "register it in the table of gasnet_attach",
      message.handler, Name(message.category),
      message.lane == Lane::kRequest ? "request" : "reply", message.source);
}

}  // namespace gasnet::am
