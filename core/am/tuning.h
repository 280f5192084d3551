// Constants that tune active messages: waiting, leaving a processor, messages
// of a rank to itself, copies. Durations in nanoseconds. `./dev bench` has the
// groups.
#ifndef CORE_AM_TUNING_H_
#define CORE_AM_TUNING_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::am {

// Steps of a wait between two reads of the clock. The first read comes after as
// many steps, so that a short wait for a message on its way reads no clock.
// Between two yields the same (bench pair, busy).
inline constexpr uint32_t kLooksPerClock = 16;
// The same in a crowd, where the first step is a yield. A thread that gets the
// processor back has waited for all the others. The message that it lacks then
// comes from another processor, most likely soon. To yield at once would mean
// to wait for all of them once more (bench crowd).
inline constexpr uint32_t kLooksPerYield = 8;

// The time for which a wait spins. Long compared with the answer of a running
// peer, short compared with a slice of the processor (bench busy).
inline constexpr int64_t kSpinFor = 20'000;  // ns
// The time for which it then yields. Longer than another program keeps a peer
// from running by computing on its processor: to sleep sooner would have the
// kernel bring the peer here (bench busy).
inline constexpr int64_t kLookFor = 10'000'000;  // ns
// The same in a crowd: a few dozen turns of eight ranks (bench crowd).
inline constexpr int64_t kLookInCrowdFor = 400'000;  // ns

// A wait for changes that may wake no thread naps for this share of the time
// that it has taken. So a wait of less than a second ends within a millisecond
// of the change, and a longer one within a thousandth of its length. Reasoned,
// not measured.
inline constexpr int64_t kShareOfWait = 1000;
// The shortest nap. Each nap costs a processor 5 to 20 us, including a timer's
// interrupt; the kernel adds 50 us to 100 us.
inline constexpr int64_t kLeastNap = 850'000;  // ns
// The shortest nap in a crowd, where a thread that wakes waits for others'
// slices anyway, and the naps of all ranks add up (bench idle).
inline constexpr int64_t kLeastNapInCrowd = 3'500'000;  // ns
// The longest nap: the cost of a rank that waits for minutes is small already
// (bench idle).
inline constexpr int64_t kMostNap = 8'000'000;  // ns

// A thread that loses its processor for longer shares it with one that
// computes. Longer than a daemon runs, shorter than the slice of a process that
// computes (on Linux 0.7 ms and more, in practice until a tick of 1 to 4 ms;
// bench busy).
inline constexpr int64_t kOthersCompute = 500'000;  // ns
// The time for which that is remembered. To find it out anew costs a slice.
// Reasoned, not measured.
inline constexpr int64_t kBusyMemory = 100'000'000;  // ns

// Moving to another processor costs some 10 us, and a slice if another thread
// computes there. So there is a pause after it, which doubles as long as one
// move follows another within a few pauses (bench busy).
inline constexpr int64_t kLeastStay = 200'000;       // ns
inline constexpr int64_t kLongestStay = 64'000'000;  // ns
inline constexpr int64_t kSettled = 4;               // pauses
// The interval at which a waiting thread reads where the other ranks are.
// Reasoned, not measured.
inline constexpr int64_t kAskInterval = 20'000;  // ns

// Payloads of a rank to itself of at most this size are copied to the stack.
// Enough for most Mediums, and accepted by every network (bench local).
inline constexpr size_t kMostOnStack = 512;

// Payloads of at most this size are copied by a few moves, without a call. A
// cache line: such moves then cost no more than the call (bench pair).
inline constexpr size_t kMostSmall = 64;

// The largest Medium of a network that assembles those of several frames: near
// 64 KiB, as clients expect. The eager limit is the network's own: what a frame
// takes. Reasoned, not measured.
inline constexpr size_t kMaxMedium = 65536;
// The bound of messages that are being assembled, for each lane. A rank hardly
// ever reaches it, and it costs memory only as far as it is used (bench
// memory).
inline constexpr size_t kAssemblyBytes = size_t{8} << 20;
// The number of assemblies that are kept for reuse, with their buffers: a
// quarter of a megabyte if each held the largest Medium. Reasoned, not
// measured.
inline constexpr size_t kIdleAssemblies = 4;

}  // namespace gasnet::am

#endif  // CORE_AM_TUNING_H_
