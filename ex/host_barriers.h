// Barriers of the team of all processes as events, if all ranks share memory.
//
// The record of a barrier is in one of a few slots. A slot is free once the
// event of its last barrier is synced. If the barrier's slot is not free, the
// record is allocated. A thread may begin a barrier while other threads sync
// earlier ones. The former thread reads, with acquire order, that the slot is
// free. So the thread that synced the slot's last event has finished with the
// slot.
#ifndef EX_HOST_BARRIERS_H_
#define EX_HOST_BARRIERS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/hostshm/arrivals.h"
#include "core/observe/status_board.h"
#include "extended/operation.h"
#include "gasnet/ex_types.h"

namespace gasnet::ex {

class HostBarriers {
 public:
  // status: the board on which this rank publishes how many barriers it has
  // begun.
  HostBarriers(hostshm::Arrivals& arrivals, observe::StatusBoard& status)
      : arrivals_(arrivals), begun_(status.AddTeam(job::kBarriersOfAll)) {}

  // Arrives at the next barrier. Returns GEX_EVENT_INVALID if the barrier is
  // already complete. Called by one thread at a time.
  gex_Event_t Begin() {
    const auto [number, is_complete] = arrivals_.Arrive();
    begun_.NoteBegun(static_cast<uint32_t>(number + 1));
    if (is_complete) return GEX_EVENT_INVALID;
    Slot& slot = slots_[number % kSlots];
    if (slot.is_used.load(std::memory_order_acquire)) {
      return extended::ToHandle(*new Begun(arrivals_, number, nullptr));
    }
    slot.is_used.store(true, std::memory_order_relaxed);
    return extended::ToHandle(slot.begun.emplace(arrivals_, number, &slot));
  }

 private:
  struct Slot;

  class Begun final : public extended::Foreign {
   public:
    // slot: the record's slot, or null if the record is allocated.
    Begun(const hostshm::Arrivals& arrivals, uint64_t number, Slot* slot)
        : arrivals_(arrivals), number_(number), slot_(slot) {}

    bool IsOver() const override {
      return arrivals_.IsComplete(number_, seen_);
    }
    observe::Waiting Reason() const override {
      return {.what = observe::WaitFor::kCollective,
              .first = job::kBarriersOfAll,
              .second = number_ + 1};
    }
    void Release() override {
      Slot* const slot = slot_;
      if (slot == nullptr) {
        delete this;
      } else {
        slot->begun.reset();
        slot->is_used.store(false, std::memory_order_release);
      }
    }

   private:
    const hostshm::Arrivals& arrivals_;
    const uint64_t number_;
    Slot* const slot_;
    mutable std::atomic<uint32_t> seen_{0};
  };

  struct Slot {
    std::atomic<bool> is_used{false};
    std::optional<Begun> begun;
  };

  static constexpr size_t kSlots = 2;

  hostshm::Arrivals& arrivals_;
  observe::StatusBoard::Team begun_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace gasnet::ex

#endif  // EX_HOST_BARRIERS_H_
