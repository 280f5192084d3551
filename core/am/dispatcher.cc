#include "core/am/dispatcher.h"

#include <array>
#include <utility>

#include "base/log.h"

namespace gasnet::am {
namespace {

// The same parameter type for every index.
template <size_t>
using Arg = int32_t;

template <size_t... I>
constexpr ShortCall* ShortCallOf(std::index_sequence<I...>) {
  return [](void* token, [[maybe_unused]] const int32_t* args,
            AnyHandler handler) {
    using Function = void (*)(void*, Arg<I>...);
    reinterpret_cast<Function>(handler)(token, args[I]...);
  };
}
template <size_t... I>
constexpr PayloadCall* PayloadCallOf(std::index_sequence<I...>) {
  return [](void* token, void* payload, size_t nbytes,
            [[maybe_unused]] const int32_t* args, AnyHandler handler) {
    using Function = void (*)(void*, void*, size_t, Arg<I>...);
    reinterpret_cast<Function>(handler)(token, payload, nbytes, args[I]...);
  };
}

template <size_t... M>
constexpr std::array<ShortCall*, sizeof...(M)> ShortCalls(
    std::index_sequence<M...>) {
  return {ShortCallOf(std::make_index_sequence<M>())...};
}
template <size_t... M>
constexpr std::array<PayloadCall*, sizeof...(M)> PayloadCalls(
    std::index_sequence<M...>) {
  return {PayloadCallOf(std::make_index_sequence<M>())...};
}

const char* Name(Lane lane) {
  return lane == Lane::kRequest ? "request" : "reply";
}
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

constexpr std::array<ShortCall*, kMaxArgs + 1> kShortCalls =
    ShortCalls(std::make_index_sequence<kMaxArgs + 1>());
constexpr std::array<PayloadCall*, kMaxArgs + 1> kPayloadCalls =
    PayloadCalls(std::make_index_sequence<kMaxArgs + 1>());

// Returns the dispatcher of the message's target endpoint. Ends the job if this
// rank lacks that endpoint, or lacks an endpoint with the sender's index. All
// ranks have endpoints with the same indices.
Dispatcher& Dispatcher::Named(Rank source, EndpointIndex index,
                              EndpointIndex across) {
  const auto senders = static_cast<EndpointIndex>(index ^ across);
  Dispatcher* const found = all_ == nullptr ? nullptr : all_->Find(index);
  if (found != nullptr && all_->Find(senders) != nullptr) return *found;
  Fatal(
      "a message from endpoint %u of rank %u is for endpoint %u of this rank; "
      "one of them does not exist; that rank's memory or the network is "
      "corrupted",
      senders, source, index);
}

void Dispatcher::Refuse(Rank source, uint8_t handler, Signature sent) const {
  if (handlers_.Find(handler) == nullptr) {
    Fatal(
        "no handler is registered at index %u, named by a %s %s from rank %u; "
        "%s",
        handler, Name(sent.category), Name(sent.lane), source,
        handler < kFirstClientHandler
            ? "the index is reserved; that rank's memory or the network is "
              "corrupted"
            : "register it with gasnet_attach or gex_EP_RegisterHandlers");
  }
  const Signature takes = handlers_.SignatureOf(handler);
  Fatal(
      "rank %u sent a %s %s with %u arguments to GASNet's own handler %u, "
      "which takes a %s %s with %u; its memory or the network is corrupted",
      source, Name(sent.category), Name(sent.lane), sent.num_args, handler,
      Name(takes.category), Name(takes.lane), takes.num_args);
}

void Dispatcher::RefuseBroken(Rank source, uint8_t handler,
                              Signature sent) const {
  const Promise& promise = handlers_.PromiseOf(handler);
  const auto has = [](unsigned bits, auto which) {
    return (bits >> static_cast<unsigned>(which) & 1) != 0;
  };
  Fatal(
      "rank %u sent a %s %s with %u arguments to handler %u, which was "
      "registered for%s%s%s, as%s%s, with %u (gex_AM_Entry_t)",
      source, Name(sent.category), Name(sent.lane), sent.num_args, handler,
      has(promise.categories, Category::kShort) ? " Shorts" : "",
      has(promise.categories, Category::kMedium) ? " Mediums" : "",
      has(promise.categories, Category::kLong) ? " Longs" : "",
      has(promise.lanes, Lane::kRequest) ? " requests" : "",
      has(promise.lanes, Lane::kReply) ? " replies" : "", promise.num_args);
}

}  // namespace gasnet::am
