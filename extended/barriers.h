// The barrier functions (spec 3.5) over one of several implementations.
//
// An implementation combines the votes of all ranks:
//
// - void Notify(BarrierVote mine): starts a phase; does not wait.
// - bool Done(): returns true if all ranks have notified; may remember how
//   far the phase has come.
// - BarrierVote Result(): returns the merge of all votes; valid once Done()
//   has returned true.
//
// One thread at a time calls the implementation, in this order: Notify(),
// Done() until it returns true, Result(). The implementation need not check the
// order. The default is the runtime's own barrier (Runtime::barrier), which
// uses shared memory or a network. If the runtime has none, the default is
// AMDISSEM.
//
// Phases on one rank:
//
//     outside --Notify--> notified --Wait, successful Try--> outside
//
// A second Notify is fatal in a build with checks, and otherwise ignored. Any
// other call out of order is fatal in every build. The client orders the calls,
// so plain variables suffice.
#ifndef EXTENDED_BARRIERS_H_
#define EXTENDED_BARRIERS_H_

#include <cstdint>
#include <optional>

#include "base/log.h"
#include "core/am/progress.h"
#include "core/reference_only.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "core/split_barrier.h"
#include "extended/argument_checks.h"
#include "extended/barrier_calls.h"
#include "extended/barrier_central.h"
#include "extended/barrier_choice.h"
#include "extended/barrier_dissemination.h"
#include "extended/message_barrier.h"

namespace gasnet::extended {

class Barriers final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kBarriers;
  // Returns the barriers of this rank.
  static Barriers& Mine() { return runtime->layer<Barriers>(); }

  // Chooses the implementation. gasnet_attach checks that all ranks have chosen
  // the same one.
  Barriers()
      : kind_(ChooseBarrier(NameOfNative())),
        progress_(runtime->engine().progress().Add(&Advance, this)) {
    runtime->engine().handlers().RegisterInternal(
        kBarrierRequest, am::Lane::kRequest, &OnMessage);
  }

  BarrierKind kind() const { return kind_; }

  // Starts the implementation, before the first barrier of any rank.
  void Start() {
    relaxed_flags_ = RelaxedBarrierFlags();
    const Rank me = runtime->job().rank();
    const Rank size = runtime->job().size();
    switch (kind_) {
      case BarrierKind::kNative:
        barrier_ = runtime->barrier();
        break;
      case BarrierKind::kCentral:
        barrier_ = &central_.emplace(me, size);
        break;
      case BarrierKind::kDissemination:
        barrier_ = &dissemination_.emplace(me, size);
        break;
    }
  }

  void Notify(const BarrierCall& call) {
    if (notified_) [[unlikely]]
      return ReportSecondNotify("gasnet_barrier_notify");
    notified_ = true;
    call_ = call;
    runtime->status().NoteBarrier(++begun_);
    barrier_->Notify(call.vote);
    if (kind_ != BarrierKind::kNative)
      runtime->engine().progress().Activate(progress_);
  }

  // The result of a wait or try on this node.
  enum class Outcome : uint8_t { kNotYet, kMatched, kMismatched };

  Outcome Wait(const BarrierCall& call) {
    RequireNotified("gasnet_barrier_wait");
    runtime->engine().WaitUntil([this] { return IsDone(); },
                                [this] { return Reason(); });
    return Complete(call);
  }

  Outcome Try(const BarrierCall& call) {
    RequireNotified("gasnet_barrier_try");
    runtime->engine().PollOrYield();
    return IsDone() ? Complete(call) : Outcome::kNotYet;
  }

  // Returns true if the flags of a wait or try may differ from those of its
  // notify. Valid from Start() on.
  bool HasRelaxedFlags() const { return relaxed_flags_; }

  // Returns true if this rank has called notify, but not yet the wait or try
  // that ends the phase.
  bool IsOpen() const { return notified_; }

  // Returns the name (id) of the last complete phase, or nothing if that phase
  // had no name. Also returns nothing before the first phase and after a
  // mismatch.
  std::optional<int> LastName() const {
    if (!last_.named || last_.mismatch) return std::nullopt;
    return last_.id;
  }

 private:
  // Returns the name of the runtime's own barrier, or null if there is none.
  static const char* NameOfNative() {
    if (IsReferenceOnly() || runtime->barrier() == nullptr) return nullptr;
    return runtime->barrier()->name();
  }

  bool IsDone() { return barrier_->Done(); }
  observe::Waiting Reason() const {
    return {.what = observe::WaitFor::kBarrier, .first = begun_};
  }

  // Advances a barrier by active message as far as possible. It is a progress
  // function.
  static void Advance(void* self) {
    auto& mine = *static_cast<Barriers*>(self);
    if (mine.kind_ == BarrierKind::kCentral) {
      mine.central_->Advance();
    } else {
      mine.dissemination_->Advance();
    }
  }

  void RequireNotified(const char* call) const {
    if (!notified_) {
      Fatal("%s called without a gasnet_barrier_notify before it", call);
    }
  }

  Outcome Complete(const BarrierCall& call) {
    if (kind_ != BarrierKind::kNative) {
      runtime->engine().progress().Deactivate(progress_);
    }
    notified_ = false;
    last_ = barrier_->Result();
    return Matches(call, call_, last_, relaxed_flags_) ? Outcome::kMatched
                                                       : Outcome::kMismatched;
  }

  static void OnMessage(void* token, int32_t phase, int32_t step, int32_t named,
                        int32_t mismatch, int32_t id) {
    const BarrierMessage message = {
        .peer = static_cast<const am::Token*>(token)->source,
        .phase = static_cast<uint32_t>(phase),
        .step = static_cast<uint32_t>(step),
        .vote = {named != 0, mismatch != 0, id}};
    Mine().Receive(message);
  }
  void Receive(const BarrierMessage& message) {
    if (kind_ == BarrierKind::kCentral) {
      central_->Receive(message);
    } else {
      dissemination_->Receive(message);
    }
  }

  const BarrierKind kind_;
  const am::Progress::Id progress_;
  // Points to central_, dissemination_ or the runtime's own barrier.
  SplitBarrier* barrier_ = nullptr;
  std::optional<MessageBarrier<CentralBarrier>> central_;
  std::optional<MessageBarrier<DisseminationBarrier>> dissemination_;

  bool notified_ = false;
  uint32_t begun_ = 0;          // number of phases begun
  BarrierCall call_;            // the arguments of the last notify
  bool relaxed_flags_ = false;  // constant from Start on
  BarrierVote last_;            // the merged votes of the last complete phase
};

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIERS_H_
