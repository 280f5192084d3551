// Tells the thread sanitizer about an order that it cannot see. A peer may send
// a message as a result of this process's earlier messages. Then the peer's
// message comes after those messages. Arrivals at barriers have the same
// property. The sanitizer cannot see this order because it does not watch the
// peer's process. So, only for the sanitizer, every received message comes
// after everything that this process sent before.
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
