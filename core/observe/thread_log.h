// The counts of one thread: its calls, the waits in them, the handlers that it
// has run, the library's messages that it has sent, the native transfers that
// it has posted or whose completion it has taken, and the peers of its calls.
//
// Only the thread itself writes its counts, with plain loads and stores that
// are each atomic (Count). Any thread may read them at any time. A log is
// passed on with the thread's record (core/thread/thread_state.h), so no count
// is lost when a thread ends.
//
// Each call is counted, but reading the clock takes longer than a short call.
// So only the first kAllTimed calls of a kind are timed, and then every
// kTimedEvery-th call. That call stands for all calls since the last timed one.
// The time that a call waits is always measured, and kept apart. So only the
// time that calls work, rather than wait, is an estimate.
#ifndef CORE_OBSERVE_THREAD_LOG_H_
#define CORE_OBSERVE_THREAD_LOG_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "core/observe/call.h"
#include "core/observe/mask.h"
#include "core/observe/transfer_kind.h"
#include "core/rank.h"
#include "job/status/status_page.h"

namespace gasnet::observe {

class TraceRing;
class Tracing;

using job::kNobody;
using job::WaitFor;

// A counter that one thread writes and any thread reads.
class Count {
 public:
  [[gnu::always_inline]] uint64_t Get() const {
    return value_.load(std::memory_order_relaxed);
  }
  [[gnu::always_inline]] void Set(uint64_t value) {
    value_.store(value, std::memory_order_relaxed);
  }
  [[gnu::always_inline]] void Add(uint64_t more) { Set(Get() + more); }

 private:
  std::atomic<uint64_t> value_{0};
};

// Durations in nanoseconds.
struct Durations {
  Count timed;
  Count sum;
  Count least;  // 0 if nothing was noted yet
  Count most;

  void Note(uint64_t nanos) {
    NoteExtremes(nanos);
    sum.Add(nanos);
  }
  void NoteExtremes(uint64_t nanos) {
    if (least.Get() == 0 || nanos < least.Get())
      least.Set(nanos + (nanos == 0));
    if (nanos > most.Get()) most.Set(nanos);
    timed.Add(1);
  }
};

struct CallCounts {
  Count calls;
  Count bytes;
  // `least` and `most` are those of the timed calls, including their waits.
  // `sum` is the time of all calls without their waits, estimated from the
  // timed calls.
  Durations times;
  Count waits;
  Count waiting;  // in nanoseconds
  // The calls that returned without effect (GEX_FLAG_IMMEDIATE). `calls` has
  // them too, `bytes` does not.
  Count refused;
};

struct HandlerCounts {
  // The messages to this handler that the library has sent for itself.
  Count sent;
  Count sent_bytes;
  Count runs;
  Count bytes;  // of the messages that the runs have handled
  // `sum` is the time of all runs, estimated from the timed runs.
  Durations times;
};

// Native transfers of one kind. The thread that takes a completion may be
// another one than the poster, so each thread has counts of both.
struct TransferCounts {
  Count posted;
  Count bytes;  // of the posted transfers
  Count completed;
  // The times from the post to the completion of timed transfers. `sum` is the
  // time of the `stood_for` transfers that the timed ones represent.
  Durations times;
  Count stood_for;
};

// The counts of a thread's calls to one peer.
struct PeerCounts {
  Count operations;
  Count bytes;
};

inline constexpr uint64_t kAllTimed = 64;
inline constexpr uint64_t kTimedEvery = 64;

// Returns true if the call of this number, counted from 1, is timed.
constexpr bool IsTimed(uint64_t number) {
  return number <= kAllTimed || number % kTimedEvery == 0;
}
// Returns the number of calls that the timed call of this number represents.
constexpr uint64_t StandsFor(uint64_t number) {
  return number <= kAllTimed ? 1 : kTimedEvery;
}
// Returns how many of the first `number` calls the timed calls represent.
constexpr uint64_t StoodFor(uint64_t number) {
  return number <= kAllTimed ? number : number - number % kTimedEvery;
}
static_assert(kAllTimed % kTimedEvery == 0);

class alignas(kCacheLine) ThreadLog {
 public:
  static constexpr size_t kReasons = static_cast<size_t>(WaitFor::kLast) + 1;
  static constexpr size_t kHandlers = 256;

  // The groups for events that are not calls.
  static constexpr char kHandlerRuns = 'A';  // and messages of the library
  static constexpr char kWaits = 'S';

  // ranks: the number of ranks of the job. mask: the groups that are counted
  // (Mask). Any thread may change the mask.
  ThreadLog(Rank ranks, const std::atomic<uint32_t>& mask, Tracing& tracing);
  ~ThreadLog();
  ThreadLog(const ThreadLog&) = delete;
  ThreadLog& operator=(const ThreadLog&) = delete;

  // Returns true if this group, or the group of this call, is counted.
  bool Counts(char group) const {
    return (mask_.load(std::memory_order_relaxed) & Mask::Bit(group)) != 0;
  }
  bool Counts(Call call) const { return Counts(GroupOf(call)); }

  CallCounts& Of(Call call) { return calls_[static_cast<size_t>(call)]; }
  const CallCounts& Of(Call call) const {
    return calls_[static_cast<size_t>(call)];
  }
  HandlerCounts& OfHandler(uint8_t index) { return handlers_[index]; }
  const HandlerCounts& OfHandler(uint8_t index) const {
    return handlers_[index];
  }
  TransferCounts& OfTransfers(TransferKind kind) {
    return transfers_[static_cast<size_t>(kind)];
  }
  const TransferCounts& OfTransfers(TransferKind kind) const {
    return transfers_[static_cast<size_t>(kind)];
  }
  Durations& OfWait(WaitFor what) { return waits_[static_cast<size_t>(what)]; }
  const Durations& OfWait(WaitFor what) const {
    return waits_[static_cast<size_t>(what)];
  }
  // Returns the counts of a peer, or null before AddPeer(). If the peer is out
  // of range, such as kNobody, returns counts that no report reads. Called by
  // the thread itself only.
  [[gnu::always_inline]] PeerCounts* FindPeer(Rank peer) {
    if (peer >= ranks_) return &nobody_;
    PeerCounts* const block =
        peers_[peer / kBlock].load(std::memory_order_relaxed);
    return block == nullptr ? nullptr : block + peer % kBlock;
  }
  void AddPeer(Rank peer);
  // Returns the counts of a peer. May return null if no call has named the
  // peer.
  const PeerCounts* OfPeer(Rank peer) const {
    const PeerCounts* const block =
        peers_[peer / kBlock].load(std::memory_order_acquire);
    return block == nullptr ? nullptr : block + peer % kBlock;
  }

  // The thread's current call. After a call that CountMessage() has counted
  // (seam.h), it stays until the next call. Used by the thread itself only.
  // During a handler, HandlerObservation keeps the outer call's state apart.
  struct Current {
    Call call = Call::kNone;
    // True if the mask had the group of the call at its beginning.
    bool is_counted = false;
    bool is_traced = false;
  };
  Current current;
  // waited: the total time of all waits of the thread that have ended.
  // waited_before: this total when the current call began.
  uint64_t waited = 0;
  uint64_t waited_before = 0;
  // The beginning of a wait in GASNET_BLOCKUNTIL. The loop of this wait runs in
  // the client's code.
  struct WaitBegun {
    int64_t since = 0;  // 0 if there is no wait
    // `ThreadLog::waited` when this wait began.
    uint64_t waited = 0;
  };
  WaitBegun condition;

  // The trace of the thread's events; used by the thread itself only.
  Tracing& tracing;
  TraceRing* ring = nullptr;  // null if the thread has no ring
  // The client's current source line. number: the number of the source file in
  // the trace.
  struct Source {
    const char* file = "";
    unsigned line = 0;
    bool is_frozen = false;
    bool is_new = false;             // true if the trace lacks this line
    const char* numbered = nullptr;  // the file that has `number`
    uint16_t number = 0;
  };
  Source source;

  // The number of the thread's last transfer that is traced.
  uint64_t last_transfer = 0;

  // The log that was made before this one.
  ThreadLog* older = nullptr;

 private:
  // The number of peers in a block. Counts of peers are allocated in blocks.
  static constexpr Rank kBlock = 64;

  const Rank ranks_;
  const std::atomic<uint32_t>& mask_;
  std::array<CallCounts, kCalls + 1> calls_;
  std::array<HandlerCounts, kHandlers> handlers_;
  std::array<Durations, kReasons> waits_;
  std::array<TransferCounts, kTransferKinds> transfers_;
  std::atomic<PeerCounts*>* const peers_;
  PeerCounts nobody_;
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_THREAD_LOG_H_
