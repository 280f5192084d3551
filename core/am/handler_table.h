// The 256 active-message handlers of this process (spec 2.1.0.2).
// Written before the first message can arrive, constant afterwards.
#ifndef CORE_AM_HANDLER_TABLE_H_
#define CORE_AM_HANDLER_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/am/message.h"

namespace gasnet::am {

using AnyHandler = void (*)();

// Returns the address of a Long that this rank has asked for, so that no
// address is on the wire. Checks its arguments, which come from another rank,
// and ends the job if they are wrong. Called before the first byte is placed,
// on the thread that receives. Called again if there was no room for the
// message then.
using Landing = void* (*)(Rank source, const int32_t* args, unsigned num_args,
                          size_t nbytes);

// The only form of message that one of GASNet's own handlers takes.
struct Signature {
  Lane lane = Lane::kRequest;
  Category category = Category::kShort;
  uint8_t num_args = 0;

  bool operator==(const Signature&) const = default;
};

class HandlerTable {
 public:
  // Returns null if nothing is registered there.
  AnyHandler Find(uint8_t index) const { return handlers_[index]; }

  // Registers GASNet's own handler; index is below kFirstClientHandler and not
  // 0. Its type has the number of its arguments.
  template <class... Args>
  void RegisterInternal(uint8_t index, Lane lane,
                        void (*function)(void*, Args...)) {
    Register<Args...>(index, lane, Category::kShort,
                      reinterpret_cast<AnyHandler>(function));
  }
  // Registers a handler of messages with a payload, of that category.
  template <class... Args>
  void RegisterInternal(uint8_t index, Lane lane, Category category,
                        void (*function)(void*, void*, size_t, Args...)) {
    Register<Args...>(index, lane, category,
                      reinterpret_cast<AnyHandler>(function));
  }

  // Registers a landing, for a handler whose Longs may come without an address
  // (null).
  void RegisterLanding(uint8_t index, Landing landing) {
    landings_[index] = landing;
  }

  // Returns the signature of the handler at an index below kFirstClientHandler,
  // if there is one.
  const Signature& SignatureOf(uint8_t index) const {
    return signatures_[index];
  }
  // Returns null if Longs to that handler have an address.
  Landing FindLanding(uint8_t index) const {
    return index < kFirstClientHandler ? landings_[index] : nullptr;
  }

  // Registers a client's handler. Returns false if the index is reserved or
  // taken, or the function is null.
  bool RegisterClient(uint8_t index, AnyHandler function) {
    if (index < kFirstClientHandler || function == nullptr) return false;
    if (handlers_[index] != nullptr) return false;
    handlers_[index] = function;
    return true;
  }

 private:
  template <class... Args>
  void Register(uint8_t index, Lane lane, Category category,
                AnyHandler function) {
    static_assert((std::is_same_v<Args, int32_t> && ...));
    static_assert(sizeof...(Args) <= kMaxArgs);
    handlers_[index] = function;
    signatures_[index] = {lane, category, sizeof...(Args)};
  }

  std::array<AnyHandler, kHandlers> handlers_{};
  std::array<Signature, kFirstClientHandler> signatures_{};
  std::array<Landing, kFirstClientHandler> landings_{};
};

}  // namespace gasnet::am

#endif  // CORE_AM_HANDLER_TABLE_H_
