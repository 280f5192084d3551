// Matches active messages with the handlers that they ran.
//
// The messages of one size that one thread sends to one handler of a rank run
// in the order of sending, if one thread of that rank runs them. So the sends
// and the runs of one size are sorted by time, and matched one by one. Messages
// of several threads may overtake each other. They are matched only where the
// time leaves no choice: once as many handlers have run as messages were sent,
// the next message belongs to a later run.
//
// The result is right only up to the first event that may be missing, so the
// rest has no arrows:
//
// - Events of a rank may be missing from a certain time on, such as the first
//   change of the mask that leaves messages out.
// - A call that has not ended may have sent its message or not.
// - If a handler has run more often than messages were sent, sends are missing
//   at an unknown time. Then no arrow is certain. For example, calls to the
//   rank itself may be left out (GASNET_TRACELOCAL).
#ifndef TOOLS_GASNET_TRACE_ARROWS_H_
#define TOOLS_GASNET_TRACE_ARROWS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"

namespace gasnet::trace {

// One end of an arrow: the beginning of the call that sends, or of the handler.
struct ArrowEnd {
  uint32_t from;  // the rank of the sender
  uint32_t to;
  uint16_t handler;
  uint64_t bytes;
  // the ring that holds this end's event, in the trace of its rank
  uint32_t ring;
  int64_t nanos;  // on the time axis of the job
  // The error bound of `nanos`, at most kNoBound.
  int64_t error = 0;
  // False for a call that has not ended.
  bool is_certain = true;
};

class Arrows {
 public:
  // The limits of a rank whose events are all there, and of a rank without any
  // certain event.
  static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kNothing = std::numeric_limits<int64_t>::min();
  // The error bound of a rank without an estimate.
  static constexpr int64_t kNoBound = std::numeric_limits<int64_t>::max() / 2;

  void AddSent(const ArrowEnd& end) { sent_.push_back(end); }
  void AddRun(const ArrowEnd& end) { run_.push_back(end); }
  size_t sent() const { return sent_.size(); }

  // Calls `draw` for each pair that is certain. limit_of: returns the time from
  // which on events of the rank may be missing.
  void Match(absl::FunctionRef<int64_t(uint32_t rank)> limit_of,
             absl::FunctionRef<void(const ArrowEnd&, const ArrowEnd&)> draw);

 private:
  std::vector<ArrowEnd> sent_;
  std::vector<ArrowEnd> run_;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_ARROWS_H_
