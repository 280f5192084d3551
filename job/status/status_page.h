// A page in which a rank publishes its waits to the processes that own it. It
// lies in the host memory (job/memory/host_memory.h), so readers need no help
// of the rank, which may be stopped or busy.
//
// Host memory begins with the pages of all ranks of the host, in order. A rank
// maps its own and writes it. Launcher, agents and members read it with pread:
// a rank could shrink the file, and an access through a mapping would then
// crash its reader.
//
// A rank writes here only values that cost nothing: counts of barriers and
// collectives, and a wait once it is so long that its thread is about to sleep.
// A wait's slot is a sequence lock: its version is even while it holds a wait,
// and odd while it is free or changes. The other words are independent of each
// other and imply no memory order.
#ifndef JOB_STATUS_STATUS_PAGE_H_
#define JOB_STATUS_STATUS_PAGE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gasnet::job {

// The reason of a wait. It determines the meaning of the wait's numbers.
enum class WaitFor : uint32_t {
  kAnything,    // nothing more is known
  kCondition,   // the client's own (GASNET_BLOCKUNTIL)
  kRoom,        // to send to the peer; 1 if it is to send a reply
  kBarrier,     // its phase, counted from 1
  kCollective,  // the team's name, the collective's number there from 1 on
  kTransfers,   // puts and gets, to the peer if there is one
  kAllRanks,    // to come to gasnet_attach, gasnet_finalize or the like
  kLast = kAllRanks,
};

inline constexpr uint32_t kNobody = ~uint32_t{0};

// Names of teams: a member's rank and its own number of the team, or one of
// these constants.
inline constexpr uint64_t kTeamOfAll = 0;
// The barriers of all ranks of GASNet-EX, which belong to no team.
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
  std::atomic<int32_t> thread;  // the kernel's number; 0: the slot is free
  std::atomic<int64_t> since;   // of the monotonic clock, in nanoseconds
  std::atomic<uint64_t> first;
  std::atomic<uint64_t> second;
  std::atomic<uint32_t> what;
  std::atomic<uint32_t> peer;
};

// The collectives that a rank has begun on a team.
struct TeamCount {
  std::atomic<uint64_t> name_and_one;  // 0: none
  std::atomic<uint32_t> begun;
};

struct StatusPage {
  static constexpr uint32_t kVersion = 1;
  static constexpr size_t kWaits = 16;
  static constexpr size_t kTeams = 14;

  // kVersion while the rank is in a job.
  alignas(64) std::atomic<uint32_t> version;
  // waits of threads that found no free slot
  std::atomic<uint32_t> further_waits;
  // The time at which the launcher asked if this rank polls, and the time of
  // the first poll since.
  std::atomic<int64_t> asked_at;
  std::atomic<int64_t> polled_at;
  // Written by different threads.
  alignas(64) std::atomic<uint32_t> barriers;  // begun
  alignas(64) std::array<TeamCount, kTeams> teams;
  std::array<WaitSlot, kWaits> waits;
};

// The bytes of host memory for each rank's page.
inline constexpr size_t kStatusPageBytes = 4096;
static_assert(sizeof(StatusPage) <= kStatusPageBytes);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace gasnet::job

#endif  // JOB_STATUS_STATUS_PAGE_H_
