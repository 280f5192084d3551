#include "job/launch/event_loop.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

int MillisUntil(int64_t deadline) {
  if (deadline == kNever) return -1;
  const int64_t left = deadline - NowNanos() + kNanosPerMilli - 1;
  return std::clamp<int64_t>(left / kNanosPerMilli, 0, kLongestWaitMillis);
}

}  // namespace

EventLoop::EventLoop()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), owner_(getpid()) {}

bool EventLoop::Watch(int fd, uint32_t events, Callback callback) {
  Unwatch(fd);
  const uint32_t generation = next_generation_++;
  epoll_event event = {};
  event.events = events;
  event.data.u64 = uint64_t{generation} << 32 | static_cast<uint32_t>(fd);
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) return false;
  entries_[fd] = {generation,
                  std::make_shared<const Callback>(std::move(callback))};
  return true;
}

void EventLoop::Unwatch(int fd) {
  if (entries_.erase(fd) == 0 || getpid() != owner_) return;
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void EventLoop::Wait(int64_t deadline) {
  epoll_event events[kEventsAtOnce];
  const int count =
      epoll_wait(epoll_.get(), events, kEventsAtOnce, MillisUntil(deadline));
  for (int i = 0; i < count; ++i) Dispatch(events[i].data.u64);
}

void EventLoop::Dispatch(uint64_t token) {
  const auto entry = entries_.find(static_cast<int>(token & 0xffffffff));
  if (entry == entries_.end() || entry->second.generation != token >> 32)
    return;
  // Keeps the callback alive, since the callback may unwatch its own
  // descriptor.
  const std::shared_ptr<const Callback> callback = entry->second.callback;
  (*callback)();
}

}  // namespace gasnet::job
