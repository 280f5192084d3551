// The trace of this rank: its file, and the settings that select its events
// (GASNET_TRACEFILE, GASNET_TRACEMASK, GASNET_TRACELOCAL). Any thread may use
// the trace.
#ifndef CORE_OBSERVE_TRACING_H_
#define CORE_OBSERVE_TRACING_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/observe/call.h"
#include "core/observe/mask.h"
#include "core/observe/trace_file.h"
#include "core/observe/trace_format.h"
#include "core/rank.h"

namespace gasnet::observe {

// The properties of this process that the trace file records.
struct TracedProcess {
  Rank rank = 0;
  Rank ranks = 1;
  uint32_t host = 0;  // index of the process's host in the job
  uint32_t life = 0;  // number of times that the job has restarted
  std::string_view conduit = {};
};

class Tracing {
 public:
  explicit Tracing(Rank me) : me_(me) {}

  // Creates the file. path: like the path for statistics (output.h), but every
  // rank has its own file. A path without % is extended by a dot and the rank.
  // If the job has restarted, a dot and `process.life` follow. bytes: the
  // minimum size of a thread's ring.
  absl::Status Open(std::string_view path, uint64_t bytes,
                    const TracedProcess& process);

  // Returns the trace file, or null if nothing is traced.
  TraceFile* file() { return file_.get(); }

  Mask mask() const {
    return Mask::FromBits(mask_.load(std::memory_order_relaxed));
  }
  // Only one thread at a time may set the mask or use its text.
  void SetMask(Mask mask);
  const char* mask_text() const { return text_.data(); }

  bool local() const { return local_.load(std::memory_order_relaxed); }
  void SetLocal(bool local) { local_.store(local, std::memory_order_relaxed); }

  // Return true if an event of this group, or a call, with this peer is traced.
  bool Has(char group, Rank peer) const {
    return mask().Has(group) && (peer != me_ || local());
  }
  bool Has(Call call, Rank peer) const { return Has(GroupOf(call), peer); }

 private:
  const Rank me_;
  std::unique_ptr<TraceFile> file_;
  std::atomic<uint32_t> mask_{Mask::All().bits()};
  std::atomic<bool> local_{true};
  Mask::Text text_ = {};
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TRACING_H_
