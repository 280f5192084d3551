// A barrier by active message: a state machine (barrier_dissemination.h,
// barrier_central.h) that sends through the engine.
//
// Handlers only record messages that have arrived. Code outside handlers takes
// the barrier's steps and sends the requests. This code runs in the thread that
// notifies and, as a progress function, in any thread that waits or polls. So a
// rank that has notified and serves the network delays no other rank. A lock
// protects the state machine. No thread holds the lock while sending.
#ifndef EXTENDED_MESSAGE_BARRIER_H_
#define EXTENDED_MESSAGE_BARRIER_H_

#include <array>
#include <cstdint>

#include "base/log.h"
#include "core/runtime/runtime.h"
#include "core/split_barrier.h"
#include "core/thread/spin_lock.h"
#include "extended/barrier_message.h"
#include "extended/handler_indices.h"
#include "extended/wire.h"

namespace gasnet::extended {

template <class StateMachine>
class MessageBarrier final : public SplitBarrier {
 public:
  MessageBarrier(Rank me, Rank size) : state_(me, size) {}

  const char* name() const override { return StateMachine::kName; }

  void Notify(const BarrierVote& mine) override {
    {
      const thread::Holder lock(lock_);
      state_.Notify(mine);
    }
    Advance();
  }

  // Takes all steps of the barrier that are possible now.
  void Advance() {
    BarrierMessage message;
    while (Next(message)) Send(message);
  }

  // Returns true if the steps taken so far have completed the barrier.
  bool Done() override {
    const thread::Holder lock(lock_);
    return state_.Done();
  }

  BarrierVote Result() override {
    const thread::Holder lock(lock_);
    return state_.Result();
  }

  // Records a message that has arrived. Called by handlers.
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
  bool Next(BarrierMessage& message) {
    const thread::Holder lock(lock_);
    return state_.Next(message);
  }

  static void Send(const BarrierMessage& message) {
    const BarrierVote& vote = message.vote;
    const std::array args = {
        static_cast<int32_t>(message.phase), static_cast<int32_t>(message.step),
        int32_t{vote.named}, int32_t{vote.mismatch}, vote.id};
    runtime->engine().Request(message.peer, Short(kBarrierRequest, args));
  }

  StateMachine state_;
  thread::SpinLock lock_;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_MESSAGE_BARRIER_H_
