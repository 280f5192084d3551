// The wait of a thread that has nothing to do, as a sequence of idle steps. The
// thread spins, then looks and yields the processor in turn, then sleeps until
// an event. The phases depend on the wait mode (spec 3.6.2.1), on the clock,
// and on whether the host has more ranks than processors. They also depend on
// the threads with which this one shares its processor (processor.h):
//
//     none              yields cost nothing; looks until kLookFor is over
//     another rank      moves to another processor
//     another program   sleeps after the spin: a woken thread runs before
//                       that program, so this rank and its peer run at the
//                       same time
//     a crowd of ranks  yields from the first step on
//
// A thread that has slept without an event sleeps again right after the spin:
// on a link without a wake-up, only the clock ends each sleep.
//
// A client's own wait (GASNET_BLOCKUNTIL) may depend on memory that a peer puts
// to. A put wakes no thread, so this kind of wait naps: it sleeps for a limited
// time, looks, and naps again. A nap takes a fraction of the wait's duration,
// within limits (tuning.h). So the delay is small compared with the wait.
//
// gasneti_wait_t has the same representation as a Wait, since GASNET_BLOCKUNTIL
// expands in the client. A wait of all zero bits has not begun.
#ifndef CORE_AM_WAIT_H_
#define CORE_AM_WAIT_H_

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "base/cpu.h"
#include "core/am/tuning.h"

namespace gasnet::am {

enum class WaitMode : uint8_t { kSpin, kBlock, kSpinBlock };

// The changes that can end a wait. kEvents: only changes that wake a thread
// that sleeps on the link. kAnything: also changes that wake no thread.
enum class EndedBy : uint8_t { kEvents, kAnything };

// The mode of a wait. `crowded` is true if this host runs more ranks than it
// has processors for. Aligned, so that plain instructions read and write both
// members at once.
struct alignas(2) WaitPlan {
  WaitMode mode = WaitMode::kSpin;
  bool crowded = false;
};

class Wait {
 public:
  // Returns true if no step was done since the start or since the last
  // Progress().
  bool IsNew() const { return looks_ == 0 && armed_ == 0; }

  // Does one idle step. Between any two steps the caller checks its condition,
  // polls, and calls Progress() if the poll found something to do.
  template <class Link, class Processor>
  void Idle(Link& link, WaitPlan plan, Processor& processor,
            EndedBy ended_by = EndedBy::kEvents) {
    if (armed_ != 0) {
      Sleep(link, plan, processor, ended_by);
    } else if (IsTimeToThink(plan)) {
      Think(link, plan, processor);
    } else {
      Spin();
    }
  }

  // Returns true if the last step was a spin. The caller then looked only a
  // moment ago.
  bool HasSpun() const { return spun_ != 0; }

  // Returns true if serving the network in this step found nothing to do, so
  // that the next step is idle.
  bool FoundNothing() const { return idle_ != 0; }
  void NoteNothing() { idle_ = 1; }

  // Returns true if the wait has become long and its reason should be
  // published. The caller then calls SetTold.
  bool IsToTell() const { return to_tell_ != 0; }
  void SetTold() {
    told_ = 1;
    to_tell_ = 0;
  }
  // Returns true if the wait was published. Then its end must be published too.
  bool IsTold() const { return told_ != 0; }

  // Starts the wait over after an event. Also called at the end of a wait.
  template <class Link>
  void Progress(Link& link) {
    if (armed_ != 0) link.Disarm();
    const uint32_t told = told_;
    *this = Wait{};
    told_ = told;
  }

 private:
  // A tick is 2^kTickShift nanoseconds of the clock. 26 bits count the ticks of
  // about a minute.
  static constexpr int kTickShift = 10;
  static constexpr uint32_t kTickMask = (1u << 26) - 1;
  // The length of a wait at which its naps reach kMaxNap.
  static constexpr int64_t kNapsGrow = kShareOfWait * kMaxNap;
  static_assert(kNapsGrow >> kTickShift < kTickMask / 2);

  bool IsTimeToThink(WaitPlan plan) const {
    if (plan.mode == WaitMode::kBlock) return true;
    if (plan.crowded) return looks_ % kLooksPerYield == 0;
    return looks_ % kLooksPerClock == kLooksPerClock - 1;
  }

  void Spin() {
    CpuRelax();
    ++looks_;
    spun_ = 1;
  }

  template <class Link, class Processor>
  [[gnu::noinline]] void Think(Link& link, WaitPlan plan,
                               Processor& processor) {
    if (plan.mode == WaitMode::kBlock) return Arm(link);
    const int64_t now = processor.Look(/*first=*/began_ == 0);
    const int64_t waited = Waited(now);
    // A wait in mode kSpin never calls Arm(), which publishes all other waits.
    if (plan.mode == WaitMode::kSpin && waited >= kLookFor) Tell();
    if (plan.crowded) {
      if (plan.mode == WaitMode::kSpin) return Spin();
      if (slept_ != 0 || waited >= kLookInCrowdFor) return Arm(link);
    } else {
      if (waited < kSpinFor) return Spin();
      if (processor.Part(now)) return Yielded();
      if (plan.mode == WaitMode::kSpin) return Spin();
      const bool enough = slept_ != 0 || waited >= kLookFor;
      if (enough || processor.IsBusy(now)) return Arm(link);
    }
    processor.Yield();
    if (!plan.crowded) processor.Look(/*first=*/false);
    Yielded();
  }

  // Returns the nanoseconds since this wait first called Waited().
  int64_t Waited(int64_t now) {
    if (began_ == 0) began_ = TickOf(now);
    return int64_t{(TickOf(now) - began_) & kTickMask} << kTickShift;
  }

  // Returns the clock's ticks at `now`. The result is never 0, since 0 means
  // that the clock was not read.
  static uint32_t TickOf(int64_t now) {
    const auto tick = static_cast<uint32_t>(now >> kTickShift) & kTickMask;
    return tick != 0 ? tick : 1;
  }

  // Returns the limit of the next sleep in nanoseconds.
  int64_t NextNap(WaitPlan plan, int64_t now) {
    const int64_t waited = Waited(now);
    // Prevents wrap-around of the ticks.
    if (waited > kNapsGrow) began_ = TickOf(now - kNapsGrow);
    return std::clamp(waited / kShareOfWait,
                      plan.crowded ? kMinNapInCrowd : kMinNap, kMaxNap);
  }

  // Records a yield, during which other threads may have run.
  void Yielded() {
    ++looks_;
    spun_ = 0;
  }

  template <class Link>
  void Arm(Link& link) {
    epoch_ = link.Arm();
    armed_ = 1;
    spun_ = 0;
    Tell();
  }
  void Tell() { to_tell_ = told_ ^ 1; }

  template <class Link, class Processor>
  void Sleep(Link& link, WaitPlan plan, Processor& processor,
             EndedBy ended_by) {
    const bool naps = ended_by == EndedBy::kAnything;
    const int64_t longest = naps ? NextNap(plan, processor.Now()) : kNever;
    processor.ReportAsleep();
    const bool is_armed = link.Sleep(epoch_, longest);
    processor.ReportHere();
    if (naps && is_armed) return;
    // The kernel may have moved this thread to the processor of the thread that
    // woke it. So this thread moves away.
    if (plan.mode != WaitMode::kBlock && !plan.crowded) {
      processor.Part(processor.Look(/*first=*/true));
    }
    const uint32_t began = naps ? began_ : 0;
    Progress(link);
    slept_ = 1;
    began_ = began;
  }

  uint32_t looks_ = 0;  // steps other than sleeps
  uint32_t epoch_ = 0;  // valid while armed
  // The clock's ticks when this wait first read the clock; 0 before.
  uint32_t began_ : 26 = 0;
  uint32_t to_tell_ : 1 = 0;  // wait is long and not published yet
  uint32_t told_ : 1 = 0;
  uint32_t idle_ : 1 = 0;
  uint32_t slept_ : 1 = 0;  // has slept without an event since it began
  uint32_t armed_ : 1 = 0;
  uint32_t spun_ : 1 = 0;
};

}  // namespace gasnet::am

#endif  // CORE_AM_WAIT_H_
