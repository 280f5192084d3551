// The statistics of a rank, encoded for the launcher that sums them (gasnetrun
// --stats).
#ifndef CORE_OBSERVE_FOR_LAUNCHER_H_
#define CORE_OBSERVE_FOR_LAUNCHER_H_

#include <string>

#include "core/observe/observer.h"

namespace gasnet::observe {

// Returns the encoded statistics (job/statistics/rank_statistics.h). Returns an
// empty string if another thread takes too long to write statistics.
std::string EncodeForLauncher(Observer& observer);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_FOR_LAUNCHER_H_
