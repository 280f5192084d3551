// Constants that tune active messages: waiting, leaving a processor, messages
// of a rank to itself, and copies. Durations are in nanoseconds. A comment such
// as (bench pair) names the group of `./dev bench` that measures the constant.
#ifndef CORE_AM_TUNING_H_
#define CORE_AM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

// The number of wait steps from one reading of the clock to the next. The first
// reading comes after this many steps, so that a short wait for a message in
// flight reads no clock. Yields are as far apart (bench pair, busy).
inline constexpr uint32_t kLooksPerClock = 16;
// Like kLooksPerClock, but for a host with more ranks than processors. The
// first step is then a yield. When the thread gets its processor back, the
// other threads of that processor have had their turns. The awaited message
// then comes from another processor, probably soon. An immediate second yield
// would wait for all those turns again (bench crowd).
inline constexpr uint32_t kLooksPerYield = 8;

// The time for which a wait spins. It is long compared with the response of a
// running peer, and short compared with a time slice (bench busy).
inline constexpr int64_t kSpinFor = 20'000;  // ns
// The time for which a wait yields after the spin. Other programs usually keep
// a peer from running for a shorter time. An earlier sleep would make the
// kernel move the peer to this processor (bench busy).
inline constexpr int64_t kLookFor = 10'000'000;  // ns
// Like kLookFor, but in a crowd. In this time eight ranks that share a
// processor take a few dozen turns (bench crowd).
inline constexpr int64_t kLookInCrowdFor = 400'000;  // ns

// A nap takes the duration of the wait so far, divided by this number. A wait
// naps if a change may wake no thread. A wait of less than a second ends within
// a millisecond of the change. A longer wait ends within a thousandth of its
// duration. Reasoned, not measured.
inline constexpr int64_t kShareOfWait = 1000;
// The shortest nap. Each nap costs a processor 5 to 20 us, including a timer's
// interrupt. The kernel makes each nap 50 us to 100 us longer.
inline constexpr int64_t kMinNap = 850'000;  // ns
// The shortest nap in a crowd. A thread that wakes waits for others' time
// slices anyway, and the naps of all ranks add up (bench idle).
inline constexpr int64_t kMinNapInCrowd = 3'500'000;  // ns
// The longest nap. The cost of a rank that waits for minutes is already small
// (bench idle).
inline constexpr int64_t kMaxNap = 8'000'000;  // ns

// If a thread loses its processor for longer than this, another thread computes
// on that processor. Daemons usually run for a shorter time than this. A
// process that computes runs for longer: its time slice is 0.7 ms and more on
// Linux, in practice until a tick of 1 to 4 ms (bench busy).
inline constexpr int64_t kOthersCompute = 500'000;  // ns
// The time for which a busy processor is remembered. Detecting it again costs a
// time slice. Reasoned, not measured.
inline constexpr int64_t kBusyMemory = 100'000'000;  // ns

// The shortest pause between two moves of a thread to another processor. A move
// costs some 10 us, plus a time slice if another thread computes there. The
// pause doubles if the next move comes within kSettled pauses (bench busy).
inline constexpr int64_t kMinStay = 200'000;         // ns
inline constexpr int64_t kLongestStay = 64'000'000;  // ns
inline constexpr int64_t kSettled = 4;               // number of pauses
// The interval at which a waiting thread reads the processors of the other
// ranks. Reasoned, not measured.
inline constexpr int64_t kAskInterval = 20'000;  // ns

// The largest payload of a Medium to this rank itself that is copied to the
// stack. Most Mediums are not larger, and every network accepts Mediums of this
// size (bench local).
inline constexpr size_t kMaxOnStack = 512;

// The largest payload that is copied by a few moves, without a call. To move up
// to a cache line costs no more than a call (bench pair).
inline constexpr size_t kMaxSmall = 64;

// The largest Medium of a network that assembles it from several frames.
// Clients expect about 64 KiB. Each network has its own eager limit: the
// capacity of one of its frames. Reasoned, not measured.
inline constexpr size_t kMaxMedium = 65536;
// The maximum total size, in bytes, of the messages that are being assembled in
// each lane. A rank hardly ever reaches it, and unused memory costs nothing
// (bench memory).
inline constexpr size_t kAssemblyBytes = size_t{8} << 20;
// The number of unused assemblies that are kept for reuse, with their buffers.
// These take a quarter of a megabyte if each one has held the largest Medium.
// Reasoned, not measured.
inline constexpr size_t kIdleAssemblies = 4;

}  // namespace gasnet::am

#endif  // CORE_AM_TUNING_H_
