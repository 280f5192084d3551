// Looks after an endpoint whose process computes: sends what was waiting for
// company, acknowledges, sends again what was lost. It runs no handler and
// receives nothing.
//
// A thread of its own that sleeps until there is something to look after. Wake
// says so, for a system call if it was asleep; from then on it looks once a
// millisecond, until the endpoint has nothing to do by itself any more.
//
// States: asleep -> Wake -> looking -> (no deadline) -> asleep. Who sends sets
// the endpoint's deadline and then reads `awake_`; the thread takes `awake_`
// back and then reads the deadline once more. The asymmetric fence between the
// two steps of each makes one of them see the other.
#ifndef CONDUITS_UDP_KEEPER_H_
#define CONDUITS_UDP_KEEPER_H_

#include <atomic>

#include "base/status.h"
#include "base/unique_fd.h"
#include "conduits/udp/network.h"
#include "core/hostshm/asymmetric_fence.h"

namespace gasnet::udp {

class Keeper {
 public:
  explicit Keeper(Network::Endpoint& endpoint) : endpoint_(endpoint) {}
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  ~Keeper() = delete;  // it runs until the process ends

  Status Start();

  // After something was sent.
  void Wake() {
    hostshm::AsymmetricFence::LightFence();
    if (!awake_.load(std::memory_order_relaxed)) [[unlikely]]
      Rouse();
  }

 private:
  // Long beside what a process that polls needs, short beside what a user
  // notices.
  static constexpr int64_t kInterval = 1'000'000;  // ns

  static void* Run(void* self);
  void Look();
  void Rouse();
  void SleepUntilRoused();

  Network::Endpoint& endpoint_;
  UniqueFd bell_;  // an eventfd
  std::atomic<bool> awake_{false};
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_KEEPER_H_
