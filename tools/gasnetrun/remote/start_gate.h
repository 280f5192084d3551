// Limits the number of connections that begin at a time. With thousands of
// hosts, simultaneous key exchanges would be so slow that connections exceed
// their time limits.
//
// A host enters the gate before it connects, and may have to wait. It leaves
// the gate when it is connected or has failed. The gate is closed when the job
// ends, and then admits no host. A host may be destroyed only after the gate,
// or after it has left the gate. Used by one thread.
#ifndef TOOLS_GASNETRUN_REMOTE_START_GATE_H_
#define TOOLS_GASNETRUN_REMOTE_START_GATE_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

#include "tools/gasnetrun/remote/tuning.h"

namespace gasnet::gasnetrun {

class StartGate {
 public:
  // Calls `begin` when the host is admitted, now or later.
  void Enter(std::function<void()> begin) {
    if (is_closed_) return;
    waiting_.push_back(std::move(begin));
    LetIn();
  }
  void Leave() {
    --inside_;
    LetIn();
  }
  void Close() {
    is_closed_ = true;
    waiting_.clear();
  }
  bool is_closed() const { return is_closed_; }

 private:
  void LetIn() {
    while (inside_ < kStartsAtOnce && !waiting_.empty()) {
      const std::function<void()> begin = std::move(waiting_.front());
      waiting_.pop_front();
      ++inside_;
      begin();
    }
  }

  bool is_closed_ = false;
  size_t inside_ = 0;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_START_GATE_H_
