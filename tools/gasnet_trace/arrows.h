// Matches active messages with the handlers that they ran.
//
// The messages from one rank to one handler of another rank are assumed to run
// that handler in the order of sending. So the sends and the handler's runs are
// sorted by time, and matched one by one. The result is right only if no event
// of either rank is missing.
#ifndef TOOLS_GASNET_TRACE_ARROWS_H_
#define TOOLS_GASNET_TRACE_ARROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"

namespace gasnet::trace {

// One end of an arrow: the beginning of the call that sends, or of the handler.
struct ArrowEnd {
  uint32_t from;  // the rank of the sender
  uint32_t to;
  uint16_t handler;
  // the ring that holds this end's event, in the trace of its rank
  uint32_t ring;
  int64_t nanos;  // on the time axis of the job
};

class Arrows {
 public:
  void AddSent(const ArrowEnd& end) { sent_.push_back(end); }
  void AddRun(const ArrowEnd& end) { run_.push_back(end); }

  // Calls `draw` for each matched pair. Leaves out ends without a partner.
  void Match(absl::FunctionRef<void(const ArrowEnd&, const ArrowEnd&)> draw);

 private:
  std::vector<ArrowEnd> sent_;
  std::vector<ArrowEnd> run_;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_ARROWS_H_
