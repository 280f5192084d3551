#include "conduits/portals/barrier.h"

#include <bit>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/cpu.h"
#include "base/log.h"
#include "conduits/portals/answers.h"
#include "conduits/portals/inside.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tuning.h"

namespace gasnet::portals_conduit {
namespace {

constexpr size_t kBytes = sizeof(BarrierWords);
static_assert(kBytes == 2 * sizeof(int64_t), "two items of PTL_INT64_T");

uint32_t StepsFor(Rank size) {
  return static_cast<uint32_t>(std::bit_width(size - 1));
}

void Require(int answer, const char* what) {
  if (answer == PTL_OK) [[likely]]
    return;
  Fatal("Portals 4: %s of the barrier failed: %s", what, AnswerText(answer));
}

}  // namespace

bool PortalsBarrier::Fits(const ptl_ni_limits_t& limits, Rank size) {
  const auto steps = static_cast<int>(StepsFor(size));
  // Two phases are set up at once, with two triggered operations in each step.
  // This makes four per step. The check demands eight, because an operation
  // that has run may still hold its slot.
  return limits.max_mds >= kFewDescriptors &&
         limits.max_cts >= static_cast<int>(kSets) * steps &&
         limits.max_triggered_ops >= 8 * steps &&
         limits.max_atomic_size >= kBytes;
}

PortalsBarrier::PortalsBarrier(ConduitInterface& interface, Rank me, Rank size)
    : interface_(interface), me_(me), size_(size), steps_(StepsFor(size)) {}

absl::StatusOr<std::unique_ptr<PortalsBarrier>> PortalsBarrier::Make(
    ConduitInterface& interface, Rank me, Rank size) {
  std::unique_ptr<PortalsBarrier> made(new PortalsBarrier(interface, me, size));
  if (absl::Status status = made->Allocate(); !status.ok()) return status;
  return made;
}

absl::Status PortalsBarrier::Allocate() {
  const absl::Status mapped = memory_.Map(kSets * sizeof(Set));
  if (!mapped.ok()) return mapped;
  sets_ = reinterpret_cast<Set*>(memory_.base());
  for (uint64_t i = 0; i < kSets; ++i) sets_[i].known = kNoVotes;
  if (interface_.Bind(sets_, kSets * sizeof(Set), window_,
                      Descriptor::kQuiet) != BindResult::kYes) {
    return absl::UnavailableError(
        "Portals 4 cannot bind the barrier's descriptor");
  }
  counters_.resize(kSets * steps_);
  for (ptl_handle_ct_t& counter : counters_) {
    const int answer = PtlCTAlloc(interface_.ni(), &counter);
    if (answer != PTL_OK) {
      return absl::UnavailableError(absl::StrCat(
          "Portals 4: PtlCTAlloc of the barrier failed: ", AnswerText(answer)));
    }
  }
  return absl::OkStatus();
}

absl::Status PortalsBarrier::Start(Bell& bell) {
  bell_ = &bell;
  for (uint64_t set = 0; set < kSets; ++set) {
    for (uint32_t step = 0; step < steps_; ++step) {
      const absl::Status status = interface_.Append(
          {.table = PortalTable::kBarrier,
           .start = &sets_[set].known,
           .length = kBytes,
           .options =
               PTL_ME_OP_PUT | PTL_ME_EVENT_COMM_DISABLE | PTL_ME_EVENT_CT_COMM,
           .match_bits = BitsOf(set, step),
           .ignore_bits = 0,
           .counter = &CounterOf(set, step)});
      if (!status.ok()) return status;
    }
  }
  SetUp(1);
  return absl::OkStatus();
}

RemoteTarget PortalsBarrier::Ahead(uint64_t phase, uint32_t step) const {
  const uint64_t peer = (uint64_t{me_} + (uint64_t{1} << step)) % size_;
  return {.peer = static_cast<Rank>(peer),
          .table = PortalTable::kBarrier,
          .match_bits = BitsOf(phase, step)};
}

uint64_t PortalsBarrier::OffsetOf(const BarrierWords& words) const {
  return static_cast<uint64_t>(reinterpret_cast<const std::byte*>(&words) -
                               reinterpret_cast<const std::byte*>(sets_));
}

void PortalsBarrier::SetUp(uint64_t phase) {
  for (uint32_t step = 0; step + 1 < steps_; ++step) {
    const RemoteTarget to = Ahead(phase, step + 1);
    ptl_process_t target = {};
    target.rank = static_cast<ptl_rank_t>(to.peer);
    // Sends the vote before it raises this rank's own counter, because other
    // ranks wait for the vote. When a rank's last counter is complete, all
    // earlier votes of the rank have therefore been sent.
    Require(PtlTriggeredAtomic(
                window_.handle, OffsetOf(SetOf(phase).known), kBytes,
                PTL_ACK_REQ, target, ConduitInterface::IndexOf(to.table),
                to.match_bits, 0, TagRank(to.peer, TagKind::kBarrier), 0,
                PTL_MAX, PTL_INT64_T, CounterOf(phase, step), CountOf(phase)),
            "PtlTriggeredAtomic");
    ptl_ct_event_t one = {};
    one.success = 1;
    Require(PtlTriggeredCTInc(CounterOf(phase, step + 1), one,
                              CounterOf(phase, step), CountOf(phase)),
            "PtlTriggeredCTInc");
  }
}

void PortalsBarrier::SendVote(uint64_t phase, Rank peer) {
  ptl_process_t target = {};
  target.rank = static_cast<ptl_rank_t>(peer);
  Require(PtlAtomic(window_.handle, OffsetOf(SetOf(phase).mine), kBytes,
                    PTL_ACK_REQ, target,
                    ConduitInterface::IndexOf(PortalTable::kBarrier),
                    BitsOf(phase, 0), 0, TagRank(peer, TagKind::kBarrier), 0,
                    PTL_MAX, PTL_INT64_T),
          "PtlAtomic");
}

void PortalsBarrier::Notify(const BarrierVote& mine) {
  const Inside inside;
  const uint64_t phase = ++phase_;
  SetOf(phase).mine = ToWords(mine);
  open_.store(phase, std::memory_order_seq_cst);
  SendVote(phase, Ahead(phase, 0).peer);
  if (steps_ > 1) SendVote(phase, me_);
  SetUp(phase + 1);
  // Result() will clear this set. Without the prefetch it would wait for the
  // set's cache line.
  PrefetchForWrite(&SetOf(phase + kSets - 1).known);
  bell_->RingAwaiting();
}

bool PortalsBarrier::Done() {
  const Inside inside;
  ptl_ct_event_t count = {};
  Require(PtlCTGet(CounterOf(phase_, steps_ - 1), &count), "PtlCTGet");
  if (count.failure > 0) [[unlikely]] {
    Fatal("Portals 4: an operation of the barrier failed at this rank");
  }
  return count.success >= CountOf(phase_);
}

BarrierVote PortalsBarrier::Result() {
  const Inside inside;
  open_.store(kNoPhase, std::memory_order_seq_cst);
  Require(PtlAtomicSync(), "PtlAtomicSync");
  const Set& set = SetOf(phase_);
  const BarrierVote vote = ToVote(Greatest(set.known, set.mine));
  SetOf(phase_ + kSets - 1).known = kNoVotes;
  Require(PtlAtomicSync(), "PtlAtomicSync");
  return vote;
}

void PortalsBarrier::RingWhenDone() {
  const uint64_t phase = open_.load(std::memory_order_seq_cst);
  if (phase == kNoPhase) return;
  bell_->RingAt(CounterOf(phase, steps_ - 1), CountOf(phase));
}

}  // namespace gasnet::portals_conduit
