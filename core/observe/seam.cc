#include "core/observe/seam.h"

#include <utility>

#include "base/clock.h"
#include "core/observe/observer.h"
#include "core/observe/trace_ring.h"
#include "core/observe/tracing.h"
#include "core/phase.h"
#include "core/thread/thread_state.h"

namespace gasnet::observe {

namespace internal {

constinit thread_local void* active = &thread::internal::unresolved;
constinit std::atomic<Observer*> observer{nullptr};

}  // namespace internal

namespace {

uint64_t Since(int64_t begin) {
  const int64_t nanos = NowNanos() - begin;
  return nanos > 0 ? static_cast<uint64_t>(nanos) : 0;
}

// Finds out if the calling thread is observed. Returns its log, or null if the
// thread is not observed.
ThreadLog* Resolve() {
  thread::ThreadState& self = thread::Self();
  self.active_log = &internal::active;
  Observer* const observer = internal::observer.load(std::memory_order_acquire);
  if (observer == nullptr) {
    internal::active = nullptr;
    return nullptr;
  }
  if (self.log == nullptr) self.log = &observer->NewLog();
  auto& log = *static_cast<ThreadLog*>(self.log);
  observer->BeginThread(log);
  internal::active = &log;
  return &log;
}

// Returns the log of the calling thread. If the thread is inside a call, the
// state of that call stays unchanged.
ThreadLog& MyLog() {
  thread::ThreadState& self = thread::Self();
  if (self.log == nullptr) [[unlikely]] {
    void* const active = internal::active;
    ThreadLog* const made = Resolve();
    internal::active = active;
    return *made;
  }
  return *static_cast<ThreadLog*>(self.log);
}

// Returns the log of the calling thread, or null if the thread has none, or if
// nothing is observed any more. Allocates nothing, so it may run in a signal
// handler.
ThreadLog* MyLogIfAny() {
  const thread::ThreadState* const self = thread::SelfIfAny();
  return self == nullptr || !IsOn() ? nullptr
                                    : static_cast<ThreadLog*>(self->log);
}

// Returns a number that no other transfer of this rank has.
uint64_t NextTransfer(ThreadLog& log) {
  constexpr int kBitsOfNumber = 40;
  return uint64_t{thread::Self().index} << kBitsOfNumber | ++log.last_transfer;
}

// Out of line, so that Enter is short and saves no registers: Enter calls
// functions only in tail position.

[[gnu::noinline]] internal::Entered EnterTimed(ThreadLog& log) {
  log.waited_before = log.waited;
  return {&log, NowNanos()};
}

[[gnu::always_inline]] inline internal::Entered EnterCounted(ThreadLog& log,
                                                             Call call) {
  internal::active = nullptr;
  log.current.call = call;
  log.current.is_counted = log.Counts(call);
  if (!log.current.is_counted) [[unlikely]]
    return {&log, 0};
  CallCounts& counts = log.Of(call);
  const uint64_t number = counts.calls.Get() + 1;
  counts.calls.Set(number);
  if (IsTimed(number)) [[unlikely]]
    return EnterTimed(log);
  return {&log, 0};
}

// Counts the effect of the current call.
void CountEffect(ThreadLog& log, CallFacts facts, bool refused) {
  CallCounts& counts = log.Of(log.current.call);
  if (refused) {
    counts.refused.Add(1);
    return;
  }
  counts.bytes.Add(facts.nbytes);
  if (log.FindPeer(facts.peer) == nullptr) [[unlikely]]
    log.AddPeer(facts.peer);
  PeerCounts& peer = *log.FindPeer(facts.peer);
  peer.operations.Add(1);
  peer.bytes.Add(facts.nbytes);
}

void LeaveTraced(ThreadLog& log, bool refused) {
  log.ring->Add(TraceKind::kCallEnds, static_cast<uint16_t>(log.current.call),
                kNoTracePeer, 0, refused ? kTraceRefused : 0);
}

void LeaveTimed(ThreadLog& log, int64_t since) {
  const uint64_t nanos = Since(since);
  const uint64_t waited = log.waited - log.waited_before;
  CallCounts& counts = log.Of(log.current.call);
  counts.times.NoteExtremes(nanos);
  counts.times.sum.Add((nanos > waited ? nanos - waited : 0) *
                       StandsFor(counts.calls.Get()));
}

// Puts the client's place in its source into the trace.
void TraceSource(ThreadLog& log) {
  ThreadLog::Source& source = log.source;
  source.is_new = false;
  if (!log.tracing.mask().Has('N')) return;
  if (source.file != source.numbered) {
    source.number = log.tracing.file()->AddSource(source.file);
    source.numbered = source.file;
  }
  log.ring->Add(TraceKind::kSourceLine, source.number, kNoTracePeer, 0,
                source.line);
}

[[gnu::noinline]] internal::Entered EnterTraced(ThreadLog& log, Call call,
                                                CallFacts facts) {
  // A forked child must not write: it shares the ring of its parent.
  log.current.is_traced =
      CurrentPhase() != Phase::kNone && log.tracing.Has(call, facts.peer);
  if (log.current.is_traced) {
    if (log.source.is_new) TraceSource(log);
    log.ring->Add(TraceKind::kCallBegins, static_cast<uint16_t>(call),
                  facts.peer, facts.nbytes, facts.handler);
  }
  return EnterCounted(log, call);
}

// Notes a message of the library itself.
void CountSent(ThreadLog& log, uint8_t handler, Rank dest, size_t nbytes) {
  if (log.Counts(ThreadLog::kHandlerRuns)) {
    HandlerCounts& counts = log.OfHandler(handler);
    counts.sent.Add(1);
    counts.sent_bytes.Add(nbytes);
  }
  if (log.ring != nullptr && log.tracing.Has(kMessageGroup, dest)) {
    log.ring->Add(TraceKind::kSent, handler, dest, nbytes);
  }
}

[[gnu::always_inline]] inline internal::HandlerRun BeginRun(ThreadLog& log,
                                                            Rank source,
                                                            uint8_t handler,
                                                            size_t nbytes) {
  internal::HandlerRun run;
  if (log.ring != nullptr && log.tracing.mask().Has(kMessageGroup)) {
    run.is_traced = true;
    run.handler = handler;
    log.ring->Add(TraceKind::kHandlerBegins, handler, source, nbytes);
  }
  if (!log.Counts(ThreadLog::kHandlerRuns)) [[unlikely]]
    return run;
  HandlerCounts& counts = log.OfHandler(handler);
  const uint64_t number = counts.runs.Get() + 1;
  counts.runs.Set(number);
  counts.bytes.Add(nbytes);
  if (!IsTimed(number)) return run;
  run.counts = &counts;
  run.since = NowNanos();
  return run;
}

[[gnu::always_inline]] inline void EndRun(const ThreadLog& log,
                                          const internal::HandlerRun& run) {
  if (run.counts != nullptr) {
    const uint64_t nanos = Since(run.since);
    run.counts->times.NoteExtremes(nanos);
    run.counts->times.sum.Add(nanos * StandsFor(run.counts->runs.Get()));
  }
  if (run.is_traced) log.ring->Add(TraceKind::kHandlerEnds, run.handler);
}

// Returns the call in which the thread waits. A message that CountMessage() has
// counted may wait for room outside a CallScope. Other waits there are outside
// all calls.
Call CallOfWait(const ThreadLog& log, const Waiting& waiting) {
  const bool is_in_call =
      internal::active == nullptr || waiting.what == WaitFor::kRoom;
  return is_in_call ? log.current.call : Call::kNone;
}

[[gnu::noinline]] internal::Entered EnterFirst(Call call, CallFacts facts) {
  if (Resolve() == nullptr) return {nullptr, 0};
  return internal::Enter(call, facts);
}

}  // namespace

internal::Entered internal::Enter(Call call, CallFacts facts) {
  if (active == &thread::internal::unresolved) [[unlikely]]
    return EnterFirst(call, facts);
  ThreadLog& log = *static_cast<ThreadLog*>(active);
  if (log.ring != nullptr) [[unlikely]]
    return EnterTraced(log, call, facts);
  log.current.is_traced = false;
  return EnterCounted(log, call);
}

void internal::Leave(const Entered& entered, CallFacts facts, bool refused) {
  ThreadLog& log = *entered.log;
  if (entered.since != 0) LeaveTimed(log, entered.since);
  if (log.current.is_traced) [[unlikely]]
    LeaveTraced(log, refused);
  if (log.current.is_counted) CountEffect(log, facts, refused);
  log.current.call = Call::kNone;
  active = &log;
}

void internal::NoteSent(uint8_t handler, Rank dest, size_t nbytes) {
  CountSent(MyLog(), handler, dest, nbytes);
}

HandlerObservation::HandlerObservation(Rank source, uint8_t handler,
                                       size_t nbytes)
    : log_(MyLog()),
      outer_active_(internal::active),
      outer_waited_before_(log_.waited_before),
      outer_(log_.current) {
  internal::active = &log_;
  log_.current.call = Call::kNone;
  run_ = BeginRun(log_, source, handler, nbytes);
}

HandlerObservation::~HandlerObservation() {
  EndRun(log_, run_);
  log_.current = outer_;
  log_.waited_before = outer_waited_before_;
  internal::active = outer_active_;
}

ServiceObservation::ServiceObservation(Rank source, uint8_t handler,
                                       size_t nbytes)
    : log_(internal::observer.load(std::memory_order_acquire)->ServiceLog()),
      run_(BeginRun(log_, source, handler, nbytes)) {}

ServiceObservation::~ServiceObservation() { EndRun(log_, run_); }

void ServiceObservation::NoteReply(uint8_t handler, Rank dest, size_t nbytes) {
  CountSent(log_, handler, dest, nbytes);
}

WaitBegun BeginWait() {
  const uint64_t waited = MyLog().waited;
  return {NowNanos(), waited};
}

void EndWait(const WaitBegun& begun, const Waiting& waiting) {
  const uint64_t nanos = Since(begun.since);
  ThreadLog& log = MyLog();
  const uint64_t inside = log.waited - begun.waited;
  const uint64_t own = nanos > inside ? nanos - inside : 0;
  log.waited += own;
  if (log.Counts(ThreadLog::kWaits)) log.OfWait(waiting.what).Note(own);
  if (log.ring != nullptr && log.tracing.mask().Has(ThreadLog::kWaits)) {
    log.ring->AddWait(static_cast<uint16_t>(waiting.what), waiting.peer,
                      waiting.first, begun.since);
  }
  const Call current = CallOfWait(log, waiting);
  if (!log.Counts(current)) return;
  CallCounts& call = log.Of(current);
  call.waits.Add(1);
  call.waiting.Add(own);
  // The call took at least as long as its wait, even if the call is not timed.
  if (nanos > call.times.most.Get()) call.times.most.Set(nanos);
}

void NoteConditionStep() {
  ThreadLog& log = MyLog();
  // A wait for room in here is not one of the message that was sent before.
  log.current.call = Call::kNone;
  if (log.condition.since == 0) log.condition = BeginWait();
}

void EndCondition() {
  ThreadLog& log = MyLog();
  if (log.condition.since == 0) return;
  EndWait(log.condition, {.what = WaitFor::kCondition});
  log.condition = {};
}

void TransferObservation::NotePosted(TransferKind kind, Rank peer,
                                     size_t nbytes) {
  ThreadLog& log = MyLog();
  kind_ = kind;
  is_counted_ = log.Counts(kConduitGroup);
  is_traced_ = log.ring != nullptr && log.tracing.Has(kConduitGroup, peer);
  if (is_traced_) [[unlikely]]
    TracePost(log, peer, nbytes);
  if (is_counted_) CountPost(log, nbytes);
}

[[gnu::always_inline]] inline void TransferObservation::CountPost(
    ThreadLog& log, size_t nbytes) {
  TransferCounts& counts = log.OfTransfers(kind_);
  const uint64_t posted = counts.posted.Get() + 1;
  counts.posted.Set(posted);
  counts.bytes.Add(nbytes);
  stands_for_ = 0;
  if (!IsTimed(posted)) [[likely]]
    return;
  stands_for_ = static_cast<uint8_t>(StandsFor(posted));
  since_ = NowNanos();
}

[[gnu::noinline]] void TransferObservation::TracePost(ThreadLog& log, Rank peer,
                                                      size_t nbytes) {
  peer_ = peer;
  nbytes_ = nbytes;
  number_ = NextTransfer(log);
  log.ring->Add(TraceKind::kPosted, static_cast<uint16_t>(kind_), peer, nbytes,
                number_);
}

void TransferObservation::NoteCompleted() {
  const bool is_counted = std::exchange(is_counted_, false);
  const bool is_traced = std::exchange(is_traced_, false);
  ThreadLog* const log = MyLogIfAny();
  if (log == nullptr) return;
  if (is_counted) CountCompletion(*log);
  if (is_traced && log->ring != nullptr) [[unlikely]]
    TraceCompletion(*log);
}

[[gnu::always_inline]] inline void TransferObservation::CountCompletion(
    ThreadLog& log) {
  TransferCounts& counts = log.OfTransfers(kind_);
  counts.completed.Add(1);
  if (stands_for_ == 0) [[likely]]
    return;
  const uint64_t nanos = Since(since_);
  counts.times.NoteExtremes(nanos);
  counts.times.sum.Add(nanos * stands_for_);
  counts.stood_for.Add(stands_for_);
}

[[gnu::noinline]] void TransferObservation::TraceCompletion(
    const ThreadLog& log) const {
  log.ring->Add(TraceKind::kCompleted, static_cast<uint16_t>(kind_), peer_,
                nbytes_, number_);
}

ThreadLog* LogOfThread() { return IsOn() ? &MyLog() : nullptr; }

void SetObserver(Observer* observer) {
  internal::observer.store(observer, std::memory_order_release);
  thread::ForEachState([](thread::ThreadState& state) {
    state.log = nullptr;
    if (state.active_log != nullptr) {
      *state.active_log = &thread::internal::unresolved;
      // The thread may end before it is observed again.
      state.active_log = nullptr;
    }
  });
}

}  // namespace gasnet::observe
