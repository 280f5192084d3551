#include "portals/engine/event.h"

namespace gasnet::portals4 {
namespace {

// The upper half of the first word.
constexpr unsigned kTypeBits = 4;
constexpr unsigned kListBits = 1;
constexpr unsigned kFailBits = 3;
constexpr unsigned kOperationBits = 5;
constexpr unsigned kDatatypeBits = 4;
constexpr unsigned kPtBits = 8;
static_assert(kTypeBits + kListBits + kFailBits + kOperationBits +
                  kDatatypeBits + kPtBits + 1 <=
              32);

class Packer {
 public:
  void Add(uint32_t value, unsigned bits) {
    word_ |= uint64_t{value & ((1U << bits) - 1)} << at_;
    at_ += bits;
  }
  uint64_t word() const { return word_; }

 private:
  uint64_t word_ = 0;
  unsigned at_ = 32;
};

class Unpacker {
 public:
  explicit Unpacker(uint64_t word) : left_(word >> 32) {}
  uint32_t Take(unsigned bits) {
    const auto value = static_cast<uint32_t>(left_ & ((1U << bits) - 1));
    left_ >>= bits;
    return value;
  }

 private:
  uint64_t left_;
};

uint64_t FirstWord(const Event& event, uint32_t number, bool has_rest) {
  Packer packer;
  packer.Add(event.type, kTypeBits);
  packer.Add(event.list, kListBits);
  packer.Add(event.fail, kFailBits);
  packer.Add(event.operation, kOperationBits);
  packer.Add(event.datatype, kDatatypeBits);
  packer.Add(event.pt, kPtBits);
  packer.Add(has_rest ? 1 : 0, 1);
  return packer.word() | number;
}

// Answers whether the second line is used.
bool ReadFirstWord(uint64_t word, Event& event) {
  Unpacker unpacker(word);
  event.type = unpacker.Take(kTypeBits);
  event.list = unpacker.Take(kListBits);
  event.fail = unpacker.Take(kFailBits);
  event.operation = unpacker.Take(kOperationBits);
  event.datatype = unpacker.Take(kDatatypeBits);
  event.pt = unpacker.Take(kPtBits);
  return unpacker.Take(1) != 0;
}

void Put(std::atomic<uint64_t>& word, uint64_t value) {
  // Release: whoever reads it and then the first word again sees that the first
  // word was cleared before.
  word.store(value, std::memory_order_release);
}
uint64_t Look(const std::atomic<uint64_t>& word) {
  return word.load(std::memory_order_acquire);
}

}  // namespace

void StoreEvent(const Event& event, uint32_t number, uint32_t uid,
                EventSlot& slot, EventSlot& rest) {
  const bool has_rest = event.rlength != event.mlength || event.uid != uid;
  slot.words[0].store(0, std::memory_order_relaxed);
  Put(slot.words[1], event.start);
  Put(slot.words[2], event.user_ptr);
  Put(slot.words[3], event.hdr_data);
  Put(slot.words[4], event.match_bits);
  Put(slot.words[5], event.mlength);
  Put(slot.words[6], event.remote_offset);
  Put(slot.words[7], event.initiator);
  if (has_rest) {
    Put(rest.words[0], event.rlength);
    Put(rest.words[1], event.uid);
  }
  // Pairs with the load in LoadEvent and HoldsEvent.
  slot.words[0].store(FirstWord(event, number, has_rest),
                      std::memory_order_release);
}

Loaded LoadEvent(uint32_t number, uint32_t uid, EventSlot& slot,
                 EventSlot& rest, Event& event) {
  const uint64_t first = Look(slot.words[0]);
  const auto held = static_cast<uint32_t>(first);
  if (held != number) {
    const bool later = held != 0 && static_cast<int32_t>(held - number) > 0;
    return later ? Loaded::kOverwritten : Loaded::kEmpty;
  }
  const bool has_rest = ReadFirstWord(first, event);
  event.start = Look(slot.words[1]);
  event.user_ptr = Look(slot.words[2]);
  event.hdr_data = Look(slot.words[3]);
  event.match_bits = Look(slot.words[4]);
  event.mlength = Look(slot.words[5]);
  event.remote_offset = Look(slot.words[6]);
  event.initiator = Look(slot.words[7]);
  event.rlength = has_rest ? Look(rest.words[0]) : event.mlength;
  event.uid = has_rest ? static_cast<uint32_t>(Look(rest.words[1])) : uid;
  return Look(slot.words[0]) == first ? Loaded::kYes : Loaded::kOverwritten;
}

}  // namespace gasnet::portals4
