// The statistics of a rank: its time in GASNet, and its traffic. If the
// launcher asks for statistics, the rank collects them. The rank sends them
// once, before its process ends (Job::SendStatistics). The launcher sums them
// (job_statistics.h).
//
// Times are in nanoseconds. The rank may be broken, so its numbers may be
// nonsense. Decode checks only the encoding and its limits.
#ifndef JOB_STATISTICS_RANK_STATISTICS_H_
#define JOB_STATISTICS_RANK_STATISTICS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job/status/status_page.h"

namespace gasnet::job {

// If the launcher wants statistics, it sets this variable to 1 in the
// environment of the job.
inline constexpr const char* kStatisticsVariable = "GASNETRUN_STATISTICS";

// The uses of one function.
struct CallStatistics {
  // The function's name: 1 to kMaxNameBytes letters, digits and '_'.
  std::string name = {};
  uint64_t calls = 0;
  uint64_t bytes = 0;
  int64_t nanos = 0;    // the time in the calls, without their waits
  int64_t waiting = 0;  // the time of the waits in the calls

  bool operator==(const CallStatistics&) const = default;
};

// The waits for one reason.
struct WaitStatistics {
  WaitFor what = WaitFor::kAnything;
  uint64_t count = 0;
  int64_t nanos = 0;

  bool operator==(const WaitStatistics&) const = default;
};

// The data that this rank has sent to a peer or fetched from it. The peer does
// not count this data again.
struct PeerStatistics {
  uint32_t peer = 0;
  uint64_t operations = 0;
  uint64_t bytes = 0;

  bool operator==(const PeerStatistics&) const = default;
};

// A count of events that are no calls: of the library's own messages, of native
// transfers, or of the rank's network, such as packets sent again
// (core/observe/network_counts.h).
struct NetworkStatistics {
  std::string name = {};  // like the name of a function
  uint64_t count = 0;

  bool operator==(const NetworkStatistics&) const = default;
};

struct RankStatistics {
  int64_t elapsed = 0;  // the time since gasnet_attach
  // The number of handlers that this rank has run.
  uint64_t handlers = 0;
  std::vector<CallStatistics> calls = {};       // at most kMaxCalls
  std::vector<WaitStatistics> waits = {};       // at most kMaxWaits
  std::vector<NetworkStatistics> network = {};  // at most kMaxNetworkCounts
  std::vector<PeerStatistics> peers = {};
  // Traffic with peers that are not among `peers`.
  uint64_t other_operations = 0;
  uint64_t other_bytes = 0;

  bool operator==(const RankStatistics&) const = default;
};

inline constexpr size_t kMaxNameBytes = 64;
inline constexpr size_t kMaxCalls = 512;
inline constexpr size_t kMaxWaits = static_cast<size_t>(WaitFor::kLast) + 1;
inline constexpr size_t kMaxNetworkCounts = 32;

// Returns an encoding of at most kMaxStatisticsBytes (job/wire/limits.h).
// Leaves out peers without operations. The other peers are sorted by their
// bytes, the most first. Adds peers that do not fit to `other_operations` and
// `other_bytes`. A negative time becomes 0.
std::string Encode(const RankStatistics& statistics);

// Decodes the bytes into `statistics`. Returns true if the bytes are exactly an
// encoding. If not, returns false and changes nothing. For example, a name, a
// time or a number of elements may be outside of its limits. A peer may be any
// number, because only the launcher knows the size of the job.
bool Decode(std::string_view bytes, RankStatistics& statistics);

}  // namespace gasnet::job

#endif  // JOB_STATISTICS_RANK_STATISTICS_H_
