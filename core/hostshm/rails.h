// The rails of a link: the existing rails, the rail that each thread sends on,
// and the threads that poll each rail.
//
// A link begins with one rail. If a thread finds another thread sending on its
// rail, it moves to a new rail and keeps it: its requests leave on this rail,
// and a reply comes back on the rail of its request. Both ends of a rail have
// the same number. The peer creates its end when a message on the first rail
// introduces the rail (HostLink::Introduce). A pair of ranks without concurrent
// senders has one rail.
//
// A thread polls its own rail and the rails that it serves. It serves rails
// that belong to no other thread, or to threads that compute. Each rail counts
// its polls. A thread compares the counts now and then, and serves a rail whose
// count has not changed since its last comparison. If the owner polls its rail
// again, it takes the rail back. Taking and serving a rail store the same word,
// and the last store counts. It is harmless if two threads poll a rail, or none
// for a while.
//
// No message stays unserved. A waiting thread polls all rails after it has
// armed its doorbell, before it sleeps. A thread that does not sleep compares
// the counts. If a thread takes only replies (to send a reply, or at the end of
// a job), it takes those of all rails, since perhaps no other thread does.
//
// If the rank has one thread, rails cost one load. Without rails, that load
// would be of the number of ranks (HostLink::IsPlain).
#ifndef CORE_HOSTSHM_RAILS_H_
#define CORE_HOSTSHM_RAILS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/rail.h"
#include "core/hostshm/tuning.h"
#include "core/thread/rail_use.h"
#include "core/thread/thread_state.h"

namespace gasnet::hostshm {

// The provider of the memory of rails.
class RailSource {
 public:
  // Returns the memory of the rail's rings, initially zero, in the layout of
  // the first rail. The memory stays mapped as long as the source lives. rail:
  // from 1 to kMaxRails - 1. Any thread.
  virtual absl::StatusOr<unsigned char*> RailMemory(unsigned rail) = 0;

 protected:
  ~RailSource() = default;
};

// Returns the number of rails for a rank's threads: GASNET_HOST_RAILS, or the
// number of processors in the rank's share of the host. More rails would gain
// nothing.
unsigned RailsToUse(unsigned host_cpus, unsigned host_ranks);

class Rails {
 public:
  using Mask = uint32_t;

  // Starts the set of rails. first: the initial rail of the link.
  void Init(Rail& first, const Layout& layout, uint32_t host_rank);
  // Lets peers introduce rails. Called before any peer introduces a rail, while
  // other threads may already poll.
  void SetSource(RailSource& source) {
    source_.store(&source, std::memory_order_release);
  }
  // Lets this rank's threads use `most` rails. Called once all peers have a
  // source.
  void Allow(unsigned most) { most_.store(most, std::memory_order_relaxed); }

  // Returns the set of existing rails, one bit each. Rails are never removed.
  Mask made() const { return made_.load(std::memory_order_acquire); }
  bool IsOne() const { return made() == 1; }
  // Returns the existing rail of this index.
  Rail& at(unsigned index) const { return *all_[index]; }

  // Makes a rail unless it exists. Any thread.
  absl::Status Make(unsigned index);
  // Returns true if peers may introduce the rail of this index.
  bool MayHave(uint64_t index) const {
    return source_.load(std::memory_order_acquire) != nullptr && index > 0 &&
           index < thread::kMaxRails;
  }

  // Returns the rail that the thread sends requests on. The thread's record may
  // hold a number from an earlier job, so the number is checked.
  unsigned OwnOf(const thread::RailUse& use) const {
    return use.own < most_.load(std::memory_order_relaxed) && Has(use.own)
               ? use.own
               : 0;
  }
  unsigned OfReply(const thread::RailUse& use) const {
    return Has(use.reply) ? use.reply : 0;
  }
  // Moves the thread to another rail if it may move. Called by a thread that
  // has found another thread on its rail. Returns true if this call has moved
  // it.
  bool Move(thread::ThreadState& self);

  // Returns the rails that the thread polls now, and counts the poll on each.
  Mask ToLookAt(thread::ThreadState& self);
  // Like ToLookAt(), for a poll of all lanes. Returns all rails once after
  // PollAllNext().
  Mask ToPoll(thread::ThreadState& self) {
    if (!self.rails.polls_all) return ToLookAt(self);
    self.rails.polls_all = false;
    return made();
  }
  // Makes the calling thread's next poll look at all rails. Called for a poll
  // after Arm.
  static void PollAllNext() { thread::Self().rails.polls_all = true; }
  // Returns a number that changes when a thread takes messages (GASNET_PAR).
  // With several rails, it also changes when a thread looks for messages.
  uint32_t PollCount() const;
  static void NoteIdlePoll(thread::ThreadState& self) {
    self.rails.looks += kPollsOfAnIdleOne - 1;
  }
  // Makes the thread serve a rail.
  void Serve(thread::ThreadState& self, unsigned index);

 private:
  bool Has(unsigned index) const { return (made() >> index & 1) != 0; }
  // Returns the name of a thread. It is never 0.
  static uint32_t NameOf(const thread::ThreadState& self) {
    return self.index + 1;
  }
  void ServeUnpolled(thread::ThreadState& self);

  Layout layout_{1};
  uint32_t me_ = 0;
  std::atomic<RailSource*> source_{nullptr};
  std::atomic<unsigned> most_{1};
  std::atomic<bool> has_memory_{true};
  std::atomic<Mask> made_{1};
  std::array<Rail*, thread::kMaxRails> all_{};
  std::atomic<uint32_t> moves_{0};
  absl::Mutex making_;
  std::array<std::unique_ptr<Rail>, thread::kMaxRails> own_
      ABSL_GUARDED_BY(making_);
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_RAILS_H_
