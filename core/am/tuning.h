// Constants that tune active messages: waiting, leaving a processor, messages
// of a rank to itself, copies. Durations in nanoseconds. `./dev bench` has the
// groups.
#ifndef CORE_AM_TUNING_H_
#define CORE_AM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

// Steps of a wait between two reads of the clock. The first read comes after
// that many steps, so that a short wait for a message in flight reads no clock.
// The same number lies between two yields (bench pair, busy).
inline constexpr uint32_t kLooksPerClock = 16;
// The same in a crowd, where the first step is a yield. A thread that gets the
// processor back has waited for all the others. The message that it awaits then
// comes from another processor, probably soon. An immediate yield would wait
// for all of them once more (bench crowd).
inline constexpr uint32_t kLooksPerYield = 8;

// The time for which a wait spins. Long compared with the response of a running
// peer, short compared with a time slice (bench busy).
inline constexpr int64_t kSpinFor = 20'000;  // ns
// The time for which it then yields. Longer than another program usually keeps
// a peer from running. An earlier sleep would make the kernel move the peer
// here (bench busy).
inline constexpr int64_t kLookFor = 10'000'000;  // ns
// The same in a crowd: a few dozen turns of eight ranks (bench crowd).
inline constexpr int64_t kLookInCrowdFor = 400'000;  // ns

// The share of a wait's duration that one nap takes, if changes may wake no
// thread. A wait of less than a second ends within a millisecond of the change,
// and a longer one within a thousandth of its length. Reasoned, not measured.
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

// A thread that loses its processor for longer shares it with one that
// computes. Longer than a daemon runs, shorter than the time slice of a process
// that computes (on Linux 0.7 ms and more, in practice until a tick of 1 to 4
// ms; bench busy).
inline constexpr int64_t kOthersCompute = 500'000;  // ns
// The time for which that is remembered. Detecting it again costs a time slice.
// Reasoned, not measured.
inline constexpr int64_t kBusyMemory = 100'000'000;  // ns

// The pause after a move to another processor. A move costs some 10 us, plus a
// time slice if another thread computes there. The pause doubles while one move
// follows another within a few pauses (bench busy).
inline constexpr int64_t kMinStay = 200'000;         // ns
inline constexpr int64_t kLongestStay = 64'000'000;  // ns
inline constexpr int64_t kSettled = 4;               // pauses
// The interval at which a waiting thread reads the processors of other ranks.
// Reasoned, not measured.
inline constexpr int64_t kAskInterval = 20'000;  // ns

// The largest payload of a rank to itself that is copied to the stack. Enough
// for most Mediums, and accepted by every network (bench local).
inline constexpr size_t kMaxOnStack = 512;

// The largest payload that is copied by a few moves, without a call. Moves of a
// cache line cost no more than the call (bench pair).
inline constexpr size_t kMaxSmall = 64;

// The largest Medium of a network that assembles it from several frames: near
// 64 KiB, as clients expect. The eager limit is the network's own: the capacity
// of a frame. Reasoned, not measured.
inline constexpr size_t kMaxMedium = 65536;
// The bound of messages that are being assembled, for each lane. A rank hardly
// ever reaches it, and only used memory costs anything (bench memory).
inline constexpr size_t kAssemblyBytes = size_t{8} << 20;
// The number of assemblies that are kept for reuse, with their buffers: a
// quarter of a megabyte if each held the largest Medium. Reasoned, not
// measured.
inline constexpr size_t kIdleAssemblies = 4;

}  // namespace gasnet::am

#endif  // CORE_AM_TUNING_H_
