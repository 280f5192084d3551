#include "portals/datagram/receipts.h"

#include <algorithm>
#include <utility>

#include "portals/tuning.h"

namespace gasnet::portals4 {

void Receipts::Owe(Rank rank, uint64_t number, int64_t now) {
  To& to = ranks_[rank];
  to.numbers.push_back(number);
  if (!std::exchange(to.listed, true)) listed_.push_back(rank);
  if (count_++ == 0) PutOff(now);
}

void Receipts::PutOff(int64_t now) {
  due_.store(now + kReceiptDelay, std::memory_order_relaxed);
}

std::span<const uint64_t> Receipts::Oldest(Rank rank, size_t most) const {
  const std::vector<uint64_t>& numbers = ranks_[rank].numbers;
  return {numbers.data(), std::min(numbers.size(), most)};
}

void Receipts::Remove(Rank rank, size_t count) {
  std::vector<uint64_t>& numbers = ranks_[rank].numbers;
  numbers.erase(numbers.begin(),
                numbers.begin() + static_cast<ptrdiff_t>(count));
  count_ -= count;
  if (count_ == 0) due_.store(kNever, std::memory_order_relaxed);
}

}  // namespace gasnet::portals4
