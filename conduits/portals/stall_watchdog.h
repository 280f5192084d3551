// A detector of stalls. In a stall nothing moves for a long time, although
// operations are under way. The watchdog reports once which resource this rank
// waits for, and the job goes on.
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

namespace gasnet::portals_conduit {

class StallWatchdog {
 public:
  // A snapshot of a rank's progress.
  struct View {
    int64_t now = 0;        // time of the monotonic clock
    uint32_t receipts = 0;  // polls that took anything
    uint32_t op_slots = 0;  // operations under way
  };

  // `seconds` is the length of a stall that is reported; 0 disables reports.
  StallWatchdog(double seconds, const PortalsStatistics& statistics)
      : seconds_(seconds), statistics_(statistics) {}

  // If nothing has moved for too long, for the first time, returns a
  // description of the missing resource. In all other cases returns nullopt.
  std::optional<std::string> Look(const View& view);

 private:
  static constexpr std::array kResources = {
      Counted::kNoCredit, Counted::kNoOpSlot,    Counted::kNoChunk,
      Counted::kPaused,   Counted::kNoReplyRoom, Counted::kNoLocalMemory};

  void Begin(const View& view);
  std::string Describe(const View& view) const;

  const double seconds_;
  const PortalsStatistics& statistics_;
  int64_t last_ = 0;   // time of the last call of Look()
  int64_t quiet_ = 0;  // nanoseconds without progress
  uint32_t receipts_ = 0;
  // The counts of kResources when the quiet time began.
  std::array<uint64_t, kResources.size()> counts_ = {};
  bool told_ = false;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_STALL_WATCHDOG_H_
