// An event on its way through a queue.
//
// A queue slot is one line of eight words. The first word has the number of the
// event and the small fields. It is stored last and so publishes the rest. Most
// events need only this line. Their `rlength` equals their `mlength`, and their
// user is the owner of the queue, so these two fields need not be stored. Other
// events also use a second line.
#ifndef PORTALS_ENGINE_EVENT_H_
#define PORTALS_ENGINE_EVENT_H_

#include <atomic>
#include <cstdint>

#include "portals/engine/records.h"
#include "portals4.h"

namespace gasnet::portals4 {

// An event before it is packed into a queue slot.
struct Event {
  // This empty constructor is deliberately not constexpr. With a constexpr
  // constructor, the compiler clears the object with a string instruction. That
  // instruction starts slowly and makes the first reads slow.
  Event() {}

  uint32_t type = 0;  // a ptl_event_kind_t
  uint32_t list = 0;
  uint32_t fail = PTL_NI_OK;
  uint32_t pt = 0;
  uint32_t operation = 0;
  uint32_t datatype = 0;
  uint32_t uid = 0;
  uint64_t start = 0;
  uint64_t user_ptr = 0;
  uint64_t hdr_data = 0;
  uint64_t match_bits = 0;
  uint64_t rlength = 0;
  uint64_t mlength = 0;
  uint64_t remote_offset = 0;
  uint64_t initiator = 0;  // a rank, or the result of PackPhysical
};

namespace internal {

// The widths of the fields in the upper half of the first word.
inline constexpr unsigned kTypeBits = 4;
inline constexpr unsigned kListBits = 1;
inline constexpr unsigned kFailBits = 3;
inline constexpr unsigned kOperationBits = 5;
inline constexpr unsigned kDatatypeBits = 4;
inline constexpr unsigned kPtBits = 8;
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

inline uint64_t FirstWord(const Event& event, uint32_t number, bool has_rest) {
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

// Unpacks the first word. Returns true if the second line is used.
inline bool ReadFirstWord(uint64_t word, ptl_event_t& event) {
  Unpacker unpacker(word);
  event.type = unpacker.Take(kTypeBits);
  event.ptl_list = unpacker.Take(kListBits);
  event.ni_fail_type = unpacker.Take(kFailBits);
  event.atomic_operation = unpacker.Take(kOperationBits);
  event.atomic_type = unpacker.Take(kDatatypeBits);
  event.pt_index = unpacker.Take(kPtBits);
  return unpacker.Take(1) != 0;
}

inline void Put(std::atomic<uint64_t>& word, uint64_t value) {
  // Release: the first word was cleared before this store. A reader that loads
  // `value` and then reads the first word again sees it cleared.
  word.store(value, std::memory_order_release);
}
inline uint64_t Look(const std::atomic<uint64_t>& word) {
  return word.load(std::memory_order_acquire);
}
inline void* LookForPointer(const std::atomic<uint64_t>& word) {
  return reinterpret_cast<void*>(Look(word));
}

// Unpacks the initiator: a node and a pid, or a rank in the field of the node.
inline ptl_process_t Initiator(uint64_t packed) {
  ptl_process_t process;
  process.phys = {static_cast<ptl_nid_t>(packed),
                  static_cast<ptl_pid_t>(packed >> 32)};
  return process;
}

}  // namespace internal

// Writes event number `number` (not 0) into its slot. `rest` is the second line
// of the slot. `uid` is the user of the queue's owner. The caller holds the
// queue's lock.
inline void StoreEvent(const Event& event, uint32_t number, uint32_t uid,
                       EventSlot& slot, EventSlot& rest) {
  using internal::Put;
  const bool has_rest = event.rlength != event.mlength || event.uid != uid;
  slot.words[0].store(0, std::memory_order_relaxed);
  Put(slot.words[1], event.start);
  Put(slot.words[2], event.user_ptr);
  Put(slot.words[3], event.hdr_data);
  Put(slot.words[4], event.match_bits);
  Put(slot.words[5], event.mlength);
  Put(slot.words[6], event.remote_offset);
  Put(slot.words[7], event.initiator);
  if (has_rest) [[unlikely]] {
    Put(rest.words[0], event.rlength);
    Put(rest.words[1], event.uid);
  }
  // Release: pairs with the loads in LoadEvent and HoldsEvent.
  slot.words[0].store(internal::FirstWord(event, number, has_rest),
                      std::memory_order_release);
}

enum class Loaded { kYes, kEmpty, kOverwritten };

// Reads the whole event `number` into the program's form of an event. Returns
// kOverwritten if a later event has taken the slot; `event` is then garbage.
inline Loaded LoadEvent(uint32_t number, uint32_t uid, const EventSlot& slot,
                        const EventSlot& rest, ptl_event_t& event) {
  using internal::Look;
  const uint64_t first = Look(slot.words[0]);
  const auto held = static_cast<uint32_t>(first);
  if (held != number) [[unlikely]] {
    const bool later = held != 0 && static_cast<int32_t>(held - number) > 0;
    return later ? Loaded::kOverwritten : Loaded::kEmpty;
  }
  const bool has_rest = internal::ReadFirstWord(first, event);
  event.start = internal::LookForPointer(slot.words[1]);
  event.user_ptr = internal::LookForPointer(slot.words[2]);
  event.hdr_data = Look(slot.words[3]);
  event.match_bits = Look(slot.words[4]);
  event.mlength = Look(slot.words[5]);
  event.remote_offset = Look(slot.words[6]);
  event.initiator = internal::Initiator(Look(slot.words[7]));
  event.rlength = event.mlength;
  event.uid = uid;
  if (has_rest) [[unlikely]] {
    event.rlength = Look(rest.words[0]);
    event.uid = static_cast<uint32_t>(Look(rest.words[1]));
  }
  return Look(slot.words[0]) == first ? Loaded::kYes : Loaded::kOverwritten;
}

// Returns true if the slot holds exactly event `number`.
inline bool IsEvent(const EventSlot& slot, uint32_t number) {
  return static_cast<uint32_t>(slot.words[0].load(std::memory_order_acquire)) ==
         number;
}

// Returns true if the slot holds event `number` or a later one.
inline bool HoldsEvent(const EventSlot& slot, uint32_t number) {
  const auto held =
      static_cast<uint32_t>(slot.words[0].load(std::memory_order_acquire));
  // 0: the slot was never used, or an event is being written.
  return held != 0 && static_cast<int32_t>(held - number) >= 0;
}

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_EVENT_H_
