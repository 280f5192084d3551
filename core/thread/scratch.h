// Memory that one thread uses again and again for one thing at a time. It grows
// to the largest need and is never given back: threads that end hand it on with
// their records.
#ifndef CORE_THREAD_SCRATCH_H_
#define CORE_THREAD_SCRATCH_H_

#include <cstddef>

namespace gasnet::thread {

class Scratch {
 public:
  // At least so many bytes, aligned to a cache line, which a later call with
  // more replaces. Ends the job with a message where there is no memory.
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
