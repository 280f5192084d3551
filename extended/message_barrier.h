// A barrier by active message: a state machine (barrier_dissemination.h,
// barrier_central.h) with the engine under it.
//
// Handlers only note what has arrived. Steps are taken, and requests sent, by
// main-line code: by the thread in a barrier function, and by any thread that
// polls, so that a rank that has notified and serves the network holds nobody
// up. The lock keeps those apart; it is never held while sending.
#ifndef EXTENDED_MESSAGE_BARRIER_H_
#define EXTENDED_MESSAGE_BARRIER_H_

#include <array>
#include <cstdint>

#include "base/log.h"
#include "core/conduit.h"
#include "core/thread/spin_lock.h"
#include "extended/barrier_message.h"
#include "extended/handler_indices.h"
#include "extended/wire.h"

namespace gasnet::extended {

template <Conduit C, class StateMachine>
class MessageBarrier {
 public:
  MessageBarrier(Rank me, Rank size) : state_(me, size) {}

  void Notify(const BarrierVote& mine) {
    {
      const thread::SpinLockHolder lock(lock_);
      state_.Notify(mine);
    }
    Done();
  }

  // Whether all ranks have notified. Takes the steps that can be taken.
  bool Done() {
    BarrierMessage message;
    bool done = false;
    while (Next(message, done)) Send(message);
    return done;
  }

  // Valid once Done.
  BarrierVote Result() {
    const thread::SpinLockHolder lock(lock_);
    return state_.Result();
  }

  // Runs in a handler.
  void Receive(const BarrierMessage& message) {
    if (state_.Receive(message)) [[likely]]
      return;
    Fatal(
        "rank %u sent step %u of barrier %u, which cannot come now (%s, this "
        "rank is in barrier %u); its memory or the network is corrupted",
        message.peer, message.step, message.phase, StateMachine::kName,
        state_.phase());
  }

 private:
  bool Next(BarrierMessage& message, bool& done) {
    const thread::SpinLockHolder lock(lock_);
    const bool more = state_.Next(message);
    done = state_.Done();
    return more;
  }

  static void Send(const BarrierMessage& message) {
    const BarrierVote& vote = message.vote;
    const std::array args = {
        static_cast<int32_t>(message.phase), static_cast<int32_t>(message.step),
        int32_t{vote.named}, int32_t{vote.mismatch}, vote.id};
    C::engine().Request(message.peer, Short(kBarrierRequest, args));
  }

  StateMachine state_;
  thread::SpinLock lock_;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_MESSAGE_BARRIER_H_
