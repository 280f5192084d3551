// Constants that tune active messages: waiting, leaving a processor, messages
// of a rank to itself, and copies. Durations are in nanoseconds. The groups are
// those of `./dev bench`.
#ifndef CORE_AM_TUNING_H_
#define CORE_AM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

// The number of wait steps between two reads of the clock. The first read comes
// after as many steps, so that a short wait for a message in flight reads no
// clock. There are as many steps between two yields (bench pair, busy).
inline constexpr uint32_t kLooksPerClock = 16;
// Like kLooksPerClock, but in a crowd, where the first step is a yield. A
// thread that gets the processor back has waited for all the others. The
// message that it awaits then comes from another processor, probably soon. An
// immediate yield would wait for all of them once more (bench crowd).
inline constexpr uint32_t kLooksPerYield = 8;

// The time for which a wait spins. It is long compared with the response of a
// running peer, and short compared with a time slice (bench busy).
inline constexpr int64_t kSpinFor = 20'000;  // ns
// The time for which a wait yields after the spin. It is longer than another
// program usually keeps a peer from running. An earlier sleep would make the
// kernel move the peer to this processor (bench busy).
inline constexpr int64_t kLookFor = 10'000'000;  // ns
// Like kLookFor, but in a crowd: a few dozen turns of eight ranks (bench
// crowd).
inline constexpr int64_t kLookInCrowdFor = 400'000;  // ns

// The fraction of a wait's duration that one nap takes, as a divisor. It
// applies if changes may wake no thread. A wait of less than a second ends
// within a millisecond of the change, and a longer one within a thousandth of
// its length. Reasoned, not measured.
inline constexpr int64_t kShareOfWait = 1000;
// The shortest nap. Each nap costs a processor 5 to 20 us, including a timer's
// interrupt. The kernel adds 50 us to 100 us.
inline constexpr int64_t kMinNap = 850'000;  // ns
// The shortest nap in a crowd. A thread that wakes waits for others' time
// slices anyway, and the naps of all ranks add up (bench idle).
inline constexpr int64_t kMinNapInCrowd = 3'500'000;  // ns
// The longest nap. The cost of a rank that waits for minutes is already small
// (bench idle).
inline constexpr int64_t kMaxNap = 8'000'000;  // ns

// If a thread loses its processor for longer than this, another thread computes
// on that processor. The limit is longer than a daemon runs, and shorter than
// the time slice of a process that computes (on Linux 0.7 ms and more, in
// practice until a tick of 1 to 4 ms; bench busy).
inline constexpr int64_t kOthersCompute = 500'000;  // ns
// The time for which a busy processor is remembered. Detecting it again costs a
// time slice. Reasoned, not measured.
inline constexpr int64_t kBusyMemory = 100'000'000;  // ns

// The shortest pause after a move to another processor. A move costs some 10
// us, plus a time slice if another thread computes there. The pause doubles
// while one move follows another within a few pauses (bench busy).
inline constexpr int64_t kMinStay = 200'000;         // ns
inline constexpr int64_t kLongestStay = 64'000'000;  // ns
inline constexpr int64_t kSettled = 4;               // number of pauses
// The interval at which a waiting thread reads on which processors the other
// ranks are. Reasoned, not measured.
inline constexpr int64_t kAskInterval = 20'000;  // ns

// The largest payload of a Medium to this rank itself that is copied to the
// stack. Enough for most Mediums, and every network accepts Mediums of this
// size (bench local).
inline constexpr size_t kMaxOnStack = 512;

// The largest payload that is copied by a few moves, without a call. Moves of
// up to a cache line cost no more than the call (bench pair).
inline constexpr size_t kMaxSmall = 64;

// The largest Medium of a network that assembles it from several frames. It is
// near 64 KiB, as clients expect. The eager limit is the network's own: the
// capacity of a frame. Reasoned, not measured.
inline constexpr size_t kMaxMedium = 65536;
// The bound, in bytes, of the messages that are being assembled, for each lane.
// A rank hardly ever reaches it, and only used memory costs anything (bench
// memory).
inline constexpr size_t kAssemblyBytes = size_t{8} << 20;
// The number of assemblies that are kept for reuse, with their buffers. They
// take a quarter of a megabyte if each one has held the largest Medium.
// Reasoned, not measured.
inline constexpr size_t kIdleAssemblies = 4;

}  // namespace gasnet::am

#endif  // CORE_AM_TUNING_H_
