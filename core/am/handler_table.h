// The 256 active-message handlers of this process (spec 2.1.0.2).
// Written before the first message can arrive, constant afterwards.
#ifndef CORE_AM_HANDLER_TABLE_H_
#define CORE_AM_HANDLER_TABLE_H_

#include <array>
#include <cstdint>

#include "core/am/message.h"

namespace gasnet::am {

using AnyHandler = void (*)();

class HandlerTable {
 public:
  // Null when nothing is registered there.
  AnyHandler Find(uint8_t index) const { return handlers_[index]; }

  // GASNet's own handlers; index is below kFirstClientHandler and not 0.
  template <class Function>
  void RegisterInternal(uint8_t index, Function* function) {
    handlers_[index] = reinterpret_cast<AnyHandler>(function);
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
};

}  // namespace gasnet::am

#endif  // CORE_AM_HANDLER_TABLE_H_
