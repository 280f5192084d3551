// Destinations of parts that arrive in pieces. Handlers write the pieces
// straight to their destinations, on any thread and in any order.
//
// The driving thread opens a landing, sends the landing's name to the sender,
// and closes the landing once all bytes have arrived. An arriving piece names a
// landing and an offset. Both are unchecked data from another rank. So only the
// expected sender may write, only within the landing, and no more bytes in
// total than the landing has.
//
// Memory order: a piece is counted (release) after it was written; IsComplete
// acquires all pieces.
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
  Rank from = 0;            // rank in the job
  uint32_t generation = 1;  // odd while the landing is open
  size_t claimed = 0;       // bytes of the pieces admitted so far
  std::atomic<size_t> left{0};

  bool IsComplete() const { return left.load(std::memory_order_acquire) == 0; }
};

class Landings {
 public:
  // Open and close a landing. Only the driving thread calls them. Open returns
  // the landing's name.
  uint64_t Open(Rank from, std::byte* to, size_t nbytes, Landing** landing);
  void Close(uint64_t name);

  // Returns the landing for a piece of nbytes bytes at `offset`. Returns null
  // if this piece is not expected now. Called by handlers. If `claim` is true,
  // counts the bytes as admitted; the caller then writes them and calls Count.
  Landing* Find(Rank from, uint64_t name, uint64_t offset, size_t nbytes,
                bool claim);
  static void Count(Landing& landing, size_t nbytes) {
    landing.left.fetch_sub(nbytes, std::memory_order_release);
  }

 private:
  thread::SpinLock lock_;
  std::deque<Landing> all_ ABSL_GUARDED_BY(lock_);  // guards all but `left`
  std::vector<uint32_t> idle_ ABSL_GUARDED_BY(lock_);
};

}  // namespace gasnet::coll

#endif  // COLL_LANDINGS_H_
