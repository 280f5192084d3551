// AMDISSEM: the dissemination barrier of Mellor-Crummey and Scott, as a state
// machine without a transport.
//
// It takes ceil(log2 N) steps. At step i rank r sends all votes known to it to
// rank (r + 2^i) mod N. It waits for the votes known to rank (r - 2^i) mod N,
// and merges them. After step i a rank knows the votes of 2^(i+1) ranks; after
// the last step it knows all votes. Some votes are merged twice, which does no
// harm.
//
// One thread at a time calls Notify, Next, Done and Result. Any number of other
// threads may call Receive at the same time.
#ifndef EXTENDED_BARRIER_DISSEMINATION_H_
#define EXTENDED_BARRIER_DISSEMINATION_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "extended/barrier_message.h"

namespace gasnet::extended {

class DisseminationBarrier {
 public:
  static constexpr const char* kName = "AMDISSEM";

  DisseminationBarrier(Rank me, Rank size)
      : me_(me), size_(size), steps_(std::bit_width(size - 1)), step_(steps_) {}

  // Starts the next phase.
  void Notify(const BarrierVote& mine) {
    vote_ = mine;
    step_ = 0;
    sent_ = false;
    phase_.fetch_add(1, std::memory_order_release);
  }

  // Advances as far as possible. Returns true if it has set `message` to a
  // message to send.
  bool Next(BarrierMessage& message) {
    const uint32_t now = phase();
    while (!Done()) {
      if (!sent_) {
        sent_ = true;
        message = {Ahead(step_), now, step_, vote_};
        return true;
      }
      const BarrierVote* const theirs = arrivals_[now & 1][step_].Get(now);
      if (theirs == nullptr) return false;
      vote_ = Merge(vote_, *theirs);
      ++step_;
      sent_ = false;
    }
    return false;
  }

  bool Done() const { return step_ == steps_; }
  BarrierVote Result() const { return vote_; }
  uint32_t phase() const { return phase_.load(std::memory_order_acquire); }

  // Receives a message. Returns false if it is invalid.
  bool Receive(const BarrierMessage& message) {
    if (message.step >= steps_ || message.peer != Behind(message.step) ||
        !IsNear(message.phase, phase()))
      return false;
    return arrivals_[message.phase & 1][message.step].Put(message.phase,
                                                          message.vote);
  }

 private:
  static constexpr uint32_t kMaxSteps = 32;

  Rank Ahead(uint32_t step) const {
    return static_cast<Rank>((uint64_t{me_} + (uint64_t{1} << step)) % size_);
  }
  Rank Behind(uint32_t step) const {
    return static_cast<Rank>((uint64_t{me_} + size_ - (uint64_t{1} << step)) %
                             size_);
  }

  const Rank me_;
  const Rank size_;
  const uint32_t steps_;

  std::atomic<uint32_t> phase_{0};
  uint32_t step_;
  bool sent_ = false;  // true if this step's message was sent
  BarrierVote vote_;
  // The arrived votes, one for each step, for two phases. Phases use the two
  // elements in turn, since other ranks may be a phase ahead. When phase k+2
  // begins, the element of phase k is free: a handler accepts a message of
  // phase k+2 only after it has seen (acquire) this rank's notify of k+1
  // (release). This rank has then read the messages of phase k.
  std::array<std::array<BarrierArrival, kMaxSteps>, 2> arrivals_;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_DISSEMINATION_H_
