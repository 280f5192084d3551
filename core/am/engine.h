// Active messages over a link: blocking sends, replies, polling and waiting.
//
// Why it cannot deadlock. A request that finds no room serves everything while
// it waits; a reply that finds no room serves replies. A thread that waits
// therefore always takes in replies; reply handlers send nothing, so every
// reply lane drains, so every reply gets out, so every request handler ends,
// so every request lane drains.
//
// Messages of this rank to itself do not touch the link: in_place.h. Other work
// while a client waits or polls: progress.h.
//
// The engine itself has no state that changes on the message path; the link
// brings what synchronisation it needs.
#ifndef CORE_AM_ENGINE_H_
#define CORE_AM_ENGINE_H_

#include <atomic>
#include <cstddef>

#include "base/cpu.h"
#include "core/am/dispatcher.h"
#include "core/am/in_place.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/am/processor.h"
#include "core/am/progress.h"
#include "core/am/tuning.h"
#include "core/am/wait.h"
#include "core/am/whereabouts.h"
#include "core/rma/journey.h"
#include "core/thread/mode.h"

namespace gasnet::am {

// Kernel: what a wait asks of the system (processor.h).
template <Link L, class Kernel = ThisThread>
class Engine {
 public:
  // progress: of the rank; the engines of all its endpoints run it.
  Engine(L& link, Progress& progress)
      : link_(link), in_place_(link, dispatcher_), progress_(progress) {}

  // From here on messages to `me`, whose segment that is, are run in place.
  // Before the first of them.
  void SetSelf(Rank me, const Segment& segment) {
    in_place_.SetSelf(me, segment);
  }

  HandlerTable& handlers() { return dispatcher_.handlers(); }
  Dispatcher& dispatcher() { return dispatcher_; }
  L& link() { return link_; }
  // Of the ranks of this host, once the conduit has had them join.
  Whereabouts& whereabouts() { return whereabouts_; }
  Progress& progress() { return progress_; }

  // Sends a request; returns when its source may be reused. Serves what has
  // come, and the network as long as there is no room. One to this rank has run
  // its handler when this returns. Inlined, so that what is
  // constant in a message costs nothing. Where the link can tell that there is
  // nothing to serve no function is called, so that nothing is saved for one.
  [[gnu::always_inline]] void Request(Rank dest, const Message& message) {
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

  // Runs the handlers of what has come, if the link can tell cheaply that there
  // is any: for calls that may be spared a wait by it.
  [[gnu::always_inline]] void ServeArrived() {
    if constexpr (LinkHasMessages<L>) {
      if (link_.HasMessages()) PollBeforeSend();
    } else {
      PollBeforeSend();
    }
  }

  // The same for a caller that takes requests for that handler itself (Take):
  // a rank from whom one of those is next is served later.
  [[gnu::always_inline]] void ServeArrivedBut(uint8_t handler) {
    if constexpr (LinkTakes<L>) {
      if (link_.HasMessagesBut(handler)) PollBeforeSend();
    } else {
      ServeArrived();
    }
  }

  // As Request, but what has come is only served where there is no room: for a
  // caller that does so itself.
  [[gnu::always_inline]] void RequestUnserved(Rank dest,
                                              const Message& message) {
    if constexpr (LinkTakes<L>) {
      SendOrRun<Lane::kRequest>(dest, message);
    } else {
      Request(dest, message);
    }
  }

  // Takes a request in place of its handler, where it is the next from its
  // sender and the link can do that (LinkTakes).
  template <class Accept>
  [[gnu::always_inline]] bool Take(const Wanted& wanted, void* to,
                                   Accept accept) {
    if constexpr (LinkTakes<L>) {
      return link_.TakeMedium(wanted, to, accept);
    } else {
      return false;
    }
  }

  // Sends the reply to the request that token names, from its handler.
  [[gnu::always_inline]] void Reply(Token& token, const Message& message) {
    token.replied = true;
    if (token.across != 0) [[unlikely]] {
      Message copy = message;
      copy.across = token.across;
      return ReplyAcross(token.source, copy);
    }
    SendOrRun<Lane::kReply>(token.source, message);
  }

  // Runs the handlers of messages that have arrived; how many.
  [[gnu::always_inline]] unsigned Poll() {
    return link_.Poll(Lanes::kAll, dispatcher_);
  }

  // Of replies alone, whose handlers send nothing.
  unsigned PollReplies() { return link_.Poll(Lanes::kReplies, dispatcher_); }

  // The same for a client that asks again and again whether something has
  // happened: where ranks share processors and nothing has, the one it waits
  // for may need ours.
  unsigned PollOrYield() {
    const unsigned handled = Poll();
    progress_.Run();
    if (handled == 0 && plan_.load(std::memory_order_relaxed).crowded) {
      Kernel::Yield();
    }
    return handled;
  }

  // Serves the network until done() is true, and once where it is at once: a
  // rank that only waits, and never has to, must serve the others too. done
  // only looks. It may depend on handlers, on progress functions, on other
  // threads of this process that are inside GASNet, and on anything else whose
  // change wakes the link.
  template <class Done>
  void WaitUntil(Done done) {
    if (done()) {
      ServeInPassing();
    } else {
      StepUntil(Lanes::kAll, done);
    }
  }

  // The service of a wait that need not wait.
  [[gnu::noinline]] void ServeInPassing() {
    if constexpr (LinkPollsInPassing<L>) {
      link_.PollInPassing(dispatcher_);
    } else {
      Poll();
    }
    progress_.Run();
  }

  // One step of a wait whose condition is evaluated by the caller between any
  // two steps, and depends on what WaitUntil's may, or on anything, as ended_by
  // says; the caller ends it with EndWait. A step ends with service, so that
  // the caller looks before the next one sleeps: a poll may change what it
  // looks at and have handled no message.
  void WaitStep(Wait& wait, EndedBy ended_by = EndedBy::kEvents) {
    if (wait.FoundNothing()) GoOn(wait, 0, ended_by);
    const unsigned handled = Serve(Lanes::kAll, wait);
    if (handled > 0) {
      wait.Progress(link_);
    } else {
      wait.NoteNothing();
    }
  }
  void EndWait(Wait& wait) { wait.Progress(link_); }

  // oversubscribed: this host runs more ranks than it has processors for them.
  void SetWaitMode(WaitMode mode, bool oversubscribed) {
    plan_.store({mode, oversubscribed}, std::memory_order_relaxed);
  }

  // As that one, at the moment.
  void WaitAs(const Engine& other) {
    plan_.store(other.plan_.load(std::memory_order_relaxed),
                std::memory_order_relaxed);
  }

  // Whether waits spin at first: not where that keeps another rank from its
  // processor, and not where the client said so.
  bool Spins() const {
    const WaitPlan plan = plan_.load(std::memory_order_relaxed);
    return !plan.crowded && plan.mode != WaitMode::kBlock;
  }

  // Whether waits give the processor away at first, since the ranks that they
  // wait for may need it.
  bool Yields() const {
    const WaitPlan plan = plan_.load(std::memory_order_relaxed);
    return plan.crowded && plan.mode == WaitMode::kSpinBlock;
  }
  // For a wait of the caller's own, which is short.
  static void YieldOrRelax(unsigned looks) {
    if (looks % kLooksPerYield == 0) {
      Kernel::Yield();
    } else {
      CpuRelax();
    }
  }

  // Whether Longs from the peer may come without an address.
  bool Lands(Rank peer) const {
    if constexpr (LinkLands<L>) {
      return !in_place_.IsSelf(peer) && link_.Lands(peer);
    }
    return false;
  }
  size_t MaxMedium() const { return link_.MaxMedium(); }
  // Of it, what travels to the peer in one piece.
  size_t WholeMedium(Rank peer) const {
    if constexpr (LinkHasWholeMedium<L>) return link_.WholeMedium(peer);
    return MaxMedium();
  }
  size_t MaxLong(Lane lane) const { return link_.MaxLong(lane); }
  // across: as of Message.
  size_t MaxLongTo(Rank peer, Lane lane, EndpointIndex across = 0) const {
    if constexpr (LinkHasMaxLongTo<L>) {
      return link_.MaxLongTo(peer, lane, across);
    }
    return MaxLong(lane);
  }

 private:
  [[gnu::always_inline]] void PollBeforeSend() {
    if constexpr (LinkPollsBeforeSend<L>) {
      link_.PollBeforeSend(dispatcher_);
    } else {
      Poll();
    }
  }

  template <Lane lane>
  [[gnu::always_inline]] void SendOrRun(Rank dest, const Message& message) {
    if (in_place_.IsSelf(dest)) [[unlikely]] {
      in_place_.template Run<lane>(message);
    } else if (link_.Send(dest, lane, message) != Post::kDone) [[unlikely]] {
      Message copy = message;
      SendWhenRoom(dest, lane, copy);
    }
  }

  // Of a copy of the message, made where it is known that it must be in memory.
  // As a parameter it would be stored by its fields, and wait for these stores
  // to be loaded again in larger pieces.
  [[gnu::noinline]] void ServeAndRequest(Rank dest, const Message& message) {
    PollBeforeSend();
    SendOrRun<Lane::kRequest>(dest, message);
  }

  [[gnu::noinline]] void ReplyAcross(Rank dest, const Message& message) {
    SendOrRun<Lane::kReply>(dest, message);
  }

  // Until an attempt succeeds, a look or a try to send. The last one, a moment
  // ago, did not; the next are made between serving and sleeping.
  template <class Attempt>
  void StepUntil(Lanes lanes, Attempt attempt) {
    Wait wait;
    for (;;) {
      const unsigned handled = Serve(lanes, wait);
      if (attempt()) break;
      GoOn(wait, handled);
    }
    wait.Progress(link_);
  }

  // As above; the copy is changed.
  [[gnu::noinline]] void SendWhenRoom(Rank dest, Lane lane, Message& message) {
    const Lanes served = lane == Lane::kRequest ? Lanes::kAll : Lanes::kReplies;
    [[maybe_unused]] Journey journey;
    if constexpr (LinkSendsInSteps<L>) message.journey = &journey;
    const auto sent = [&] {
      return link_.Send(dest, lane, message) == Post::kDone;
    };
    if (!sent()) StepUntil(served, sent);
  }

  // How many messages it has handled.
  unsigned Serve(Lanes lanes, const Wait& wait) {
    // Several threads would take the line from each other all the time; theirs
    // tell when they have waited for a while.
    if (!thread::kManyThreads && wait.IsNew()) {
      whereabouts_.ReportHere(Kernel::Cpu());
    }
    const unsigned handled = PollInWait(lanes, wait.HasSpun());
    if (lanes == Lanes::kAll) progress_.Run();
    return handled;
  }

  void GoOn(Wait& wait, unsigned handled, EndedBy ended_by = EndedBy::kEvents) {
    if (handled > 0) {
      wait.Progress(link_);
    } else {
      Processor<Kernel> processor(whereabouts_);
      wait.Idle(link_, plan_.load(std::memory_order_relaxed), processor,
                ended_by);
    }
  }

  unsigned PollInWait(Lanes lanes, bool again) {
    if constexpr (LinkPollsAgain<L>) {
      if (again) return link_.PollAgain(lanes, dispatcher_);
    }
    return link_.Poll(lanes, dispatcher_);
  }

  L& link_;
  InPlace<L> in_place_;
  Dispatcher dispatcher_;
  Whereabouts whereabouts_;
  Progress& progress_;
  std::atomic<WaitPlan> plan_{};
  static_assert(std::atomic<WaitPlan>::is_always_lock_free);
};

}  // namespace gasnet::am

#endif  // CORE_AM_ENGINE_H_
