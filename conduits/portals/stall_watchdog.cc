#include "conduits/portals/stall_watchdog.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

constexpr const char* TextOf(Counted resource) {
  switch (resource) {
    case Counted::kNoCredit:
      return "credits of their target (GASNET_PORTAL_CRED_PER_NODE)";
    case Counted::kNoOpSlot:
      return "operations to end (GASNET_PORTAL_MSG_LIMIT)";
    case Counted::kNoChunk:
      return "chunks of requests (GASNET_PORTAL_SB_CHUNKS)";
    case Counted::kPaused:
      return "a target that refused them to have room "
             "(GASNET_PORTAL_AMRECV_SPACE)";
    case Counted::kNoLocalMemory:
      return "descriptors of their local memory (GASNET_FIREHOSE_MAXVICTIM_R, "
             "GASNET_PORTAL_NUM_TMPMD)";
    default:
      return "chunks and operations for replies (GASNET_PORTAL_RPL_CHUNKS)";
  }
}

}  // namespace

void StallWatchdog::Look(const View& view) {
  const int64_t passed = view.now - std::exchange(last_, view.now);
  if (view.receipts != receipts_ || view.op_slots == 0) return Begin(view);
  quiet_ += std::min(passed, kMaxOfLook);
}

void StallWatchdog::Begin(const View& view) {
  quiet_ = 0;
  receipts_ = view.receipts;
  for (size_t i = 0; i < kResources.size(); ++i) {
    counts_[i] = statistics_[kResources[i]];
  }
}

std::optional<StallWatchdog::Stall> StallWatchdog::Find() const {
  if (quiet_ < kNanosPerSecond) return std::nullopt;
  Stall stall = {.nanos = quiet_, .peer = std::nullopt, .missing = ""};
  for (size_t i = 0; i < kResources.size(); ++i) {
    const Counted resource = kResources[i];
    if (statistics_[resource] == counts_[i]) continue;
    absl::StrAppend(&stall.missing, stall.missing.empty() ? "" : ", ",
                    TextOf(resource));
    if (resource == Counted::kNoCredit || resource == Counted::kPaused) {
      stall.peer = statistics_.starved();
    }
  }
  return stall;
}

}  // namespace gasnet::portals_conduit
