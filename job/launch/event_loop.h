// Waits on many descriptors, and calls back when they are ready. Only one
// thread may use the object. In a forked child, only destruction is legal. It
// does not disturb the parent's object.
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
  // false if the descriptor cannot be watched, such as a regular file.
  bool Watch(int fd, uint32_t events, Callback callback);

  // Stops watching a descriptor. Call it before the descriptor is closed. Does
  // nothing if the descriptor is not watched.
  void Unwatch(int fd);

  // Waits until a descriptor is ready or NowNanos() reaches `deadline`, and
  // calls the callbacks of ready descriptors. A callback may watch and unwatch
  // any descriptor.
  void Wait(int64_t deadline);

 private:
  struct Entry {
    uint32_t generation;  // differs if the descriptor's number is reused
    std::shared_ptr<const Callback> callback;
  };

  void Dispatch(uint64_t token);

  UniqueFd epoll_;
  const pid_t owner_;  // the process that made the epoll set
  uint32_t next_generation_ = 0;
  absl::flat_hash_map<int, Entry> entries_;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_EVENT_LOOP_H_
