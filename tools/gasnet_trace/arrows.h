// Matches active messages with the handlers that they ran.
//
// Messages from one rank to one handler of another run it in the order of their
// sending, as far as a trace can tell: both sides are put in the order of time,
// and matched one by one. That is only right if no event of either rank is
// missing.
#ifndef TOOLS_GASNET_TRACE_ARROWS_H_
#define TOOLS_GASNET_TRACE_ARROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"

namespace gasnet::trace {

// The end of an arrow: the beginning of a call, or of a handler.
struct ArrowEnd {
  uint32_t from;  // the rank of the sender
  uint32_t to;
  uint16_t handler;
  uint32_t ring;  // of the rank of this end
  int64_t nanos;  // on the axis of the job
};

class Arrows {
 public:
  void AddSent(const ArrowEnd& end) { sent_.push_back(end); }
  void AddRun(const ArrowEnd& end) { run_.push_back(end); }

  // Calls `draw` for each pair. Those without a partner are left out.
  void Match(absl::FunctionRef<void(const ArrowEnd&, const ArrowEnd&)> draw);

 private:
  std::vector<ArrowEnd> sent_;
  std::vector<ArrowEnd> run_;
};

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_ARROWS_H_
