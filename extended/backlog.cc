#include "extended/backlog.h"

#include <utility>

#include "core/thread/holder.h"

namespace gasnet::extended {

Backlog::Backlog()
    : progress_(runtime->engine().progress().Add(
          [](void* backlog) { static_cast<Backlog*>(backlog)->PostAll(); },
          this)) {}

bool Backlog::Has(Rank peer) {
  if (!any_.load(std::memory_order_relaxed)) return false;
  const thread::Holder hold(lock_);
  return items_.contains(peer);
}

void Backlog::Add(Rank peer, std::unique_ptr<Item> item) {
  const thread::Holder hold(lock_);
  items_[peer].push_back(std::move(item));
  any_.store(true, std::memory_order_relaxed);
  runtime->engine().progress().Activate(progress_);
}

// Posts all items for which there is room. A thread that waits calls this after
// it has armed its sleep, so room that appears later wakes the thread. Each
// waiting thread must look for room itself, since another thread may have
// looked before there was room.
void Backlog::PostAll() {
  const thread::Holder hold(lock_);
  absl::erase_if(items_, [](auto& of_peer) {
    Items& items = of_peer.second;
    while (!items.empty() && items.front()->Post()) items.pop_front();
    return items.empty();
  });
  if (!items_.empty()) return;
  any_.store(false, std::memory_order_relaxed);
  runtime->engine().progress().Deactivate(progress_);
}

}  // namespace gasnet::extended
