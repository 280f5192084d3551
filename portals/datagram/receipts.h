// The receipts that this process owes. A receipt is the number of a completed
// quiet operation of another rank (record.h). A receipt waits a moment for a
// packet in which it can travel. The transport's lock guards everything except
// `due`.
#ifndef PORTALS_DATAGRAM_RECEIPTS_H_
#define PORTALS_DATAGRAM_RECEIPTS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"
#include "core/rank.h"

namespace gasnet::portals4 {

class Receipts {
 public:
  explicit Receipts(uint32_t ranks) : ranks_(ranks) {}

  void Owe(Rank rank, uint64_t number, int64_t now);
  size_t CountOf(Rank rank) const { return ranks_[rank].numbers.size(); }
  // Returns the oldest receipts owed to a rank, at most `most`.
  std::span<const uint64_t> Oldest(Rank rank, size_t most) const;
  // Removes the `count` oldest receipts. Call this when these receipts are in a
  // packet, or will not be sent.
  void Remove(Rank rank, size_t count);
  // Calls `visit` with each rank to which receipts are owed.
  template <class Visit>
  void ForOwed(Visit visit);
  // Postpones `due`. Call this when the receipts could not be sent.
  void PutOff(int64_t now);

  // Returns the time at which the oldest receipt must be sent in a packet of
  // its own. Returns kNever if no receipt is owed. Any thread may call it.
  int64_t due() const { return due_.load(std::memory_order_relaxed); }

 private:
  struct To {
    std::vector<uint64_t> numbers;  // The oldest comes first.
    bool listed = false;
  };

  std::vector<To> ranks_;
  // All ranks to which receipts are owed. Until the next ForOwed, the list also
  // contains ranks to which none are owed any more.
  std::vector<Rank> listed_;
  size_t count_ = 0;  // The number of receipts to all ranks.
  // Written under the lock. Relaxed, because the value publishes no other data.
  std::atomic<int64_t> due_{kNever};
};

template <class Visit>
void Receipts::ForOwed(Visit visit) {
  for (const Rank rank : listed_) {
    if (CountOf(rank) > 0) visit(rank);
  }
  std::erase_if(listed_, [this](Rank rank) {
    To& to = ranks_[rank];
    to.listed = !to.numbers.empty();
    return !to.listed;
  });
}

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_RECEIPTS_H_
