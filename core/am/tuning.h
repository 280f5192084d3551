// Constants that tune active messages: waiting, leaving a processor, messages
// of a rank to itself, copies. Durations in nanoseconds. `./dev bench` has the
// groups.
#ifndef CORE_AM_TUNING_H_
#define CORE_AM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

// Steps of a wait from one look at the clock to the next. The first is at the
// end of as many, so that a wait for a message that is on its way reads no
// clock. Between two yields the same (bench pair, busy).
inline constexpr uint32_t kLooksPerClock = 16;
// In a crowd, whose first step is a yield. A thread that gets the processor
// back has waited for all the others. The message that it lacks then comes from
// another processor, most likely soon, and to give the processor away again
// would mean to wait for all of them once more (bench crowd).
inline constexpr uint32_t kLooksPerYield = 8;

// A wait spins for so long. Long beside the answer of a peer that runs, short
// beside a slice of the processor (bench busy).
inline constexpr int64_t kSpinFor = 20'000;  // ns
// Then it yields for so long. Longer than a peer is kept from running by one
// who computes on its processor: to sleep sooner would have the kernel bring
// the peer here (bench busy).
inline constexpr int64_t kLookFor = 10'000'000;  // ns
// The same in a crowd: a few dozen turns of eight ranks (bench crowd).
inline constexpr int64_t kLookInCrowdFor = 400'000;  // ns

// A wait that changes may end which wake nobody naps, for this share of the
// time that it has taken. So one of less than a second ends within a
// millisecond of the change, and a longer one within a thousandth of itself.
// Reasoned, not measured.
inline constexpr int64_t kShareOfWait = 1000;
// Not less, since each costs a processor 5 to 20 us, a timer's interrupt among
// it; the kernel adds 50 us to 100 us.
inline constexpr int64_t kLeastNap = 850'000;  // ns
// In a crowd, where a thread that wakes waits for others' slices anyway, and
// the naps of all ranks add up (bench idle).
inline constexpr int64_t kLeastNapInCrowd = 3'500'000;  // ns
// Not more, where the cost of a rank that waits for minutes is small already
// (bench idle).
inline constexpr int64_t kMostNap = 8'000'000;  // ns

// A thread that loses its processor for longer has one that others compute on.
// Longer than a daemon runs, shorter than the slice of a process that computes
// (on Linux 0.7 ms and more, in practice until a tick of 1 to 4 ms; bench
// busy).
inline constexpr int64_t kOthersCompute = 500'000;  // ns
// How long that is remembered. To find it out anew costs a slice. Reasoned, not
// measured.
inline constexpr int64_t kBusyMemory = 100'000'000;  // ns

// Moving to another processor costs some 10 us, and a slice where somebody
// computes. So there is a pause after it, which doubles as long as one move
// follows another within a few pauses (bench busy).
inline constexpr int64_t kLeastStay = 200'000;       // ns
inline constexpr int64_t kLongestStay = 64'000'000;  // ns
inline constexpr int64_t kSettled = 4;               // pauses
// How often a thread that waits asks where the others are. Reasoned, not
// measured.
inline constexpr int64_t kAskInterval = 20'000;  // ns

// Payloads of at most so many bytes of a rank to itself are copied to the
// stack. Enough for most Mediums, and accepted by every network (bench local).
inline constexpr size_t kMostOnStack = 512;

// Payloads of at most so many bytes are copied by a few moves, without a call.
// A cache line: as long as such moves are no more than the call would cost
// (bench pair).
inline constexpr size_t kMostSmall = 64;

}  // namespace gasnet::am

#endif  // CORE_AM_TUNING_H_
