// A peer's message may follow from what we sent it before, and then comes after
// it. That order goes through the peer's process, where the thread sanitizer
// that watches this one does not look. So to it, and to it alone, everything
// received comes after everything that this process sent before.
#ifndef CORE_HOSTSHM_CAUSALITY_H_
#define CORE_HOSTSHM_CAUSALITY_H_

#include <atomic>
#include <cstdint>

#include "base/sanitizer.h"

namespace gasnet::hostshm {

class Causality {
 public:
  static void BeforeSending() {
    if constexpr (kThreadSanitizer) {
      sent_.fetch_add(1, std::memory_order_release);
    }
  }
  static void AfterReceiving() {
    if constexpr (kThreadSanitizer) sent_.load(std::memory_order_acquire);
  }

 private:
  static inline std::atomic<uint32_t> sent_{0};
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_CAUSALITY_H_
