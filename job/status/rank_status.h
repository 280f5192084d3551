// The status of a rank at one moment, as read by the owner of the rank. It
// consists of the rank's status page and the kernel's state of its process.
// Times are durations, because each host has its own clock.
//
// The rank may be broken, so its numbers may be nonsense. Encodings come from
// other hosts, and are checked.
#ifndef JOB_STATUS_RANK_STATUS_H_
#define JOB_STATUS_RANK_STATUS_H_

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "job/status/status_page.h"

namespace gasnet::job {

// The time within which a rank that waits in GASNet polls, after the launcher
// has asked it to. The time is enough even if the rank's thread slept and many
// ranks share the processors.
constexpr int64_t kLongestWithoutPoll = kNanosPerSecond;

struct RankWait {
  Waiting waiting;
  int64_t nanos = 0;   // The time since the wait began.
  int32_t thread = 0;  // The kernel's number of the thread.
};

struct RankStatus {
  struct Team {
    uint64_t name = 0;
    uint32_t begun = 0;
  };

  // The kernel's letter for the rank's process:
  // - 'R': a thread runs
  // - 'S': sleeps
  // - 'D': sleeps in the kernel
  // - 'T': is stopped
  // - 't': is stopped by a debugger
  // - '?': unknown
  char process = '?';
  // True if the rank is in GASNet. Only then does it have a status page.
  bool has_page = false;
  // The time since the rank's last poll, as far as is known. 0 if the rank has
  // polled since the launcher last asked.
  int64_t unpolled_nanos = 0;
  uint32_t barriers = 0;
  std::vector<Team> teams;
  std::vector<RankWait> waits;  // The longest wait comes first.
  uint32_t further_waits = 0;
  // The longest wait of the rank's network, if the rank has polled within
  // kLongestWithoutPoll. nanos: its time, or 0 if the network waits for
  // nothing. text: printable ASCII.
  struct Network {
    int64_t nanos = 0;
    uint32_t peer = kNobody;
    std::string text;
  };
  Network network;

  // Returns true if one of the rank's waits is of this kind.
  bool HasWait(WaitFor what) const {
    return std::any_of(waits.begin(), waits.end(), [=](const RankWait& wait) {
      return wait.waiting.what == what;
    });
  }
};

// Reads the page at index `place` of host memory, and the state of the process.
// `now` is a time of the monotonic clock.
RankStatus ReadStatus(int memory_fd, uint32_t place, pid_t pid, int64_t now);

// Adds a wait. Keeps the longest wait first.
void AddWait(RankStatus& status, const RankWait& wait);

// Returns an encoding of at most kMaxStatusBytes.
std::string EncodeStatus(const RankStatus& status);
// Decodes a status. Returns nothing unless the bytes are exactly an encoding.
std::optional<RankStatus> DecodeStatus(std::string_view bytes);

}  // namespace gasnet::job

#endif  // JOB_STATUS_RANK_STATUS_H_
