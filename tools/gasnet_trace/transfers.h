// Matches the posts of a rank's native transfers with their completions.
//
// Both events of a transfer have the transfer's number. They may be in
// different rings, because another thread than the poster may take the
// completion. So the completion may be found before the post. An event has no
// partner if the transfer was under way when the trace ended, or if the other
// event was lost.
#ifndef TOOLS_GASNET_TRACE_TRANSFERS_H_
#define TOOLS_GASNET_TRACE_TRANSFERS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/functional/function_ref.h"
#include "core/observe/trace_format.h"

namespace gasnet::trace {

// An event of a transfer, and the ring that holds it.
struct TransferEnd {
  observe::TraceEvent event = {};
  uint32_t ring = 0;
};

class Transfers {
 public:
  // Takes a post and its completion. One of them is null if it is missing.
  using Sink = absl::FunctionRef<void(const TransferEnd* posted,
                                      const TransferEnd* completed)>;

  // Takes the next event of a ring, and ignores other events than those of
  // transfers. If the event's partner was taken before, passes both to `sink`.
  void Take(const observe::TraceEvent& event, uint32_t ring, Sink sink);
  // Passes the events without a partner to `sink`, by their numbers.
  void Finish(Sink sink);

 private:
  // Events without a partner so far, by number.
  std::map<uint64_t, TransferEnd> alone_;
};

// Returns "put" or "get", the kind of the transfer of an event.
std::string NameOfTransfer(uint16_t kind);

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_TRANSFERS_H_
