// AMCENTRAL: a barrier in which rank 0 collects the votes, and notifies all
// other ranks when it has every vote. The class is a state machine without a
// transport.
//
// The barrier is simple, but slow with many ranks: with N ranks, rank 0
// receives and sends N - 1 messages.
//
// One thread at a time calls Notify, Next, Done and Result. Any number of other
// threads may call Receive at the same time.
#ifndef EXTENDED_BARRIER_CENTRAL_H_
#define EXTENDED_BARRIER_CENTRAL_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "core/thread/spin_lock.h"
#include "extended/barrier_message.h"

namespace gasnet::extended {

class CentralBarrier {
 public:
  static constexpr const char* kName = "AMCENTRAL";

  CentralBarrier(Rank me, Rank size) : me_(me), size_(size), done_(true) {}

  // Starts the next phase.
  void Notify(const BarrierVote& mine) {
    vote_ = mine;
    done_ = size_ == 1;
    sent_ = false;
    told_ = 0;
    phase_.fetch_add(1, std::memory_order_release);
  }

  // Advances as far as possible. Returns true if it has set `message` to a
  // message to send.
  bool Next(BarrierMessage& message) {
    if (done_) return false;
    return me_ == kCenter ? NextAtCenter(message) : NextElsewhere(message);
  }

  bool Done() const { return done_; }
  BarrierVote Result() const { return vote_; }
  uint32_t phase() const { return phase_.load(std::memory_order_acquire); }

  // Receives a message. Returns false if it is invalid.
  bool Receive(const BarrierMessage& message) {
    if (me_ == kCenter) {
      return message.peer != kCenter && message.step == kVote &&
             tally_.Add(message.phase, message.vote, size_ - 1);
    }
    return message.peer == kCenter && message.step == kResult &&
           message.phase == phase() && result_.Put(message.phase, message.vote);
  }

 private:
  static constexpr Rank kCenter = 0;
  // The values of BarrierMessage::step.
  static constexpr uint32_t kVote = 0;
  static constexpr uint32_t kResult = 1;

  // The votes of the other ranks in the next phase to complete. Handlers add
  // votes. One tally is enough: a rank votes again only after it has the last
  // result, and rank 0 takes the votes before it sends the result.
  class Tally {
   public:
    bool Add(uint32_t phase, const BarrierVote& vote, Rank others) {
      const thread::Holder lock(lock_);
      if (phase != phase_ || count_ == others) return false;
      merged_ = count_ == 0 ? vote : Merge(merged_, vote);
      ++count_;
      return true;
    }
    bool Take(Rank others, BarrierVote& merged) {
      const thread::Holder lock(lock_);
      if (count_ != others) return false;
      merged = merged_;
      count_ = 0;
      ++phase_;
      return true;
    }

   private:
    thread::SpinLock lock_;
    uint32_t phase_ ABSL_GUARDED_BY(lock_) = 1;
    Rank count_ ABSL_GUARDED_BY(lock_) = 0;
    BarrierVote merged_ ABSL_GUARDED_BY(lock_);
  };

  bool NextAtCenter(BarrierMessage& message) {
    BarrierVote others;
    if (told_ == 0) {
      if (!tally_.Take(size_ - 1, others)) return false;
      vote_ = Merge(vote_, others);
    }
    ++told_;
    done_ = told_ == size_ - 1;
    message = {told_, phase(), kResult, vote_};
    return true;
  }

  bool NextElsewhere(BarrierMessage& message) {
    if (!sent_) {
      sent_ = true;
      message = {kCenter, phase(), kVote, vote_};
      return true;
    }
    if (const auto* const result = result_.Get(phase())) {
      vote_ = *result;
      done_ = true;
    }
    return false;
  }

  const Rank me_;
  const Rank size_;

  std::atomic<uint32_t> phase_{0};
  bool done_;
  bool sent_ = false;  // this rank has sent its vote to rank 0
  Rank told_ = 0;  // on rank 0: the number of ranks that were sent the result
  BarrierVote vote_;
  Tally tally_;            // used on rank 0
  BarrierArrival result_;  // used on other ranks
};

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CENTRAL_H_
