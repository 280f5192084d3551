// The 256 active-message handlers of this process (spec 2.1.0.2).
// Written before the first message can arrive, constant afterwards.
#ifndef CORE_AM_HANDLER_TABLE_H_
#define CORE_AM_HANDLER_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/message.h"

namespace gasnet::am {

using AnyHandler = void (*)();

// Says where a Long is to be placed that this rank has asked for, so that no
// address of it is on the wire. Checks what it is given, which is another
// rank's word, and ends the job where that is wrong. Called once, before the
// first byte is placed, by whatever thread receives.
using Landing = void* (*)(Rank source, const int32_t* args, unsigned num_args,
                          size_t nbytes);

class HandlerTable {
 public:
  // Null when nothing is registered there.
  AnyHandler Find(uint8_t index) const { return handlers_[index]; }

  // GASNet's own handlers; index is below kFirstClientHandler and not 0.
  template <class Function>
  void RegisterInternal(uint8_t index, Function* function) {
    handlers_[index] = reinterpret_cast<AnyHandler>(function);
  }

  // The same for a handler whose Longs may come without an address (null).
  template <class Function>
  void RegisterInternal(uint8_t index, Function* function, Landing landing) {
    RegisterInternal(index, function);
    landings_[index] = landing;
  }
  // Null: Longs to that handler have an address.
  Landing FindLanding(uint8_t index) const {
    return index < kFirstClientHandler ? landings_[index] : nullptr;
  }

  // A client's handler. Answers false when the index is reserved or taken, or
  // the function is null.
  bool RegisterClient(uint8_t index, AnyHandler function) {
    if (index < kFirstClientHandler || function == nullptr) return false;
    if (handlers_[index] != nullptr) return false;
    handlers_[index] = function;
    return true;
  }

 private:
  std::array<AnyHandler, kHandlers> handlers_{};
  std::array<Landing, kFirstClientHandler> landings_{};
};

}  // namespace gasnet::am

#endif  // CORE_AM_HANDLER_TABLE_H_
