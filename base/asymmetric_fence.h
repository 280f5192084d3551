// A store-load fence between threads that need it often and threads, in any
// process, that need it rarely. Only the threads that need it rarely pay for
// it.
//
// A thread that posts a message stores the message, then checks if its reader
// sleeps. A reader that is about to sleep first announces its sleep, then
// checks for messages. At least one of the two must see the other's store, so
// both need a full fence between store and load. The poster's fence would cost
// more than the rest of its message. With membarrier(2), the sleeper makes
// every running poster execute a fence instead.
//
//     Poster:   store; LightFence(); load
//     Sleeper:  store; HeavyFence(); load
//
// If the kernel lacks membarrier, LightFence is a full fence and HeavyFence
// returns false. Then a sleeper may not be woken, and must limit its sleep.
#ifndef BASE_ASYMMETRIC_FENCE_H_
#define BASE_ASYMMETRIC_FENCE_H_

#include <atomic>

namespace gasnet {

class AsymmetricFence {
 public:
  // Registers this process. From then on its light fences cost nothing.
  static void Register();

  // Always inlined, because a call would cost more than the fence.
  [[gnu::always_inline]] static void LightFence() {
    if (registered_) [[likely]] {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    }
  }

  // Executes the heavy fence. Returns true if it acts as a fence on the threads
  // of every registered process.
  static bool HeavyFence();

 private:
  static bool registered_;  // Constant once threads start.
};

}  // namespace gasnet

#endif  // BASE_ASYMMETRIC_FENCE_H_
