// Processes that a limit is measured with: memory shared with them, and their
// start and end. They never outlive the process that started them.
#ifndef BENCH_LIMITS_CHILD_H_
#define BENCH_LIMITS_CHILD_H_

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace gasnet::bench {

// Zeroed memory that this process shares with the children it starts later.
// Present from the start, so that no page fault is measured.
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

// Runs work(0) ... work(count - 1) in processes of their own. The destructor
// waits for them.
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

// Lets the calling process run on `cpu` only; where that is negative, on all
// processors but that of its parent, which `parents_cpu` names.
void BindChild(int cpu, int parents_cpu);

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_CHILD_H_
