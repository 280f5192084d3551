// The statistics of a rank, encoded for the launcher that sums them (gasnetrun
// --stats).
#ifndef CORE_OBSERVE_FOR_LAUNCHER_H_
#define CORE_OBSERVE_FOR_LAUNCHER_H_

#include <string_view>

#include "absl/functional/function_ref.h"
#include "core/observe/observer.h"

namespace gasnet::observe {

// Passes an encoding (job/statistics/rank_statistics.h) to `send`. Later calls
// wait until send() has returned, so that encodings arrive in their order. Does
// nothing if another thread writes statistics for too long.
void EncodeForLauncher(Observer& observer,
                       absl::FunctionRef<void(std::string_view)> send);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_FOR_LAUNCHER_H_
