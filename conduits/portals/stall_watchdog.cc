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

std::optional<std::string> StallWatchdog::Look(const View& view) {
  if (seconds_ == 0 || told_) return std::nullopt;
  const int64_t passed = view.now - std::exchange(last_, view.now);
  if (view.receipts != receipts_ || view.op_slots == 0) {
    Begin(view);
    return std::nullopt;
  }
  quiet_ += std::min(passed, kMaxOfLook);
  if (static_cast<double>(quiet_) < seconds_ * kNanosPerSecond) {
    return std::nullopt;
  }
  told_ = true;
  return Describe(view);
}

void StallWatchdog::Begin(const View& view) {
  quiet_ = 0;
  receipts_ = view.receipts;
  for (size_t i = 0; i < kResources.size(); ++i) {
    counts_[i] = statistics_[kResources[i]];
  }
}

std::string StallWatchdog::Describe(const View& view) const {
  std::string text =
      absl::StrCat("nothing has moved for ", quiet_ / kNanosPerSecond,
                   " s; under way: ", view.op_slots,
                   view.op_slots == 1 ? " operation" : " operations");
  for (size_t i = 0; i < kResources.size(); ++i) {
    if (statistics_[kResources[i]] == counts_[i]) continue;
    absl::StrAppend(&text, "; messages wait for ", TextOf(kResources[i]));
  }
  if (statistics_[Counted::kNoCredit] + statistics_[Counted::kPaused] > 0) {
    absl::StrAppend(&text, "; the last one that had to wait was to rank ",
                    statistics_.starved());
  }
  return text;
}

}  // namespace gasnet::portals_conduit
