// The handlers that a client has registered with an endpoint, with the facts
// that go with each. A message's handler finds its entry by its index.
//
// Registration may run while other threads deliver messages: an entry is
// written before its function is published (core/am/handler_table.h), and then
// stays. Registrations of several threads take turns.
#ifndef EX_HANDLER_ENTRIES_H_
#define EX_HANDLER_ENTRIES_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "core/am/handler_table.h"
#include "gasnet/ex_types.h"

namespace gasnet::ex {

class HandlerEntries {
 public:
  // Registers all of the table or nothing. Fixed indices first; then each entry
  // with index 0 gets the highest free index, in the order of the table, and
  // its index is written there. Fails if an entry is not legal, an index is
  // taken or none is free.
  absl::Status Register(std::span<gex_AM_Entry_t> table, am::HandlerTable& to)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Notes a handler of gasnet_attach, which promises nothing. Before messages.
  void Note(uint8_t index, gex_AM_Fn_t function) {
    entries_[index - am::kFirstClientHandler].gex_index = index;
    entries_[index - am::kFirstClientHandler].gex_fnptr = function;
  }

  // Returns the entry of a client's handler that is registered.
  const gex_AM_Entry_t& Find(uint8_t index) const {
    return entries_[index - am::kFirstClientHandler];
  }

 private:
  absl::Mutex mutex_;
  // Written by Register, one at a time; read without the lock.
  std::array<gex_AM_Entry_t, am::kHandlers - am::kFirstClientHandler>
      entries_{};
};

}  // namespace gasnet::ex

#endif  // EX_HANDLER_ENTRIES_H_
