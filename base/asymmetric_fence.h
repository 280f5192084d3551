// A store-load fence between threads that need it often and one thread, of any
// process, that needs it rarely. Only the thread that needs it rarely pays for
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
// returns false. The sleeper must then not rely on being woken.
#ifndef BASE_ASYMMETRIC_FENCE_H_
#define BASE_ASYMMETRIC_FENCE_H_

#include <atomic>

namespace gasnet {

class AsymmetricFence {
 public:
  // Registers this process. Its light fences cost nothing from then on.
  static void Register();

  // Always inlined, since a call would cost more than the fence.
  [[gnu::always_inline]] static void LightFence() {
    if (registered_) [[likely]] {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    }
  }

  // Executes the heavy fence. Returns true if it reached the light fences of
  // every registered process.
  static bool HeavyFence();

 private:
  static bool registered_;  // Constant once threads start.
};

}  // namespace gasnet

#endif  // BASE_ASYMMETRIC_FENCE_H_
