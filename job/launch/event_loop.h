// Waits on many descriptors and calls back. One thread. A process forked from
// the owner may only destroy it, which does not disturb the owner.
#ifndef JOB_LAUNCH_EVENT_LOOP_H_
#define JOB_LAUNCH_EVENT_LOOP_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "base/unique_fd.h"

namespace gasnet::job {

class EventLoop {
 public:
  using Callback = std::function<void()>;

  EventLoop();

  bool valid() const { return epoll_.valid(); }

  // Calls back while `fd` is ready for one of `events` (EPOLLIN, EPOLLOUT), or
  // broken. A second Watch of the same descriptor replaces the first. Returns
  // false for a descriptor that cannot be waited for, such as a regular file,
  // which is always ready.
  bool Watch(int fd, uint32_t events, Callback callback);

  // Stops watching. Must precede the descriptor's close. Does nothing for a
  // descriptor that is not watched.
  void Unwatch(int fd);

  // Waits until a descriptor is ready or NowNanos() reaches `deadline`, and
  // makes the calls. A callback may watch and unwatch any descriptor.
  void Wait(int64_t deadline);

 private:
  struct Entry {
    uint32_t generation;  // The descriptor's number may be closed and reused.
    std::shared_ptr<const Callback> callback;
  };

  void Dispatch(uint64_t token);

  UniqueFd epoll_;
  const pid_t owner_;  // Forked processes share the epoll set.
  uint32_t next_generation_ = 0;
  absl::flat_hash_map<int, Entry> entries_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_EVENT_LOOP_H_
