// The one place where calls, messages, handlers, waits and native transfers are
// observed, for statistics (statistics.h) and traces.
//
//   a call      IsObserved and CallScope, at the head of each C function
//               (export/observed.h); CountMessage, for most calls that send a
//               message
//   a message   NoteSent, in the engine, for messages of the library itself;
//               those of clients are calls
//   a handler   IsOn and HandlerCount or HandlerObservation, in the
//               dispatcher; ServiceObservation for those that a network serves
//               by itself (core/am/unattended.h)
//   a wait      BeginWait and EndWait, in the engine
//   a transfer  TransferObservation, in the network's record of the transfer
//               (core/rma/completion.h)
//
// If nothing is observed, each of these costs one load and a branch. A function
// that is observed calls itself once more, inside a CallScope, so that its hot
// path contains no code for observing. While a thread is in a call, its further
// calls come from the library and are not observed. A handler that runs within
// the call is the client's code, so calls are observed again
// (HandlerObservation).
//
// The second call takes longer than a short message. So a message or a handler
// that is neither traced nor timed is only counted, in place.
//
// A thread finds out at its first call if it is observed. In this file only the
// thread itself uses its log. Observing begins and ends in gasnet_init and
// gasnet_finalize, while no other thread calls GASNet.
#ifndef CORE_OBSERVE_SEAM_H_
#define CORE_OBSERVE_SEAM_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/observe/call.h"
#include "core/observe/status_board.h"
#include "core/observe/thread_log.h"
#include "core/observe/transfer_kind.h"
#include "core/rank.h"
#include "core/thread/thread_state.h"

namespace gasnet::observe {

class Observer;

// The observed arguments of a call. peer: kNobody if the call names no peer.
// handler: the handler of a message, else 0.
struct CallFacts {
  Rank peer = kNobody;
  uint32_t handler = 0;
  size_t nbytes = 0;
};

namespace internal {
// The thread's log. Null if the thread's calls are not observed, &unresolved if
// this is not known yet. Thread-local in every threading mode, since the
// conduits, which are compiled once for all modes, run handlers.
extern constinit thread_local void* active;
extern constinit std::atomic<Observer*> observer;

// The state of a call that has begun. log: null if the call is not observed.
// since: the time at which it began, or 0 if the call is not timed.
struct Entered {
  ThreadLog* log;
  int64_t since;
};
Entered Enter(Call call, CallFacts facts);
void Leave(const Entered& entered, CallFacts facts, bool refused);
}  // namespace internal

// Returns true if the calling thread's next call must be observed, or if this
// is not known yet.
inline bool IsObserved() { return internal::active != nullptr; }

// Returns true if handlers and waits are observed.
inline bool IsOn() {
  return internal::observer.load(std::memory_order_relaxed) != nullptr;
}

// Observes a call of the calling thread. The call counts from its beginning,
// its bytes and its operation with the peer from its end.
class CallScope {
 public:
  CallScope(Call call, CallFacts facts)
      : facts_(facts), entered_(internal::Enter(call, facts)) {}
  ~CallScope() {
    if (entered_.log != nullptr) internal::Leave(entered_, facts_, refused_);
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // Notes that the call was refused: it returns without effect.
  void NoteRefused() { refused_ = true; }

 private:
  const CallFacts facts_;
  const internal::Entered entered_;
  bool refused_ = false;
};

// Counts a call that sends a message, and its effect, in a few instructions.
// Returns false, and counts nothing, if the call needs a CallScope: it is
// traced, this one is timed, the group is not counted, or the peer is new.
// Legal only if IsObserved(), for a call that is sure to send the message.
// While the call sends, the thread is not in a call: nothing in it is observed
// but handlers, and a wait for room (EndWait).
[[gnu::always_inline]] inline bool CountMessage(Call call, CallFacts facts) {
  if (internal::active == &thread::internal::unresolved) return false;
  auto& log = *static_cast<ThreadLog*>(internal::active);
  if (log.ring != nullptr || !log.Counts(call)) return false;
  CallCounts& counts = log.Of(call);
  const uint64_t number = counts.calls.Get() + 1;
  PeerCounts* const peer = log.FindPeer(facts.peer);
  if (IsTimed(number) || peer == nullptr) return false;
  counts.calls.Set(number);
  log.current.call = call;
  peer->operations.Add(1);
  if (facts.nbytes != 0) {
    counts.bytes.Add(facts.nbytes);
    peer->bytes.Add(facts.nbytes);
  }
  return true;
}

namespace internal {
void NoteSent(uint8_t handler, Rank dest, size_t nbytes);
}  // namespace internal

// Notes that the calling thread sends a message of the library itself.
inline void NoteSent(uint8_t handler, Rank dest, size_t nbytes) {
  if (IsOn()) [[unlikely]]
    internal::NoteSent(handler, dest, nbytes);
}

namespace internal {
// The observation of one run of a handler. counts: null if the run is not
// timed. since: the time of its beginning, if it is timed.
struct HandlerRun {
  HandlerCounts* counts = nullptr;
  int64_t since = 0;
  bool is_traced = false;
  uint8_t handler = 0;
};
}  // namespace internal

// Observes a handler of the calling thread. Legal only if IsOn().
class HandlerObservation {
 public:
  HandlerObservation(Rank source, uint8_t handler, size_t nbytes);
  ~HandlerObservation();
  HandlerObservation(const HandlerObservation&) = delete;
  HandlerObservation& operator=(const HandlerObservation&) = delete;

 private:
  ThreadLog& log_;
  internal::HandlerRun run_;
  // The state of the call in which the handler runs, to be restored.
  void* const outer_active_;
  const uint64_t outer_waited_before_;
  const ThreadLog::Current outer_;
};

// Counts one run of a handler, in a few instructions, if this is all that there
// is to observe: the thread is not inside a CallScope, nothing is traced, and
// this run is not timed.
class HandlerCount {
 public:
  // Returns false, and counts nothing, if the run needs a HandlerObservation.
  [[gnu::always_inline]] bool Begin(uint8_t handler, size_t nbytes) {
    if (internal::active == nullptr ||
        internal::active == &thread::internal::unresolved) {
      return false;
    }
    auto* const log = static_cast<ThreadLog*>(internal::active);
    if (log->ring != nullptr || !log->Counts(ThreadLog::kHandlerRuns))
      return false;
    HandlerCounts& counts = log->OfHandler(handler);
    const uint64_t number = counts.runs.Get() + 1;
    if (IsTimed(number)) return false;
    counts.runs.Set(number);
    if (nbytes != 0) counts.bytes.Add(nbytes);
    log_ = log;
    outer_ = log->current.call;
    log->current.call = Call::kNone;
    return true;
  }
  // Called at the end of the run, also if it is not observed.
  [[gnu::always_inline]] void End() const {
    if (log_ != nullptr) [[unlikely]]
      log_->current.call = outer_;
  }

 private:
  ThreadLog* log_ = nullptr;
  Call outer_ = Call::kNone;
};

// Observes an unattended handler on the network's thread that runs it
// (core/am/unattended.h). That thread has a log of its own, in every threading
// mode. One thread at a time may use it. A request whose reply finds no room
// runs its handler again, and each run counts. Legal only if IsOn().
class ServiceObservation {
 public:
  ServiceObservation(Rank source, uint8_t handler, size_t nbytes);
  ~ServiceObservation();
  ServiceObservation(const ServiceObservation&) = delete;
  ServiceObservation& operator=(const ServiceObservation&) = delete;

  // Notes that the handler has sent its reply.
  void NoteReply(uint8_t handler, Rank dest, size_t nbytes);

 private:
  ThreadLog& log_;
  internal::HandlerRun run_;
};

using WaitBegun = ThreadLog::WaitBegun;

// Begins a wait of the calling thread. Legal only if IsOn().
WaitBegun BeginWait();
// Ends the wait. If one wait contains another, their common time counts only
// for the inner wait.
void EndWait(const WaitBegun& begun, const Waiting& waiting);

// A wait in a function that may be observed. The function calls Begin() only if
// a first poll has not ended the wait. A shorter wait would take less time than
// reading the clock twice.
class ObservedWait {
 public:
  void Begin() {
    if (IsOn() && begun_.since == 0) [[unlikely]]
      begun_ = BeginWait();
  }
  // Ends the wait. describe: returns the reason of the wait (am/wait_reason.h).
  template <class Describe>
  void End(Describe describe) const {
    if (begun_.since != 0) [[unlikely]]
      EndWait(begun_, describe());
  }

 private:
  WaitBegun begun_;
};

// NoteConditionStep() and EndCondition() observe the client's wait in
// GASNET_BLOCKUNTIL, like ObservedWait. The first step begins the wait.
void NoteConditionStep();
void EndCondition();

// Observes a transfer that a network performs by itself, from its post to its
// completion. A part of the network's record of the transfer, and reused with
// that record. Another thread than the poster may complete the transfer, also
// in a signal handler. If that thread has no log, because it has never called
// GASNet before, the completion is neither counted nor traced.
class TransferObservation {
 public:
  // Notes that the calling thread posts a transfer.
  void Post(TransferKind kind, Rank peer, size_t nbytes) {
    if (IsOn()) [[unlikely]]
      NotePosted(kind, peer, nbytes);
  }
  // Notes that the calling thread has taken the transfer's completion.
  void Complete() {
    if (is_counted_ || is_traced_) [[unlikely]]
      NoteCompleted();
  }

 private:
  void NotePosted(TransferKind kind, Rank peer, size_t nbytes);
  void NoteCompleted();
  void CountPost(ThreadLog& log, size_t nbytes);
  void CountCompletion(ThreadLog& log);
  void TracePost(ThreadLog& log, Rank peer, size_t nbytes);
  void TraceCompletion(const ThreadLog& log) const;

  bool is_counted_ = false;
  bool is_traced_ = false;
  TransferKind kind_ = TransferKind::kPut;
  // The number of transfers that this one represents; 0 if it is not timed.
  uint8_t stands_for_ = 0;
  int64_t since_ = 0;  // time of the post, if the transfer is timed
  // Facts for the completion's event, if the transfer is traced.
  Rank peer_ = 0;
  size_t nbytes_ = 0;
  uint64_t number_ = 0;
};

// Returns the log of the calling thread, or null if nothing is observed.
ThreadLog* LogOfThread();

// Sets the observer of this process; with null, no thread is observed any more.
// Called while no other thread calls GASNet.
void SetObserver(Observer* observer);

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_SEAM_H_
