// Makes slices of time out of the events of one ring. A slice is a call, a
// handler or a wait, with its beginning and end. Calls and handlers nest. A
// wait is recorded as one event, at its end.
//
// The beginning of a slice is missing if a newer event has overwritten its
// event in the ring. The end of a slice is missing for one of these reasons:
// the rank died in the slice or is still in it, longjmp left a function, or the
// ring was given to another thread.
#ifndef TOOLS_GASNET_TRACE_NESTING_H_
#define TOOLS_GASNET_TRACE_NESTING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/observe/trace_format.h"

namespace gasnet::trace {

struct Slice {
  enum class Kind { kCall, kHandler, kWait };

  Kind kind = Kind::kCall;
  uint16_t id = 0;  // id, peer, bytes, argument: as in the event
  uint32_t peer = 0;
  uint64_t bytes = 0;     // 0 for a wait
  uint64_t argument = 0;  // for a wait: the event's `bytes`
  // Times of the rank's clock. If the beginning is missing, `begin` equals
  // `end`.
  int64_t begin = 0;
  int64_t end = 0;
  bool has_begin = true;
  bool has_end = true;
  bool refused = false;  // a call that returned without effect
  size_t depth = 0;      // number of slices around this one
  // The client's source line at the beginning of the slice.
  bool has_line = false;
  uint16_t source = 0;
  uint64_t line = 0;

  int64_t Nanos() const { return end - begin; }
};

class Nesting {
 public:
  using Sink = absl::FunctionRef<void(const Slice&)>;

  // Takes the next event. Passes the slices that end with the event to `sink`,
  // the innermost first.
  void Take(const observe::TraceEvent& event, Sink sink);

  // Passes the slices that have not ended to `sink`, the innermost first. These
  // slices get the time of the last event as their end.
  void Finish(Sink sink);

  // Returns the number of slices that have begun and not ended.
  size_t depth() const { return open_.size(); }

 private:
  void Begin(const observe::TraceEvent& event, Slice::Kind kind);
  void End(const observe::TraceEvent& event, Slice::Kind kind, Sink sink);
  void Wait(const observe::TraceEvent& event, Sink sink);
  void Close(bool has_end, Sink sink);

  std::vector<Slice> open_;
  int64_t now_ = 0;
  bool has_line_ = false;
  uint16_t source_ = 0;
  uint64_t line_ = 0;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_NESTING_H_
