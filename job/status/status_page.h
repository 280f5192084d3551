// A page in which a rank publishes its waits to the processes that own the
// rank. The page lies in the host memory (job/memory/host_memory.h), so it can
// be read even if the rank is stopped or busy.
//
// Host memory begins with the pages of all ranks of the host, in order. A rank
// maps its own page and writes it. Launcher, agents and members read the page
// with pread. A rank could shrink the file, and an access through a mapping
// would then crash the reader.
//
// A rank writes only values that cost nothing: counts of barriers and
// collectives, waits of threads that are about to sleep, and, if the launcher
// asks, what its network waits for. The slot of a wait is a sequence lock. Its
// version is even while the slot holds a wait, and odd while the slot is free
// or changes. The network's slot is one too. The other words are independent of
// each other and imply no memory order.
#ifndef JOB_STATUS_STATUS_PAGE_H_
#define JOB_STATUS_STATUS_PAGE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gasnet::job {

// The name of the thread that answers the launcher in a rank (job/monitor.h).
inline constexpr const char* kMonitorName = "gasnet-monitor";

// The reason for a wait. The reason determines the meaning of the other members
// of Waiting.
enum class WaitFor : uint32_t {
  kAnything,    // nothing more is known
  kCondition,   // The client's own condition (GASNET_BLOCKUNTIL).
  kRoom,        // Room to send to `peer`. `first` is 1 for a reply. `second`:
                // how full the ring to the peer is (RingFill), if not 0.
  kBarrier,     // A barrier. `first` is its phase, counted from 1.
  kCollective,  // `first`: the team's name. `second`: its collective, from 1.
  kTransfers,   // Puts and gets, to `peer`, or to any rank (kNobody). `first`:
                // their number, if not 0.
  kAllRanks,    // All ranks in gasnet_attach, gasnet_finalize or the like.
  kLast = kAllRanks,
  // Used in a diagnosis only, and never on a page: no thread waits, but the
  // network does, for `peer`.
  kNetwork,
};

inline constexpr uint32_t kNobody = ~uint32_t{0};

// The name of a team is one of these constants, or TeamName of a member's rank
// and of the number that this member has given the team.
inline constexpr uint64_t kTeamOfAll = 0;
// The barriers of GASNet-EX in which all ranks take part. They belong to no
// team.
inline constexpr uint64_t kBarriersOfAll = uint64_t{1} << 62;
constexpr uint64_t TeamName(uint32_t first_member, uint16_t number_there) {
  return uint64_t{first_member} << 16 | number_there;
}

// The fill of a ring of messages in shared memory. Numbers that need more than
// 16 bits are reported as the largest number of 16 bits.
struct RingFill {
  uint64_t messages = 0;
  uint64_t max_messages = 0;
  // The space for payloads, in cache lines of 64 bytes.
  uint64_t lines = 0;
  uint64_t max_lines = 0;

  constexpr uint64_t Packed() const {
    return Limited(messages) | Limited(max_messages) << 16 |
           Limited(lines) << 32 | Limited(max_lines) << 48;
  }
  static constexpr RingFill Unpack(uint64_t packed) {
    return {.messages = packed & kLimit,
            .max_messages = packed >> 16 & kLimit,
            .lines = packed >> 32 & kLimit,
            .max_lines = packed >> 48};
  }

 private:
  static constexpr uint64_t kLimit = 0xffff;
  static constexpr uint64_t Limited(uint64_t number) {
    return number < kLimit ? number : kLimit;
  }
};

// A wait of a thread.
struct Waiting {
  WaitFor what = WaitFor::kAnything;
  uint32_t peer = kNobody;
  uint64_t first = 0;
  uint64_t second = 0;
};

struct alignas(64) WaitSlot {
  std::atomic<uint32_t> version;
  std::atomic<int32_t> thread;  // The kernel's thread id. 0: free slot.
  std::atomic<int64_t> since;   // Monotonic clock, in nanoseconds.
  std::atomic<uint64_t> first;
  std::atomic<uint64_t> second;
  std::atomic<uint32_t> what;
  std::atomic<uint32_t> peer;
};

// The longest wait of the rank's network. The version is even while all members
// belong together. Only one thread writes at a time.
struct NetworkSlot {
  static constexpr size_t kTextBytes = 232;  // including a zero at the end

  std::atomic<uint32_t> version;
  std::atomic<uint32_t> peer;  // The awaited rank, or kNobody.
  std::atomic<int64_t> since;  // Monotonic clock. 0: it waits for nothing.
  std::array<std::atomic<uint64_t>, kTextBytes / sizeof(uint64_t)> text;
};

// The number of collectives that a rank has begun on a team.
struct TeamCount {
  std::atomic<uint64_t> name_and_one;  // The name plus one. 0: no team.
  std::atomic<uint32_t> begun;
};

struct StatusPage {
  static constexpr uint32_t kVersion = 2;
  static constexpr size_t kWaits = 16;
  static constexpr size_t kTeams = 14;

  // kVersion while the rank is in a job.
  alignas(64) std::atomic<uint32_t> version;
  // The number of threads whose waits found no free slot.
  std::atomic<uint32_t> further_waits;
  // asked_at is the time at which the launcher last asked if this rank polls.
  // polled_at is the time of the first poll after that.
  std::atomic<int64_t> asked_at;
  std::atomic<int64_t> polled_at;
  // Different threads write the members below, so each is on its own cache
  // line.
  alignas(64) std::atomic<uint32_t> barriers;  // Barriers that have begun.
  alignas(64) std::array<TeamCount, kTeams> teams;
  std::array<WaitSlot, kWaits> waits;
  alignas(64) NetworkSlot network;
};

// The size of each rank's page in host memory.
inline constexpr size_t kStatusPageBytes = 4096;
static_assert(sizeof(StatusPage) <= kStatusPageBytes);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace gasnet::job

#endif  // JOB_STATUS_STATUS_PAGE_H_
