// Writes the status page of this rank (job/status/status_page.h), for users who
// want to know why the job does not progress.
//
// Counts of barriers and collectives cost nothing, and are always written. A
// wait is written when its thread is about to sleep, or has polled for a while
// without success. It is removed when it ends. Waits of a thread end in the
// opposite order of their beginnings, so the last slot of a thread holds its
// innermost wait.
//
// Any thread may call, unless noted. A slot belongs to the thread whose number
// is in it, until that thread removes the number.
#ifndef CORE_OBSERVE_STATUS_BOARD_H_
#define CORE_OBSERVE_STATUS_BOARD_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "job/status/status_page.h"

namespace gasnet::observe {

using job::WaitFor;
using job::Waiting;

// The longest wait of the network for a peer or a resource. Users see it in the
// status of the job.
struct NetworkWait {
  int64_t since = 0;  // Monotonic clock. 0: the network waits for nothing.
  uint32_t peer = job::kNobody;
  // In a few words. Printable ASCII. The end of a text of more than
  // NetworkSlot::kTextBytes - 1 bytes is lost.
  std::string text;
};

class StatusBoard {
 public:
  StatusBoard() = default;
  ~StatusBoard() { Leave(); }
  StatusBoard(const StatusBoard&) = delete;
  StatusBoard& operator=(const StatusBoard&) = delete;

  // Takes the page, and clears data of an earlier runtime. Called once, before
  // all other functions. Until then nothing is written.
  void Join(job::StatusPage& page);
  // Stops writing to the page. Called when no thread uses the board any more.
  void Leave();

  // Records that this rank begins the barrier of this number, counted from 1.
  // One thread at a time.
  void NoteBarrier(uint32_t number) {
    if (page_ != nullptr) page_->barriers.store(number, kRelaxed);
  }

  // The number of collectives that have begun on a team. Like the team itself,
  // it is used by one thread at a time.
  class Team {
   public:
    void NoteBegun(uint32_t count) {
      if (begun_ != nullptr) begun_->store(count, kRelaxed);
    }

   private:
    friend class StatusBoard;
    std::atomic<uint64_t>* name_ = nullptr;
    std::atomic<uint32_t>* begun_ = nullptr;
  };
  // Adds a team, if the page has room for it. name: the same on all members,
  // and unique in the job.
  Team AddTeam(uint64_t name);
  static void RemoveTeam(Team& team);

  // BeginWait() records a wait of the calling thread. EndWait() removes the
  // thread's last recorded wait.
  void BeginWait(const Waiting& waiting);
  void EndWait();

  // Sets the function that returns the network's wait. Called while nothing
  // polls; with null, once the network is about to end.
  using DescribeNetwork = std::function<NetworkWait()>;
  void SetNetwork(DescribeNetwork describe) {
    describe_network_ = std::move(describe);
  }

  // NoteAsked() records that the launcher asks whether this rank still polls.
  // NotePolled() records the next poll as the answer, and the network's
  // wait.
  void NoteAsked();
  void NotePolled();

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  job::WaitSlot* TakeSlot(int32_t thread);
  void WriteNetwork(const NetworkWait& wait);

  job::StatusPage* page_ = nullptr;
  // The number of the wait in each slot, counted from 1. The last wait of a
  // thread has the highest number of the thread's waits.
  std::array<std::atomic<uint64_t>, job::StatusPage::kWaits> numbers_{};
  std::atomic<uint64_t> last_number_{0};
  DescribeNetwork describe_network_;
  // True while a thread writes the network's wait.
  std::atomic<bool> describes_{false};
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_STATUS_BOARD_H_
