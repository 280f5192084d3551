// The statistics of a rank, as its launcher sums them (gasnetrun --stats).
#ifndef CORE_OBSERVE_FOR_LAUNCHER_H_
#define CORE_OBSERVE_FOR_LAUNCHER_H_

#include <string>

#include "core/observe/observer.h"

namespace gasnet::observe {

// Returns an encoding (job/statistics/rank_statistics.h), or an empty string if
// another thread writes statistics for long.
std::string EncodeForLauncher(Observer& observer);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_FOR_LAUNCHER_H_
