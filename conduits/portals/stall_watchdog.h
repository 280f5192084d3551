// A detector of stalls. In a stall nothing moves for a long time, although
// operations are under way. The watchdog knows which resource this rank waits
// for.
//
// Time counts only while this rank calls Look() at least once a second. If a
// client only computes for a minute, this minute does not count as waiting. Not
// thread-safe.
#ifndef CONDUITS_PORTALS_STALL_WATCHDOG_H_
#define CONDUITS_PORTALS_STALL_WATCHDOG_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "conduits/portals/statistics.h"
#include "core/rank.h"

namespace gasnet::portals_conduit {

class StallWatchdog {
 public:
  // A snapshot of a rank's progress.
  struct View {
    int64_t now = 0;        // time of the monotonic clock
    uint32_t receipts = 0;  // polls that took anything
    uint32_t op_slots = 0;  // operations under way
  };

  struct Stall {
    int64_t nanos = 0;         // the time in which nothing has moved
    std::optional<Rank> peer;  // the last rank to which a message had to wait
    std::string missing;       // the resources for which messages wait
  };

  explicit StallWatchdog(const PortalsStatistics& statistics)
      : statistics_(statistics) {}

  // Notes if anything has moved since the last call.
  void Look(const View& view);

  // Returns the stall. Returns nullopt unless it has lasted for a second.
  std::optional<Stall> Find() const;

 private:
  static constexpr std::array kResources = {
      Counted::kNoCredit, Counted::kNoOpSlot,    Counted::kNoChunk,
      Counted::kPaused,   Counted::kNoReplyRoom, Counted::kNoLocalMemory};

  void Begin(const View& view);

  const PortalsStatistics& statistics_;
  int64_t last_ = 0;   // time of the last call of Look()
  int64_t quiet_ = 0;  // nanoseconds without progress
  uint32_t receipts_ = 0;
  // The counts of kResources when the quiet time began.
  std::array<uint64_t, kResources.size()> counts_ = {};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_STALL_WATCHDOG_H_
