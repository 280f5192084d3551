// Active messages over a link: blocking sends, replies, polling and waiting.
//
// The engine cannot deadlock. A request that finds no room serves both lanes
// while it waits. A reply that finds no room serves replies. So every waiting
// thread receives replies. Reply handlers send nothing, so every reply lane
// drains. Then every reply is sent, every request handler ends, and every
// request lane drains.
//
// Messages of a rank to itself do not use the link (self_delivery.h). Waits and
// polls also do other work (progress.h).
//
// On the path of messages, the engine changes no state of its own. The link
// synchronises itself.
#ifndef CORE_AM_ENGINE_H_
#define CORE_AM_ENGINE_H_

#include <cstddef>
#include <type_traits>

#include "core/am/cpu_board.h"
#include "core/am/dispatcher.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/processor.h"
#include "core/am/progress.h"
#include "core/am/room_wait.h"
#include "core/am/self_delivery.h"
#include "core/am/try_send.h"
#include "core/am/tuning.h"
#include "core/am/wait.h"
#include "core/am/wait_reason.h"
#include "core/am/waits.h"
#include "core/observe/seam.h"
#include "core/rma/send_state.h"
#include "core/thread/mode.h"

namespace gasnet::am {

// `Kernel` provides the system's services to a wait (processor.h). Tests pass a
// fake kernel.
template <Link L, class Kernel = ThisThread>
class Engine {
 public:
  // `progress` belongs to the rank. The engines of all its endpoints run it.
  Engine(L& link, Progress& progress)
      : link_(link), self_delivery_(link, dispatcher_), progress_(progress) {}

  // Makes the engine run messages to `me` in place. Called before the first
  // message to `me`. `segment` is this rank's own segment.
  void SetSelf(Rank me, const Segment& segment) {
    self_delivery_.SetSelf(me, segment);
  }

  HandlerTable& handlers() { return dispatcher_.handlers(); }
  Dispatcher& dispatcher() { return dispatcher_; }
  L& link() { return link_; }
  // The processors of this host's ranks, once the conduit has joined them.
  CpuBoard& cpu_board() { return cpu_board_; }
  Progress& progress() { return progress_; }

  // Sends a request. Returns when its source may be reused. Serves messages
  // that have arrived, and serves the network while there is no room. If the
  // request is to this rank, its handler has run before this returns.
  //
  // Inlined, so that the constant parts of a message cost nothing. If the link
  // can tell that there is nothing to serve, no function is called and no
  // registers are saved.
  [[gnu::always_inline]] void Request(Rank dest, const Message& message) {
    Observe(dest, message);
    if constexpr (LinkHasMessages<L>) {
      if (link_.HasMessages()) [[unlikely]] {
        const Message copy = message;
        ServeAndRequest(dest, copy);
        return;
      }
    } else {
      PollBeforeSend();
    }
    SendOrRun<Lane::kRequest>(dest, message);
  }

  // TryRequest() and TryReply() send a message if there is room (try_send.h).
  // They serve no messages. Out of line, so that a caller that may wait inlines
  // only one copy of the link's send.
  [[gnu::noinline]] bool TryRequest(Rank dest, const Message& message) {
    if (!TrySendOrRun<Lane::kRequest>(dest, message)) return false;
    Observe(dest, message);
    return true;
  }
  [[gnu::noinline]] bool TryReply(Token& token, const Message& message) {
    Message copy = message;
    copy.across = token.across;
    // Set before the send: a reply to this rank runs its handler at once.
    token.replied = true;
    token.replied = TrySendOrRun<Lane::kReply>(token.source, copy);
    if (token.replied) Observe(token.source, message);
    return token.replied;
  }

  // Returns false if a message would find no room (try_send.h).
  bool MayHaveRoom(Rank dest, Lane lane, size_t nbytes) {
    return self_delivery_.IsSelf(dest) ||
           am::MayHaveRoom(link_, dest, lane, nbytes);
  }

  // Runs the handlers of messages that have arrived, if the link can tell
  // cheaply that there are any. A handler may make the caller's wait needless.
  [[gnu::always_inline]] void ServeArrived() {
    if constexpr (LinkHasMessages<L>) {
      if (link_.HasMessages()) PollBeforeSend();
    } else {
      PollBeforeSend();
    }
  }

  // Like ServeArrived(), for a caller that takes requests to `handler` itself,
  // with Take(). If a rank's next request is for `handler`, that rank is served
  // later.
  [[gnu::always_inline]] void ServeArrivedBut(uint8_t handler) {
    if constexpr (LinkTakes<L>) {
      if (link_.HasMessagesBut(handler)) PollBeforeSend();
    } else {
      ServeArrived();
    }
  }

  // Like Request, but serves messages only while there is no room. Used by
  // callers that serve messages themselves.
  [[gnu::always_inline]] void RequestUnserved(Rank dest,
                                              const Message& message) {
    if constexpr (LinkTakes<L>) {
      Observe(dest, message);
      Message to_take = message;
      to_take.to_take = true;
      SendOrRun<Lane::kRequest>(dest, to_take);
    } else {
      Request(dest, message);
    }
  }

  // Takes the next request of a sender instead of running its handler. Succeeds
  // if that request is the wanted one, and if the link supports taking
  // (LinkTakes).
  template <class Accept>
  [[gnu::always_inline]] bool Take(const Wanted& wanted, void* to,
                                   Accept accept) {
    if constexpr (LinkTakes<L>) {
      return link_.TakeMedium(wanted, to, accept);
    } else {
      return false;
    }
  }

  // Sends the reply to the request of `token`. Called by the request's handler.
  [[gnu::always_inline]] void Reply(Token& token, const Message& message) {
    Observe(token.source, message);
    token.replied = true;
    if (token.across != 0) [[unlikely]] {
      Message copy = message;
      copy.across = token.across;
      return ReplyAcross(token.source, copy);
    }
    SendOrRun<Lane::kReply>(token.source, message);
  }

  // Runs the handlers of messages that have arrived. Returns their number.
  [[gnu::always_inline]] unsigned Poll() {
    return link_.Poll(Lanes::kAll, dispatcher_);
  }

  // Like Poll(), but runs only the handlers of replies. These send nothing.
  unsigned PollReplies() { return link_.Poll(Lanes::kReplies, dispatcher_); }

  // Like Poll(), for a client that polls in a loop. If nothing has happened and
  // ranks share processors, yields: the awaited rank may need this processor.
  unsigned PollOrYield() {
    const unsigned handled = Poll();
    progress_.Run();
    if (handled == 0 && waits_.IsCrowded()) Kernel::Yield();
    return handled;
  }

  // Serves the network until done() is true, and at least once. Other ranks
  // need this service even if done() is true from the start. done() has no side
  // effects. It may depend on handlers, on progress functions, on other threads
  // of this process that are inside GASNet, and on any other event that wakes
  // the link.
  //
  // describe() returns the reason of the wait, for users who inspect the job.
  // It is called once the wait is long.
  template <class Done, class Describe = WaitForAnything>
  void WaitUntil(Done done, Describe describe = {}) {
    if (done()) {
      ServeInPassing();
    } else {
      StepUntil(Lanes::kAll, done, describe);
    }
  }

  // Serves the network once, for a wait whose condition already holds.
  [[gnu::noinline]] void ServeInPassing() {
    if constexpr (LinkPollsInPassing<L>) {
      link_.PollInPassing(dispatcher_);
    } else {
      Poll();
    }
    progress_.Run();
  }

  // Does one step of a wait. The caller evaluates its condition between two
  // steps, and ends the wait with EndWait(). The condition may depend on the
  // events of WaitUntil(), or on any events if `ended_by` says so.
  //
  // A step serves the network last. So the caller evaluates its condition
  // before the next step sleeps. This is necessary because a poll may change
  // the condition without handling a message.
  template <class Describe = NotTold>
  void WaitStep(Wait& wait, EndedBy ended_by = EndedBy::kEvents,
                Describe describe = {}) {
    if (wait.FoundNothing()) GoOn(wait, 0, describe, ended_by);
    const unsigned handled = Serve(Lanes::kAll, wait);
    if (handled > 0) {
      wait.Progress(link_);
    } else {
      wait.NoteNothing();
    }
  }
  void EndWait(Wait& wait) { waits_.End(wait, link_); }

  // Sets the wait mode of threads. `oversubscribed` is true if this host runs
  // more ranks than it has processors for.
  void SetWaitMode(WaitMode mode, bool oversubscribed) {
    waits_.SetMode(mode, oversubscribed);
  }
  Waits<Kernel>& waits() { return waits_; }

  // Returns memory in which a client builds the payload of a Medium
  // (LinkPrepares), or null.
  void* Prepare(Rank dest, Lane lane, unsigned num_args, size_t nbytes) {
    if constexpr (LinkPrepares<L>) {
      if (self_delivery_.IsSelf(dest)) return nullptr;
      return link_.Prepare(dest, lane, num_args, nbytes);
    }
    return nullptr;
  }
  // Ends the use of memory that Prepare() returned.
  void EndPrepared(Rank dest, Lane lane, unsigned num_args,
                   const void* payload) {
    if constexpr (LinkPrepares<L>) {
      link_.EndPrepared(dest, lane, num_args, payload);
    }
  }

  // Returns true if Longs from the peer may arrive without an address.
  bool Lands(Rank peer) const {
    if constexpr (LinkLands<L>) {
      return !self_delivery_.IsSelf(peer) && link_.Lands(peer);
    }
    return false;
  }
  size_t MaxMedium() const { return link_.MaxMedium(); }
  // Returns the largest payload of a Medium that travels to the peer in one
  // piece.
  size_t WholeMedium(Rank peer) const {
    if constexpr (LinkHasWholeMedium<L>) return link_.WholeMedium(peer);
    return MaxMedium();
  }
  size_t MaxLong(Lane lane) const { return link_.MaxLong(lane); }
  // Returns the largest payload of a Long to one peer. `across` is the
  // Message::across of that Long.
  size_t MaxLongTo(Rank peer, Lane lane, EndpointIndex across = 0) const {
    if constexpr (LinkHasMaxLongTo<L>) {
      return link_.MaxLongTo(peer, lane, across);
    }
    return MaxLong(lane);
  }

 private:
  // Observes a message of the library itself. Those of the client are observed
  // as calls: the compiler knows their indices, and leaves this out.
  [[gnu::always_inline]] static void Observe(Rank to, const Message& message) {
    if (message.handler >= kFirstClientHandler) return;
    observe::NoteSent(message.handler, to, message.nbytes);
  }

  [[gnu::always_inline]] void PollBeforeSend() {
    if constexpr (LinkPollsBeforeSend<L>) {
      link_.PollBeforeSend(dispatcher_);
    } else {
      Poll();
    }
  }

  template <Lane lane>
  [[gnu::always_inline]] void SendOrRun(Rank dest, const Message& message) {
    if (self_delivery_.IsSelf(dest)) [[unlikely]] {
      self_delivery_.template Run<lane>(message);
    } else if (link_.Send(dest, lane, message) != Post::kDone) [[unlikely]] {
      Message copy = message;
      SendWhenRoom(dest, lane, copy);
    }
  }

  template <Lane lane>
  bool TrySendOrRun(Rank dest, const Message& message) {
    if (self_delivery_.IsSelf(dest)) {
      self_delivery_.template Run<lane>(message);
      return true;
    }
    return TrySend(link_, dest, lane, message,
                   [&](auto sent) { Await(sent, dest, lane, message); });
  }

  // Waits until sent() has sent the message.
  template <class Sent>
  void Await(Sent sent, Rank dest, Lane lane, const Message& message) {
    const Lanes served = lane == Lane::kRequest ? Lanes::kAll : Lanes::kReplies;
    StepUntil(served, sent, ReasonForRoom(link_, dest, lane, message));
  }

  // Takes a message that is in memory already. If it were passed by value, it
  // would be stored field by field. Larger loads of it would wait for these
  // stores.
  [[gnu::noinline]] void ServeAndRequest(Rank dest, const Message& message) {
    PollBeforeSend();
    SendOrRun<Lane::kRequest>(dest, message);
  }

  [[gnu::noinline]] void ReplyAcross(Rank dest, const Message& message) {
    SendOrRun<Lane::kReply>(dest, message);
  }

  // Repeats steps of a wait until attempt() returns true. attempt() evaluates a
  // condition or tries to send. The caller's first attempt has just failed.
  // Later attempts are made between serving the network and sleeping.
  template <class Attempt, class Describe>
  void StepUntil(Lanes lanes, Attempt attempt, Describe describe) {
    observe::ObservedWait observed;
    Wait wait;
    for (;;) {
      const unsigned handled = Serve(lanes, wait);
      if (attempt()) break;
      if constexpr (!std::is_same_v<Describe, NotTold>) observed.Begin();
      GoOn(wait, handled, describe);
    }
    EndWait(wait);
    if constexpr (!std::is_same_v<Describe, NotTold>) observed.End(describe);
  }

  // Sends the message once there is room. `message` is a copy that this
  // function changes.
  [[gnu::noinline]] void SendWhenRoom(Rank dest, Lane lane, Message& message) {
    [[maybe_unused]] SendState send_state;
    if constexpr (LinkSendsInSteps<L>) message.send_state = &send_state;
    const auto sent = [&] {
      return link_.Send(dest, lane, message) == Post::kDone;
    };
    if (!sent()) Await(sent, dest, lane, message);
  }

  // Serves the network once. Returns the number of messages that were handled.
  unsigned Serve(Lanes lanes, const Wait& wait) {
    // If there are many threads, they would contend for the cache line here. So
    // they report only after waiting for a while.
    if (!thread::kManyThreads && wait.IsNew()) {
      cpu_board_.ReportHere(Kernel::Cpu());
    }
    const unsigned handled = PollInWait(lanes, wait.HasSpun());
    if (lanes == Lanes::kAll) progress_.Run();
    return handled;
  }

  template <class Describe>
  void GoOn(Wait& wait, unsigned handled, Describe describe,
            EndedBy ended_by = EndedBy::kEvents) {
    if (handled > 0) {
      wait.Progress(link_);
    } else {
      waits_.Idle(wait, link_, cpu_board_, describe, ended_by);
    }
  }

  unsigned PollInWait(Lanes lanes, bool again) {
    if constexpr (LinkPollsAgain<L>) {
      if (again) return link_.PollAgain(lanes, dispatcher_);
    }
    return link_.Poll(lanes, dispatcher_);
  }

  L& link_;
  SelfDelivery<L> self_delivery_;
  Dispatcher dispatcher_;
  CpuBoard cpu_board_;
  Progress& progress_;
  Waits<Kernel> waits_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_ENGINE_H_
