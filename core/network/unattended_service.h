// The service of unattended requests (core/am/unattended.h) by a network's own
// thread, as far as it is the same for all networks: its begin and end, and the
// rule that it stands back while the client's threads serve the network.
//
//     off --Begin--> on --End--> off
//
// Begin(), End() and SetWatched() are called by threads of the client, all
// other functions by the network's thread. End() waits for a service under way.
// Both accesses on either side are seq_cst: either the service sees that there
// is no dispatcher, or End() sees the service.
#ifndef CORE_NETWORK_UNATTENDED_SERVICE_H_
#define CORE_NETWORK_UNATTENDED_SERVICE_H_

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/am/dispatcher.h"

namespace gasnet::network {

class UnattendedService {
 public:
  using Ring = void (*)(void* link);

  // Implements Network::ServeUnattended(). A null `ring` ends the service.
  void Set(am::Dispatcher& dispatcher, Ring ring, void* link) {
    if (ring == nullptr) return End();
    ring_ = ring;
    link_ = link;
    dispatcher_.store(&dispatcher);
  }
  // Implements Network::SetWatched().
  void SetWatched(bool watched) {
    watched_.store(watched, std::memory_order_relaxed);
  }

  // Returns true if requests may be served, and no thread of the client has
  // polled since the last call or sleeps on the network. `polls` is the number
  // of polls.
  bool IsNeeded(uint32_t polls) {
    const bool polled = std::exchange(polls_seen_, polls) != polls;
    return !polled && !watched_.load(std::memory_order_relaxed) &&
           dispatcher_.load(std::memory_order_relaxed) != nullptr;
  }

  // Calls serve(dispatcher), unless the service is off. Rings if serve()
  // returns true: it has received something that a thread of the client may
  // wait for.
  template <class Serve>
  void Run(Serve serve) {
    is_running_.store(true);
    am::Dispatcher* const dispatcher = dispatcher_.load();
    if (dispatcher != nullptr && serve(*dispatcher)) ring_(link_);
    is_running_.store(false);
  }

 private:
  void End() {
    dispatcher_.store(nullptr);
    while (is_running_.load()) sched_yield();
  }

  // Set before dispatcher_, which is null while the service is off.
  Ring ring_ = nullptr;
  void* link_ = nullptr;
  std::atomic<am::Dispatcher*> dispatcher_{nullptr};
  std::atomic<bool> is_running_{false};
  std::atomic<bool> watched_{false};  // a thread of the client sleeps
  uint32_t polls_seen_ = 0;           // used by the network's thread alone
};

}  // namespace gasnet::network

#endif  // CORE_NETWORK_UNATTENDED_SERVICE_H_
