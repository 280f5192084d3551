// The statistics of a rank, encoded for the launcher that sums them (gasnetrun
// --stats). The encoder reserves its memory when it is made, since a rank may
// end in a signal handler that has interrupted the allocator.
#ifndef CORE_OBSERVE_FOR_LAUNCHER_H_
#define CORE_OBSERVE_FOR_LAUNCHER_H_

#include <string_view>

#include "absl/functional/function_ref.h"
#include "core/observe/observer.h"
#include "core/observe/totals.h"
#include "core/rank.h"
#include "job/statistics/statistics_writer.h"

namespace gasnet::observe {

class ForLauncher {
 public:
  explicit ForLauncher(Rank ranks) : writer_(ranks) {}

  // Passes an encoding (job/statistics/rank_statistics.h) to `send`. Later
  // calls wait until send() has returned, so that encodings arrive in their
  // order. Does nothing if another thread writes statistics for too long.
  // Allocates no memory.
  void Encode(Observer& observer,
              absl::FunctionRef<void(std::string_view)> send);

 private:
  void Write(const Totals& totals, int64_t elapsed);

  job::StatisticsWriter writer_;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_FOR_LAUNCHER_H_
