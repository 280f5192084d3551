#include "core/am/kept_requests.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace gasnet::am {

KeptRequests::KeptRequests(size_t bytes, size_t largest)
    : size_(std::max(bytes / 16 * 16, Cost(largest))),
      // operator new[] aligns for any type.
      memory_(new std::byte[size_]) {}

std::byte* KeptRequests::RoomBehind(const Slot* slot) const {
  return slot == nullptr ? memory_.get() : slot->end;
}

size_t KeptRequests::RoomBytes(const Slot* slot) const {
  const Slot* const next = slot == nullptr ? first_ : slot->behind;
  const std::byte* const end = next == nullptr
                                   ? memory_.get() + size_
                                   : reinterpret_cast<const std::byte*>(next);
  return static_cast<size_t>(end - RoomBehind(slot));
}

// Looks behind the most recent copy, then for the first room that is large
// enough.
bool KeptRequests::FindRoom(size_t bytes, Slot*& slot) const {
  slot = recent_;
  if (RoomBytes(slot) >= bytes) return true;
  if (bytes >= refused_) return false;
  slot = nullptr;
  if (RoomBytes(slot) >= bytes) return true;
  for (slot = first_; slot != nullptr; slot = slot->behind) {
    if (RoomBytes(slot) >= bytes) return true;
  }
  return false;
}

void KeptRequests::Link(Slot& slot, Slot* before) {
  Slot*& from_before = before == nullptr ? first_ : before->behind;
  slot.before = before;
  slot.behind = from_before;
  from_before = &slot;
  if (slot.behind != nullptr) slot.behind->before = &slot;
  recent_ = &slot;
}

bool KeptRequests::Copy(Rank source, unsigned messages,
                        std::span<const std::byte> frame) {
  const size_t bytes = Cost(frame.size());
  Slot* before;
  if (!FindRoom(bytes, before)) {
    refused_ = std::min(refused_, bytes);
    return false;
  }
  std::byte* const room = RoomBehind(before);
  auto* const slot = new (room) Slot;
  slot->source = source;
  slot->messages = messages;
  slot->frame = {room + sizeof(Slot), frame.size()};
  slot->copied = true;
  slot->end = room + bytes;
  std::memcpy(slot->frame.data(), frame.data(), frame.size());
  Link(*slot, before);
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

void KeptRequests::Release(KeptRequest& request) {
  if (!request.copied) return;
  auto& slot = static_cast<Slot&>(request);
  (slot.before == nullptr ? first_ : slot.before->behind) = slot.behind;
  if (slot.behind != nullptr) slot.behind->before = slot.before;
  if (recent_ == &slot) recent_ = slot.before;
  refused_ = SIZE_MAX;
}

}  // namespace gasnet::am
