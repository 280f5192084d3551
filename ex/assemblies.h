// Requests that arrive in pieces (further_messages.h). Each request is kept
// until all of its pieces have arrived, in any order. The pieces of a Medium
// are assembled in memory of this object, those of a Long at their destination.
//
// Any thread may call these functions. A thread copies a piece without holding
// the lock. This is safe, since the request stays here until that piece is
// counted.
#ifndef EX_ASSEMBLIES_H_
#define EX_ASSEMBLIES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/am/message.h"
#include "core/rank.h"
#include "ex/further_head.h"

namespace gasnet::ex {

struct FurtherReassembly {
  FurtherHead head;  // the head of the last piece, once it has arrived
  bool has_head = false;
  // number of payload bytes that have arrived
  uint32_t arrived = 0;
  std::unique_ptr<std::byte[]> bytes;  // the payload of a Medium
};

class Assemblies {
 public:
  // Returns the memory in which the Medium of this piece is assembled. Returns
  // null for a Long, or if another piece of the request gave a different size.
  std::byte* BytesOf(Rank source, const FurtherHead& piece)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Counts a piece with nbytes bytes of payload. Returns the request if all its
  // pieces have arrived, else null.
  std::unique_ptr<FurtherReassembly> Count(Rank source,
                                           const FurtherHead& piece,
                                           size_t nbytes)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static uint64_t KeyOf(Rank source, const FurtherHead& piece) {
    return uint64_t{source} << 32 | piece.number;
  }
  FurtherReassembly& Find(uint64_t key, const FurtherHead& piece)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<FurtherReassembly>> all_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::ex

#endif  // EX_ASSEMBLIES_H_
