// The pointer that a client stores in an object of GASNet-EX. It is initially
// null, private to this process, and accessible in any context, even in
// handlers.
#ifndef EX_CLIENT_DATA_H_
#define EX_CLIENT_DATA_H_

#include <atomic>

namespace gasnet::ex {

class ClientData {
 public:
  void Set(const void* value) {
    value_.store(const_cast<void*>(value), std::memory_order_release);
  }
  void* Get() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<void*> value_{nullptr};
};

}  // namespace gasnet::ex

#endif  // EX_CLIENT_DATA_H_
