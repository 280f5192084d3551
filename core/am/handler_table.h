// The 256 active-message handlers of an endpoint (spec 2.1.0.2).
//
// GASNet's own handlers are written before the first message can arrive, and
// stay. A client's handlers may be added while other threads deliver messages:
// the function is written last (release), and read with acquire.
#ifndef CORE_AM_HANDLER_TABLE_H_
#define CORE_AM_HANDLER_TABLE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/am/message.h"

namespace gasnet::am {

using AnyHandler = void (*)();

// A Landing returns the destination of a Long that this rank has requested. So
// the message carries no address. The arguments come from another rank: the
// Landing checks them, and ends the job if they are wrong. The receiving thread
// calls the Landing before the first byte is placed. If there was no room for
// the message, the thread calls it again later. The Landing of a reply may run
// on any thread, beside the client's threads in every threading mode.
using Landing = void* (*)(Rank source, const int32_t* args, unsigned num_args,
                          size_t nbytes);

// The only form of message that one of GASNet's own handlers accepts.
struct Signature {
  Lane lane = Lane::kRequest;
  Category category = Category::kShort;
  uint8_t num_args = 0;

  bool operator==(const Signature&) const = default;
};

// The messages that a client promises to send to one of its handlers
// (GASNet-EX). Debug builds check that the client keeps the promise.
struct Promise {
  uint8_t categories = 0;  // bit 1 << Category for each; 0: nothing is promised
  uint8_t lanes = 0;       // bit 1 << Lane for each
  uint8_t num_args = 0;

  bool Allows(const Signature& sent) const {
    return categories == 0 ||
           ((categories >> static_cast<unsigned>(sent.category) & 1) != 0 &&
            (lanes >> static_cast<unsigned>(sent.lane) & 1) != 0 &&
            num_args == sent.num_args);
  }
};

class HandlerTable {
 public:
  // Returns the handler, or null if none is registered at the index.
  AnyHandler Find(uint8_t index) const {
    return handlers_[index].load(std::memory_order_acquire);
  }

  // Registers one of GASNet's own handlers for Shorts. `index` is from 1 to
  // kFirstClientHandler - 1. The function's type determines the number of
  // arguments.
  template <class... Args>
  void RegisterInternal(uint8_t index, Lane lane,
                        void (*function)(void*, Args...)) {
    Register<Args...>(index, lane, Category::kShort,
                      reinterpret_cast<AnyHandler>(function));
  }
  // Registers one of GASNet's own handlers of messages with a payload.
  template <class... Args>
  void RegisterInternal(uint8_t index, Lane lane, Category category,
                        void (*function)(void*, void*, size_t, Args...)) {
    Register<Args...>(index, lane, category,
                      reinterpret_cast<AnyHandler>(function));
  }

  // Registers a Landing for a handler whose Longs may carry no address (null).
  void RegisterLanding(uint8_t index, Landing landing) {
    landings_[index] = landing;
  }

  // Registers a handler for requests that a network serves on a thread of its
  // own (unattended.h). `function` accepts the same messages as the handler
  // that is registered at this index.
  template <class Handler>
  void RegisterUnattended(uint8_t index, Handler* function) {
    unattended_[index] = reinterpret_cast<AnyHandler>(function);
  }
  // Returns null if requests for this index wait for a thread of the client.
  AnyHandler FindUnattended(uint8_t index) const {
    return index < kFirstClientHandler ? unattended_[index] : nullptr;
  }

  // Returns the signature of a handler below kFirstClientHandler.
  const Signature& SignatureOf(uint8_t index) const {
    return signatures_[index];
  }
  // Returns the Landing of a handler of messages in this lane, or null if Longs
  // to it carry an address.
  Landing FindLanding(uint8_t index, Lane lane) const {
    return index < kFirstClientHandler && signatures_[index].lane == lane
               ? landings_[index]
               : nullptr;
  }

  // Records the client's promise. Must be called before the handler is
  // registered.
  void Note(uint8_t index, const Promise& promise) {
    promises_[index - kFirstClientHandler] = promise;
  }
  const Promise& PromiseOf(uint8_t index) const {
    return promises_[index - kFirstClientHandler];
  }

  // Registers a client's handler. Returns false if the index is reserved or
  // taken, or the function is null. Only one thread at a time may call it.
  bool RegisterClient(uint8_t index, AnyHandler function) {
    if (index < kFirstClientHandler || function == nullptr) return false;
    if (Find(index) != nullptr) return false;
    handlers_[index].store(function, std::memory_order_release);
    return true;
  }

 private:
  template <class... Args>
  void Register(uint8_t index, Lane lane, Category category,
                AnyHandler function) {
    static_assert((std::is_same_v<Args, int32_t> && ...));
    static_assert(sizeof...(Args) <= kMaxArgs);
    signatures_[index] = {lane, category, sizeof...(Args)};
    handlers_[index].store(function, std::memory_order_release);
  }

  std::array<std::atomic<AnyHandler>, kHandlers> handlers_{};
  std::array<Signature, kFirstClientHandler> signatures_{};
  std::array<Landing, kFirstClientHandler> landings_{};
  std::array<AnyHandler, kFirstClientHandler> unattended_{};
  std::array<Promise, kHandlers - kFirstClientHandler> promises_{};
};

}  // namespace gasnet::am

#endif  // CORE_AM_HANDLER_TABLE_H_
