// A log of a thread that is not traced, for tests that set the counts
// themselves.
#ifndef CORE_OBSERVE_TESTING_COUNTED_LOG_H_
#define CORE_OBSERVE_TESTING_COUNTED_LOG_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/observe/thread_log.h"
#include "core/observe/tracing.h"
#include "core/rank.h"

namespace gasnet::observe {

class CountedLog : public ThreadLog {
 public:
  CountedLog(Rank ranks, const std::atomic<uint32_t>& mask)
      : ThreadLog(ranks, mask, NoTrace()) {}

  // Counts an operation of `nbytes` bytes with the peer.
  void CountPeer(Rank peer, size_t nbytes) {
    if (FindPeer(peer) == nullptr) AddPeer(peer);
    FindPeer(peer)->operations.Add(1);
    FindPeer(peer)->bytes.Add(nbytes);
  }

 private:
  static Tracing& NoTrace() {
    static Tracing none(0);
    return none;
  }
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TESTING_COUNTED_LOG_H_
