// The records in the shared memory of an interface, one for each object.
//
// No record has a pointer that another process follows. Records are named by
// slot numbers, from 1. Addresses are those of the owner's memory, and other
// processes translate them (memory/space.h). Any process of the user can write
// this memory and may be faulty. So a reader checks a slot number against the
// layout before use (view.h).
//
// An object that a program names by a handle has a slot word: a phase, and a
// generation. The generation changes when the slot is reused. A Ref is a slot
// number and the slot's generation. So a user of a Ref notices that the object
// has been freed.
//
// Plain fields are accessed under the lock that the record names, or by the
// owner before any other thread knows the slot. If the lock is in the same
// record, an annotation names it. The comments of atomic fields explain their
// use.
#ifndef PORTALS_ENGINE_RECORDS_H_
#define PORTALS_ENGINE_RECORDS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/shared_lock.h"

namespace gasnet::portals4 {

// A slot number in the low bits, and the low bits of the slot's generation
// above. A Ref has as many bits as a handle has room for.
using Ref = uint32_t;
inline constexpr Ref kNoRef = 0;

enum class RecordPhase : uint32_t {
  kFree,
  kLive,
  kHeld,     // an entry that was unlinked automatically and is still in use
  kPending,  // an entry that a counter will append
};

struct SlotWord {
  std::atomic<uint32_t> word;  // generation << 2 | phase

  uint32_t generation() const {
    return word.load(std::memory_order_acquire) >> 2;
  }
  RecordPhase phase() const {
    return static_cast<RecordPhase>(word.load(std::memory_order_acquire) & 3);
  }
  void Become(RecordPhase phase) {
    const uint32_t seen = word.load(std::memory_order_relaxed);
    word.store((seen & ~3U) | static_cast<uint32_t>(phase),
               std::memory_order_release);
  }
  // Begins a new generation. Only for a slot that was just taken from its pool.
  void Renew(RecordPhase phase) {
    const uint32_t next = (word.load(std::memory_order_relaxed) >> 2) + 1;
    word.store((next << 2) | static_cast<uint32_t>(phase),
               std::memory_order_release);
  }
};

// The division of a Ref into slot and generation. There are many list entries,
// so a Ref of an entry has more bits for the slot than other Refs.
template <uint32_t SlotBits>
struct RefFormat {
  static constexpr uint32_t kRefBits = 24;
  static constexpr uint32_t kMaxSlots = (1U << SlotBits) - 2;
  static constexpr uint32_t kGenerations = 1U << (kRefBits - SlotBits);
  static constexpr uint32_t Slot(Ref ref) {
    return ref & ((1U << SlotBits) - 1);
  }
  static Ref Make(uint32_t slot, const SlotWord& word) {
    return slot | ((word.generation() % kGenerations) << SlotBits);
  }
  // Returns true if the slot of a Ref is live and has not been reused.
  static bool IsLive(Ref ref, const SlotWord& word) {
    const uint32_t seen = word.word.load(std::memory_order_acquire);
    return (seen & 3) == static_cast<uint32_t>(RecordPhase::kLive) &&
           (seen >> 2) % kGenerations == ref >> SlotBits;
  }
};
using ObjectRef = RefFormat<12>;  // MDs, EQs, CTs
using EntryRef = RefFormat<16>;

struct List {
  uint32_t head;
  uint32_t tail;
  uint32_t count;
};

// One index of the portal table. `state` changes under `lock`. Only the owner
// of the table allocates and frees the index.
struct alignas(64) PtRecord {
  enum State : uint32_t { kFree, kEnabled, kDisabled };

  // also guards the entries and headers in `lists` and `headers`
  SharedLock lock;
  std::atomic<uint32_t> state;
  uint32_t options ABSL_GUARDED_BY(lock);
  std::atomic<Ref> eq;
  // The number of operations that move data while the lock is free.
  uint32_t flights ABSL_GUARDED_BY(lock);
  List lists[2] ABSL_GUARDED_BY(lock);  // indexed by ptl_list_t
  // unexpected headers, in order of arrival
  List headers ABSL_GUARDED_BY(lock);
  uint32_t reserved;  // part of EqRecord::reserved; under the queue's lock

  Ref queue() const { return eq.load(std::memory_order_relaxed); }
};
static_assert(sizeof(PtRecord) == 64);

// A list entry. Matching reads only its first cache line.
struct alignas(64) EntryRecord {
  uint64_t match_bits;
  uint64_t care_bits;  // mask of match_bits: the bits not ignored
  uint64_t match_id;
  uint64_t care_id;  // mask of match_id: the bits that are no wildcard
  uint64_t length;
  uint64_t offset;  // the current offset of a locally managed entry
  uint32_t options;
  uint32_t uid;
  std::atomic<uint32_t> next;  // the next slot in its list or in the pool
  SlotWord slot;

  uint64_t start;
  uint64_t min_free;
  uint64_t user_ptr;
  Ref ct;
  uint32_t prev;
  uint32_t flights;  // flights (PtRecord::flights) that move data of this entry
  uint32_t headers;  // number of headers that refer to this entry
  uint32_t pt_list;  // portal table index << 1 | list
  uint32_t mapping;  // 1 + slot of MapRecord; 0: none
  uint32_t iov;      // 1 + first IovRecord; 0: none
  uint32_t iov_count;
  uint32_t unlinked;  // 1: unlinked automatically; AUTO_UNLINK not posted yet
  uint32_t spare;
};
static_assert(sizeof(EntryRecord) == 128);

// An unexpected header. It describes a message that matched on the overflow
// list. Later appends find the message by its header.
struct alignas(64) Unexpected {
  enum State : uint32_t { kMoving, kThere };

  uint64_t match_bits;
  uint64_t hdr_data;
  uint64_t initiator;
  uint64_t remote_offset;
  uint64_t rlength;
  uint64_t mlength;
  uint64_t start;
  std::atomic<uint32_t> next;  // the next slot in the list or in the pool
  uint32_t prev;

  ProcessWord mover;  // the process that moves the message's data
  uint32_t entry;     // the entry that holds the message's data
  uint32_t uid;
  uint32_t state;
  uint32_t event;  // ptl_event_kind_t of the message
  uint32_t operation;
  uint32_t datatype;
  uint32_t fail;
};
static_assert(sizeof(Unexpected) == 128);

// An operation that moves data while no lock is held; see engine/flight.h. If
// its process dies, another process finishes the operation.
struct alignas(64) FlightRecord {
  std::atomic<uint64_t> mover;  // 0: free
  std::atomic<uint32_t> pt;     // 1 + index, stored last; 0: record not filled
  std::atomic<uint32_t> entry;
  std::atomic<uint32_t> header;
  // number of events for which room is reserved
  std::atomic<uint32_t> reserved;
};
static_assert(sizeof(FlightRecord) == 64);

// An event queue: see engine/event_queue.h. It has three cache lines: one for
// fields that do not change while the queue is open, one for posters, and one
// for takers. All processes can keep the first line in their caches.
struct alignas(64) EqRecord {
  uint32_t ring;   // index of the first EventSlot
  uint32_t slots;  // number of slots, a power of two
  uint32_t count;  // maximum number of events under flow control
  SlotWord slot;
  std::atomic<uint32_t> next;  // the next slot in the pool

  alignas(64) SharedLock lock;  // the posters' lock
  std::atomic<uint64_t> tail;   // events ever posted; stored under the lock
  uint64_t head_seen ABSL_GUARDED_BY(lock);  // an earlier value of head
  // The number of events of `count` that are reserved for begun operations.
  uint32_t reserved ABSL_GUARDED_BY(lock);
  // The number of portal table entries with flow control that use the queue.
  uint32_t flow_pts ABSL_GUARDED_BY(lock);

  alignas(64) std::atomic<uint64_t> head;  // events ever taken
  SharedLock taking;                       // the takers' lock
};
static_assert(sizeof(EqRecord) == 192);
static_assert(offsetof(EqRecord, lock) == 64);
static_assert(offsetof(EqRecord, head) == 128);

// The first cache line of an event. Most events need only this line; see
// engine/event.h.
struct alignas(64) EventSlot {
  std::atomic<uint64_t> words[8];
};

// A counting event; see engine/counter.h. `success` and `failure` change in one
// of two ways. An atomic operation changes one of them, and a read of `due_at`
// follows. Or a Set replaces both under `lock`.
struct alignas(64) CtRecord {
  std::atomic<uint64_t> success;
  std::atomic<uint64_t> failure;
  // least threshold of the list; ~0: the list is empty
  std::atomic<uint64_t> due_at;
  SharedLock lock;    // guards the list of waiting operations, and Set
  SharedLock runner;  // held by the process that runs the due operations
  std::atomic<uint32_t> head ABSL_GUARDED_BY(lock);  // slot of a TriggerRecord
  SlotWord slot;
  std::atomic<uint32_t> next;  // the next slot in the pool
  // 1: operations became due while `runner` was held
  std::atomic<uint32_t> again;
  std::atomic<uint32_t> running;  // TriggerRecord that the runner has taken
  std::atomic<uint32_t> sets;     // odd while a Set is under way
};
static_assert(sizeof(CtRecord) == 64);

struct alignas(64) MdRecord {
  uint64_t start;
  uint64_t length;  // in bytes, also for an iovec
  uint32_t options;
  Ref eq;
  Ref ct;
  SlotWord slot;
  uint32_t mapping;
  uint32_t iov;
  uint32_t iov_count;
  std::atomic<uint32_t> next;  // the next slot in the pool
  // triggered operations that refer to this record
  std::atomic<uint32_t> pending;
};
static_assert(sizeof(MdRecord) == 64);

// The mailbox in which peers ask a thread of the owner to copy memory for them,
// or to combine items of an atomic operation; see memory/help.h.
struct alignas(64) HelpDesk {
  enum Way : uint32_t { kRead, kWrite, kCombine };
  static constexpr uint32_t kClosed = 1;  // flag of `asked`: nobody will answer
  static constexpr uint32_t kOne = 2;

  SharedLock lock;              // excludes other peers that want to ask
  std::atomic<uint32_t> asked;  // kOne for each request ever made, | kClosed
  std::atomic<uint32_t> answered;
  // The request. Peers write `address`, `size` and `way` before they change
  // `asked`. The helper sets `there` if the memory exists, and then changes
  // `answered`.
  uint64_t address ABSL_GUARDED_BY(lock);
  uint32_t size ABSL_GUARDED_BY(lock);
  uint32_t way ABSL_GUARDED_BY(lock);
  uint32_t there ABSL_GUARDED_BY(lock);
  // kServes: the helper runs. A faulty process overwrites words with any value,
  // but hardly ever with this one.
  static constexpr uint64_t kServes = 0x9d3c5a7be1f20648;
  std::atomic<uint64_t> serves;
};
static_assert(sizeof(HelpDesk) == 64);

struct IovRecord {
  uint64_t start;
  uint64_t length;
};

// A file that the owner has mapped with MAP_SHARED. Other processes can map it
// too.
struct alignas(64) MapRecord {
  uint64_t start;
  uint64_t length;
  uint64_t file_offset;
  uint64_t device;
  uint64_t inode;
  int32_t descriptor;
  uint32_t writable;
};

// An operation that waits for a counter. The record holds the arguments of the
// call, with Refs in place of handles.
struct alignas(64) TriggerRecord {
  uint64_t threshold;
  std::atomic<uint32_t> next;  // next in counter's list, or in the pool
  uint32_t action;             // an Action (engine/trigger.h)
  Ref md;  // MD of the data, or the CT that the operation changes
  Ref get_md;
  uint64_t local_offset;
  uint64_t get_offset;
  uint64_t length;
  uint64_t target;  // physical identifier of the target

  uint64_t match_bits;
  uint64_t remote_offset;
  uint64_t user_ptr;
  uint64_t hdr_data;
  uint64_t increment[2];
  uint32_t pt;
  uint32_t ack;
  uint32_t operation;
  uint32_t datatype;

  uint8_t operand[32];
  uint8_t spare[32];
};
static_assert(sizeof(TriggerRecord) == 192);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_RECORDS_H_
