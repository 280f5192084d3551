// What one rank knows of the broadcast it is in: where the data go, and how
// much of them has come. No messages here.
//
// Broadcasts are numbered from 1, on all ranks alike. A rank is in one at a
// time: Enter, then what handlers note, then leaving by entering the next. What
// the others tell of it arrives in handlers, on any thread; that it has come
// may be asked while they run.
//
// A rank that receives says so to the root, and what it expects, before any
// data can come. The root begins once all expect what it has; so data of a
// broadcast that this rank is not in, outside what it expects or too much of
// it, are corrupted, and refused.
#ifndef COLL_ARRIVAL_H_
#define COLL_ARRIVAL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/am/message.h"
#include "core/thread/spin_lock.h"

namespace gasnet::coll {

// What all ranks of a broadcast must give alike, besides its root.
struct Terms {
  uint64_t nbytes = 0;
  bool all_sync = true;  // return only when all have their data

  bool operator==(const Terms&) const = default;
};

struct TermsOf {
  Rank rank = 0;
  Terms terms;
};

class Arrival {
 public:
  explicit Arrival(Rank ranks) : ready_(ranks) {}

  // Begins the next broadcast; answers its number.
  uint32_t Enter(void* dest, size_t nbytes);

  // In handlers. False: it cannot come now.
  [[nodiscard]] bool NoteReady(Rank from, uint32_t number, const Terms& terms);
  [[nodiscard]] bool NoteData(uint32_t number, uint64_t offset,
                              const void* data, size_t nbytes);
  [[nodiscard]] bool NoteDone(uint32_t number);
  [[nodiscard]] bool NoteRelease(uint32_t number);

  // For the root: whether all the others are in this broadcast; if so, one that
  // is in it on other terms than these; whether they all have their data.
  bool AllReady(Rank root);
  std::optional<TermsOf> FindDissent(const Terms& terms);
  bool AllDone();
  // For the others: whether all data are in place; whether all have them.
  bool HaveData();
  bool Released();

 private:
  thread::SpinLock lock_;  // guards everything
  uint32_t number_ = 0;
  unsigned char* dest_ = nullptr;
  size_t nbytes_ = 0;
  size_t received_ = 0;
  bool got_data_ = false;  // at least one message of them
  uint32_t done_ = 0;      // how many others have their data
  bool released_ = false;
  // The broadcast each rank has last been ready for, with this one as root. It
  // may be ahead of ours by one.
  std::vector<uint32_t> ready_;
  // Of those that are ready for the latest such broadcast: the first, and one
  // on other terms. None is ready for the next before our data have come to it.
  uint32_t latest_ = 0;
  TermsOf first_;
  std::optional<TermsOf> other_;
};

}  // namespace gasnet::coll

#endif  // COLL_ARRIVAL_H_
