// Requests that come in pieces (further_messages.h), until all of their pieces
// are there, in any order. The pieces of a Medium come together in memory here,
// those of a Long where it goes.
//
// Any thread. A piece is copied without the lock: its message stays here until
// the piece is counted.
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

struct Assembly {
  FurtherHead head;  // that of the last piece, once it is there
  bool has_head = false;
  uint32_t arrived = 0;                // bytes
  std::unique_ptr<std::byte[]> bytes;  // of a Medium
};

class Assemblies {
 public:
  // Returns where the bytes of a Medium of this piece's size come together.
  // Returns null if another piece said another size.
  std::byte* BytesOf(Rank source, const FurtherHead& piece)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Counts a piece of so many bytes. Returns the message if it was the last one
  // missing, else null.
  std::unique_ptr<Assembly> Count(Rank source, const FurtherHead& piece,
                                  size_t nbytes) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static uint64_t KeyOf(Rank source, const FurtherHead& piece) {
    return uint64_t{source} << 32 | piece.number;
  }
  Assembly& Find(uint64_t key, const FurtherHead& piece)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<Assembly>> all_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::ex

#endif  // EX_ASSEMBLIES_H_
