// Where parts of operations that come in pieces are put: by handlers, on any
// thread, in any order, straight to where they belong.
//
// The thread that drives the node opens a landing, sends its name to the
// sender, and closes it once all bytes have come. An arriving piece names a
// landing and an offset. It is another rank's word, and checked: only its
// sender, only bytes within, none twice as far as their sum shows.
//
// Memory order: a piece is counted (release) after it was written; IsComplete
// acquires all of them.
#ifndef COLL_LANDINGS_H_
#define COLL_LANDINGS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"

namespace gasnet::coll {

struct Landing {
  std::byte* to = nullptr;
  size_t nbytes = 0;
  Rank from = 0;            // job rank
  uint32_t generation = 1;  // odd: open
  size_t claimed = 0;       // bytes that have been admitted
  std::atomic<size_t> left{0};

  bool IsComplete() const { return left.load(std::memory_order_acquire) == 0; }
};

class Landings {
 public:
  // By who drives.
  uint64_t Open(Rank from, std::byte* to, size_t nbytes, Landing** landing);
  void Close(uint64_t name);

  // In handlers. Null: no such bytes can come now. `claim`: these are the bytes
  // themselves, which the caller writes, and counts.
  Landing* Find(Rank from, uint64_t name, uint64_t offset, size_t nbytes,
                bool claim);
  static void Count(Landing& landing, size_t nbytes) {
    landing.left.fetch_sub(nbytes, std::memory_order_release);
  }

 private:
  thread::SpinLock lock_;
  std::deque<Landing> all_ ABSL_GUARDED_BY(lock_);  // all but `left`
  std::vector<uint32_t> idle_ ABSL_GUARDED_BY(lock_);
};

}  // namespace gasnet::coll

#endif  // COLL_LANDINGS_H_
