// Child processes for measuring a baseline: their start, their end, and the
// memory that they share with this process. The children never outlive the
// process that started them.
#ifndef BENCH_LIMITS_CHILD_H_
#define BENCH_LIMITS_CHILD_H_

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace gasnet::bench {

// A block of zeroed memory that this process shares with children that it
// starts later. Its pages are present from the start, so that no page fault is
// measured.
class SharedBlock {
 public:
  explicit SharedBlock(size_t nbytes);
  ~SharedBlock();
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;

  void* data() const { return data_; }

 private:
  void* data_;
  size_t nbytes_;
};

// Runs work(0) ... work(count - 1), each in a child process. The destructor
// waits for the children.
class Children {
 public:
  template <class Work>
  Children(int count, Work work) {
    for (int i = 0; i < count; ++i) {
      if (!Fork()) continue;
      work(i);
      Finish();
    }
  }
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

 private:
  bool Fork();  // true in the child
  [[noreturn]] static void Finish();

  std::vector<pid_t> pids_;
};

// Binds the calling process to `cpu`. If `cpu` is negative, binds the process
// to all processors except `parents_cpu`, the processor of its parent.
void BindChild(int cpu, int parents_cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_CHILD_H_
