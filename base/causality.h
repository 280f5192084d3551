// Tells the thread sanitizer about an order that it cannot see. A peer's
// message may be an effect of our earlier messages to the peer. It then comes
// after them. Arrivals at barriers have the same property. This order goes
// through the peer's process, which this process's sanitizer does not watch.
// So, only for the sanitizer, every received message comes after everything
// that this process sent before.
#ifndef BASE_CAUSALITY_H_
#define BASE_CAUSALITY_H_

#include <atomic>
#include <cstdint>

#include "base/sanitizer.h"

namespace gasnet {

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

}  // namespace gasnet

#endif  // BASE_CAUSALITY_H_
