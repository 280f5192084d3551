// The handlers that a client has registered with an endpoint, with the
// attributes of each. The handler index in a message identifies the entry.
//
// Registration may run while other threads deliver messages. An entry is
// written before its function is published (core/am/handler_table.h), and does
// not change afterwards. Registrations from several threads are serialised.
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
  // Registers the whole table or nothing. Entries with fixed indices come
  // first. Then each entry with index 0, in the order of the table, gets the
  // highest free index. The index is written to the entry. Fails if an entry is
  // not legal, an index is taken or none is free.
  absl::Status Register(std::span<gex_AM_Entry_t> table, am::HandlerTable& to)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Records a handler of gasnet_attach. Its category and its number of
  // arguments are unknown. Called before messages arrive.
  void Note(uint8_t index, gex_AM_Fn_t function) {
    entries_[index - am::kFirstClientHandler].gex_index = index;
    entries_[index - am::kFirstClientHandler].gex_fnptr = function;
  }

  // Returns the entry of a registered handler of the client.
  const gex_AM_Entry_t& Find(uint8_t index) const {
    return entries_[index - am::kFirstClientHandler];
  }

 private:
  absl::Mutex mutex_;
  // Register() writes the entries under the lock. Find() reads them without it.
  std::array<gex_AM_Entry_t, am::kHandlers - am::kFirstClientHandler>
      entries_{};
};

}  // namespace gasnet::ex

#endif  // EX_HANDLER_ENTRIES_H_
