#include "conduits/ofi/silence_watchdog.h"

#include "conduits/ofi/tuning.h"

namespace gasnet::ofi {

std::optional<Waited> SilenceWatchdog::Look(int64_t now) {
  if (now < next_) return std::nullopt;
  next_ = now + kSilenceInterval;
  ++clock_.now;
  messages_.AskForInjected(kMaxInjectedAge);
  if (told_ || seconds_ == 0 || !IsWaiting()) return std::nullopt;
  std::optional<Waited> oldest = transfers_.Oldest();
  std::optional<Waited> message = messages_.Oldest();
  if (!oldest || (message && message->since < oldest->since)) oldest = message;
  if (!oldest || clock_.now - oldest->since < seconds_) return std::nullopt;
  told_ = true;
  return oldest;
}

}  // namespace gasnet::ofi
