#include "conduits/ofi/silence_watchdog.h"

#include "conduits/ofi/tuning.h"

namespace gasnet::ofi {

bool SilenceWatchdog::Look(int64_t now) {
  if (now < next_) return false;
  next_ = now + kSilenceInterval;
  ++clock_.now;
  messages_.AskForInjected(kMaxInjectedAge);
  return true;
}

std::optional<Waited> SilenceWatchdog::Longest() const {
  std::optional<Waited> oldest = transfers_.Oldest();
  std::optional<Waited> message = messages_.Oldest();
  if (!oldest || (message && message->since < oldest->since)) oldest = message;
  if (!oldest || clock_.now == oldest->since) return std::nullopt;
  return oldest;
}

}  // namespace gasnet::ofi
