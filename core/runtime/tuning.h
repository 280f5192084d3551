// Constants that tune the threads of the library that run handlers beside the
// client. Durations are in nanoseconds.
#ifndef CORE_RUNTIME_TUNING_H_
#define CORE_RUNTIME_TUNING_H_

#include <cstdint>

namespace gasnet {

// The first nap of the handler thread, once the client's threads serve the
// network. The kernel adds some 50 us. The nap is long compared with the
// processor time that it costs, and short compared with a client's computation
// between two phases of messages. The value is reasoned, not measured.
inline constexpr int64_t kMinHandlerNap = 50'000;  // ns
// The longest nap, while a client's threads continue to serve. A nap takes 5 to
// 20 us of processor time, mostly of the client's own processor. The naps of
// both ranks delay a round trip: naps of a millisecond took 4 % of the round
// trip's time. A message to a client that has stopped serving waits for one nap
// (bench pair).
inline constexpr int64_t kMaxHandlerNap = 4'000'000;  // ns

// The longest time that exit() waits for messages that threads of the library
// have begun to handle. A second is more than handlers that end by themselves
// should take, and is short for a user who waits for the end of a job.
inline constexpr int64_t kThreadsAtExit = 1'000'000'000;  // ns

}  // namespace gasnet

#endif  // CORE_RUNTIME_TUNING_H_
