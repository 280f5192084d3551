// Reusable memory of one thread, for one use at a time. It grows to the largest
// size that was ever needed, and is never freed. When the thread ends, its
// record passes the memory on to the next thread.
#ifndef CORE_THREAD_SCRATCH_H_
#define CORE_THREAD_SCRATCH_H_

#include <cstddef>

namespace gasnet::thread {

class Scratch {
 public:
  // Returns at least nbytes bytes, aligned to a cache line. A later call for
  // more bytes may replace this memory. Ends the job with a message if no
  // memory is left.
  void* AtLeast(size_t nbytes) {
    if (nbytes > capacity_) [[unlikely]]
      Grow(nbytes);
    return memory_;
  }

 private:
  [[gnu::cold, gnu::noinline]] void Grow(size_t nbytes);

  void* memory_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_SCRATCH_H_
