#include "core/am/kept_requests.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace gasnet::am {

KeptRequests::KeptRequests(size_t bytes, size_t largest)
    : size_(std::max(bytes / 16 * 16, Cost(largest))),
      // operator new[] aligns for any type.
      memory_(new std::byte[size_]) {}

// Behind the last slot or, where they do not lie around the end of the memory,
// at its beginning. Null: nowhere.
std::byte* KeptRequests::FindRoom(size_t bytes) const {
  std::byte* const begin = memory_.get();
  std::byte* const end = begin + size_;
  const auto fits = [bytes](const std::byte* from, const std::byte* to) {
    return bytes <= static_cast<size_t>(to - from);
  };
  if (first_ == nullptr) return fits(begin, end) ? begin : nullptr;
  const auto* const first = reinterpret_cast<std::byte*>(first_);
  const bool around = last_->end <= first;
  if (fits(last_->end, around ? first : end)) return last_->end;
  return !around && fits(begin, first) ? begin : nullptr;
}

bool KeptRequests::Copy(Rank source, unsigned messages,
                        std::span<const std::byte> frame) {
  const size_t bytes = Cost(frame.size());
  std::byte* const room = FindRoom(bytes);
  if (room == nullptr) return false;
  auto* const slot = new (room) Slot;
  slot->source = source;
  slot->messages = messages;
  slot->frame = {room + sizeof(Slot), frame.size()};
  slot->end = room + bytes;
  std::memcpy(slot->frame.data(), frame.data(), frame.size());
  (first_ == nullptr ? first_ : last_->next) = slot;
  last_ = slot;
  Hold(*slot);
  return true;
}

void KeptRequests::Hold(KeptRequest& request) {
  request.younger = nullptr;
  (oldest_ == nullptr ? oldest_ : youngest_->younger) = &request;
  youngest_ = &request;
}

KeptRequest& KeptRequests::Next() {
  KeptRequest& next = *oldest_;
  oldest_ = next.younger;
  return next;
}

void KeptRequests::Release(KeptRequest& copy) {
  static_cast<Slot&>(copy).free = true;
  while (first_ != nullptr && first_->free) first_ = first_->next;
}

}  // namespace gasnet::am
