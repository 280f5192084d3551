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
// collectives, and waits of threads that are about to sleep. The slot of a wait
// is a sequence lock. Its version is even while the slot holds a wait, and odd
// while the slot is free or changes. The other words are independent of each
// other and imply no memory order.
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
  kRoom,        // Room to send to `peer`. `first` is 1 for a reply.
  kBarrier,     // A barrier. `first` is its phase, counted from 1.
  kCollective,  // `first`: the team's name. `second`: its collective, from 1.
  kTransfers,   // Puts and gets, to `peer`, or to any rank (kNobody).
  kAllRanks,    // All ranks in gasnet_attach, gasnet_finalize or the like.
  kLast = kAllRanks,
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

// The number of collectives that a rank has begun on a team.
struct TeamCount {
  std::atomic<uint64_t> name_and_one;  // The name plus one. 0: no team.
  std::atomic<uint32_t> begun;
};

struct StatusPage {
  static constexpr uint32_t kVersion = 1;
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
};

// The size of each rank's page in host memory.
inline constexpr size_t kStatusPageBytes = 4096;
static_assert(sizeof(StatusPage) <= kStatusPageBytes);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace gasnet::job

#endif  // JOB_STATUS_STATUS_PAGE_H_
