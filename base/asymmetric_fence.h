// A store-load fence between many frequent threads and one rare thread of any
// process, paid for by the rare one alone.
//
// A thread that posts a message stores it and then checks if its reader sleeps.
// A reader about to sleep says so and then checks for messages. One of the two
// must see the other, so both need a full fence between store and load. The
// poster's fence would cost more than the rest of its message. membarrier(2)
// lets the sleeper make every running poster execute one instead.
//
// Poster:  store; LightFence(); load      Sleeper:  store; HeavyFence(); load
//
// Without membarrier in the kernel, LightFence is a full fence and HeavyFence
// returns false. The sleeper must then not rely on being woken.
#ifndef BASE_ASYMMETRIC_FENCE_H_
#define BASE_ASYMMETRIC_FENCE_H_

#include <atomic>

namespace gasnet {

class AsymmetricFence {
 public:
  // Registers this process; from then on its light fences are free.
  static void Register();

  // Inlined: a call of it would cost more than the fence.
  [[gnu::always_inline]] static void LightFence() {
    if (registered_) [[likely]] {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      std::atomic_thread_fence(std::memory_order_seq_cst);
    }
  }

  // Returns true if the fence reached the light fences of every registered
  // process.
  static bool HeavyFence();

 private:
  static bool registered_;  // Constant once threads start.
};

}  // namespace gasnet

#endif  // BASE_ASYMMETRIC_FENCE_H_
