// The record of an operation in flight.
//
// A Transfer is one request that awaits its reply. It is either an operation of
// its own, or a part of an Iop. An operation of its own (an "eop") is a
// non-blocking put, get or value get that fits one message.
//
// An Iop ("implicit operation") counts its parts. These parts are one of:
// - the implicit-handle operations of one thread
// - the implicit-handle operations of one access region
// - the messages of one explicit operation that needs several messages, or
//   that the network performs by itself (native.h)
//
// A Handle points to a Transfer or an Iop, to a Leaf of an Iop (an earlier
// stage, or a part), or to a Foreign operation of a layer above.
//
// States of a Transfer, with a generation that a reply must name:
//
//   idle --Arm--> in flight --Claim--> claimed --Finish--> done --sync--> idle
//                                                 |
//                                                 `-- part of an Iop ---> idle
//
// Ownership. The owning thread writes all members while the transfer is idle.
// From Arm on the record is shared: the thread that handles the reply (under
// GASNET_PAR any thread of the process) takes the record by Claim. From Claim
// to Finish no other thread accesses it. The destination and the size of the
// data are in this record and never on the wire.
//
// Memory order:
//
// - Arm stores the state word with release order and Claim acquires it. So
//   the thread that claims sees the whole record as it was armed, and
//   nothing of its next use.
// - The payload is copied between Claim and Finish. Finish stores the state
//   word, or increments the Iop's counter, with release order. The owner
//   loads this value with acquire order before it reports the operation as
//   complete. The increments of several handlers form one release sequence,
//   so an owner that reads the last increment sees the data of all handlers.
//
// Without GASNET_PAR several threads are never in GASNet at once and the client
// orders them, so plain loads and stores replace read-modify-writes.
#ifndef EXTENDED_OPERATION_H_
#define EXTENDED_OPERATION_H_

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "core/am/message.h"
#include "core/observe/status_board.h"
#include "core/rma/pending_count.h"
#include "core/thread/mode.h"
#include "gasnet/types.h"

namespace gasnet::extended {

class Operations;

// The kind of a Transfer.
// - kPieces: a get whose reply is unpacked by the landing that
//   `destination` points to (vis/landing.h). The transfer's bytes begin at
//   byte `value` of the landing's stream.
// - kRmw: an atomic (ex/atomics.h) that is neither a put nor a get; nbytes
//   is 0 if its reply has no data.
enum class Direction : uint8_t { kPut, kGet, kPieces, kRmw };

// The promise about the source of a put. kReusable: the client may reuse the
// source when the call that starts the put returns. kStays: the client leaves
// the source unchanged until the put is complete.
enum class Source : uint8_t { kReusable, kStays };

// The base of the records that handles point to.
struct alignas(kCacheLine) Operation {
  enum class Shape : uint8_t { kTransfer, kIop, kLeaf, kForeign };

  explicit Operation(Shape shape_of_record) : shape(shape_of_record) {}

  const Shape shape;  // constant while the process lives
};

// An operation of a layer above, for example a collective. Its layer owns it.
struct Foreign : Operation {
  Foreign();
  virtual ~Foreign();

  // Returns true if the operation is complete. Does not serve the network. Any
  // thread may call it.
  virtual bool IsOver() const = 0;
  // Returns the condition to report while a thread waits for this operation.
  virtual observe::Waiting Reason() const { return {}; }
  // Releases the record. Called once, when IsOver() has returned true and no
  // handle names the record any more.
  virtual void Release() = 0;

  // The number of this operation. Debug builds use it to tell the operation
  // from earlier ones that used the same memory.
  const uint32_t generation;
};

struct Iop;

// A put or get by one request. It fills one cache line. So there is no false
// sharing when another thread handles the reply.
struct Transfer : Operation {
  enum State : uint32_t { kIdle, kInFlight, kClaimed, kDone };

  Transfer() : Operation(Shape::kTransfer) {}

  static constexpr uint32_t Word(uint32_t generation, State state) {
    return generation << 2 | state;
  }
  // Returns the next generation. It is never 0, so that an id of all zeros is
  // always invalid.
  static constexpr uint32_t Next(uint32_t generation) {
    constexpr uint32_t kMask = ~uint32_t{0} >> 2;
    return generation == kMask ? 1 : generation + 1;
  }

  uint32_t Generation() const {
    return word.load(std::memory_order_relaxed) >> 2;
  }
  bool IsDone() const {
    return (word.load(std::memory_order_acquire) & 3) == kDone;
  }

  Direction direction = Direction::kPut;
  bool is_valget = false;
  std::atomic<uint32_t> word{Word(1, kIdle)};
  uint32_t index = 0;  // the transfer's name on the wire; constant
  Rank peer = 0;       // the rank that must answer
  std::byte* destination = nullptr;  // gets: where the data go
  size_t nbytes = 0;                 // gets: the size of the reply's data
  // null if the transfer is an operation of its own
  Iop* iop = nullptr;
  Operations* owner = nullptr;  // constant
  Transfer* next = nullptr;     // while idle: the next in the pool
  uint64_t value = 0;           // value gets: the result
};
static_assert(sizeof(Transfer) == 64);

struct Leaf;

// The parts of an Iop that can be synced separately, combined by OR. kSources
// is complete when the sources of the puts may be reused.
using Parts = uint8_t;
inline constexpr Parts kGets = 1;
inline constexpr Parts kPuts = 2;
inline constexpr Parts kSources = 4;
inline constexpr Parts kRmws = 8;
inline constexpr unsigned kPartsOfIop = 4;

// An implicit operation. It has two cache lines: one for the owner, one for the
// threads that handle replies.
struct Iop : Operation {
  Iop() : Operation(Shape::kIop) {}

  bool GetsDone() const {
    return completed_gets.load(std::memory_order_acquire) == initiated_gets &&
           native_gets.IsOver();
  }
  // Returns true if all puts are complete and the network no longer reads their
  // sources.
  bool PutsDone() const {
    return completed_puts.load(std::memory_order_acquire) == initiated_puts &&
           loan.IsOver() && native_puts.IsOver();
  }
  // Returns true if all atomics that are neither gets nor puts are complete.
  bool RmwsDone() const {
    return completed_rmws.load(std::memory_order_acquire) == initiated_rmws &&
           native_rmws.IsOver();
  }
  bool SourcesDone() const { return loan.IsOver() && native_puts.IsOver(); }
  bool IsDone() const { return GetsDone() && PutsDone() && RmwsDone(); }
  bool IsDone(Parts parts) const {
    return ((parts & kGets) == 0 || GetsDone()) &&
           ((parts & kPuts) == 0 || PutsDone()) &&
           ((parts & kSources) == 0 || SourcesDone()) &&
           ((parts & kRmws) == 0 || RmwsDone());
  }

  // Returns the number of parts in progress, for reports. Called by the owner.
  uint64_t UnderWay() const {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    return initiated_gets - completed_gets.load(kRelaxed) + initiated_puts -
           completed_puts.load(kRelaxed) + initiated_rmws -
           completed_rmws.load(kRelaxed) + native_gets.Count() +
           native_puts.Count() + native_rmws.Count();
  }

  bool in_use = false;
  bool has_leaves = false;  // true if LeafOf() was called since TakeIop()
  // Atomic, since another thread may release the record while this thread
  // inspects a leaf.
  std::atomic<uint32_t> generation{1};
  uint64_t initiated_gets = 0;
  uint64_t initiated_puts = 0;
  uint64_t initiated_rmws = 0;
  Operations* owner = nullptr;  // constant
  Iop* next = nullptr;          // while not in use: the next in the pool
  // Null, or an array of kPartsOfIop leaves that the first query makes
  // (Operations::LeafOf).
  Leaf* leaves = nullptr;

  alignas(kCacheLine) std::atomic<uint64_t> completed_gets{0};
  std::atomic<uint64_t> completed_puts{0};
  std::atomic<uint64_t> completed_rmws{0};
  am::Loan loan;  // the loan of the puts' sources to the network
  rma::PendingCount native_gets;
  rma::PendingCount native_puts;
  rma::PendingCount native_rmws;
};
static_assert(sizeof(Iop) == 128);

// A part of an Iop that can be synced separately. The client need not sync it:
// it ends with the Iop, and a leaf of a released Iop counts as complete.
struct Leaf : Operation {
  Leaf() : Operation(Shape::kLeaf) {}

  bool IsDone() const {
    return root->generation.load(std::memory_order_acquire) != generation ||
           root->IsDone(parts);
  }

  const Iop* root = nullptr;
  Parts parts = 0;
  uint32_t generation = 0;  // the root's generation when the leaf was made
};

// Returns the address of the nbytes low-order bytes of a register value.
inline std::byte* LowBytes(uint64_t& value, size_t nbytes) {
  std::byte* const first = reinterpret_cast<std::byte*>(&value);
  return std::endian::native == std::endian::little
             ? first
             : first + sizeof(value) - nbytes;
}

inline bool IsDone(const Operation& operation) {
  if (operation.shape == Operation::Shape::kTransfer)
    return static_cast<const Transfer&>(operation).IsDone();
  if (operation.shape == Operation::Shape::kIop)
    return static_cast<const Iop&>(operation).IsDone();
  if (operation.shape == Operation::Shape::kLeaf)
    return static_cast<const Leaf&>(operation).IsDone();
  return static_cast<const Foreign&>(operation).IsOver();
}

inline uint32_t GenerationOf(const Operation& operation) {
  switch (operation.shape) {
    case Operation::Shape::kTransfer:
      return static_cast<const Transfer&>(operation).Generation();
    case Operation::Shape::kIop:
      return static_cast<const Iop&>(operation).generation.load(
          std::memory_order_relaxed);
    case Operation::Shape::kLeaf:
      return static_cast<const Leaf&>(operation).generation;
    case Operation::Shape::kForeign:
      return static_cast<const Foreign&>(operation).generation;
  }
  __builtin_unreachable();
}

// The alignment of the records leaves the low bits of a handle free. In debug
// builds these bits hold the low bits of the generation. So a handle that is
// used again after its sync is detected.
inline constexpr uintptr_t kHandleTag = thread::kChecks ? kCacheLine - 1 : 0;

// A client's handle of an operation. Null means complete.
using Handle = gasneti_op*;
// A client's handle of a value get. Never null.
using ValueHandle = gasneti_valget*;

inline uintptr_t HandleBits(const Operation& operation) {
  return reinterpret_cast<uintptr_t>(&operation) |
         (GenerationOf(operation) & kHandleTag);
}
inline Handle ToHandle(const Operation& operation) {
  return reinterpret_cast<Handle>(HandleBits(operation));
}
inline ValueHandle ToValueHandle(const Transfer& transfer) {
  return reinterpret_cast<ValueHandle>(HandleBits(transfer));
}

// Returns the operation of a valid, non-null handle. See handle_checks.h.
inline Operation& FromHandle(Handle handle) {
  return *reinterpret_cast<Operation*>(reinterpret_cast<uintptr_t>(handle) &
                                       ~kHandleTag);
}
inline Transfer& FromHandle(ValueHandle handle) {
  return *reinterpret_cast<Transfer*>(reinterpret_cast<uintptr_t>(handle) &
                                      ~kHandleTag);
}

}  // namespace gasnet::extended

#endif  // EXTENDED_OPERATION_H_
