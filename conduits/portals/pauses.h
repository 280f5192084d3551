// Keeps requests and payloads of Longs that their targets have refused, until
// the targets accept again.
//
//   accepts --refusal: the target is notified--> paused --kResume--> accepts
//                                              ^ |
//                                              `-' further refusals
//
// Only the refused sender notifies the target, once. It sends nothing to this
// target until it may continue. No other rank learns of the refusal. A refused
// message was not delivered, so sending it again delivers it once. If a refusal
// is seen only after the target accepts again, another pause begins. The target
// ends this pause at once. The pause of a peer that is given up on never ends.
//
// Thread-safe. States are written under the lock. They are read without the
// lock, relaxed: a sender that sees a pause late is refused once more. If a
// thread must see that a peer is given up on, it has acquired this state
// through a slot (request_slot.h).
#ifndef CONDUITS_PORTALS_PAUSES_H_
#define CONDUITS_PORTALS_PAUSES_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/rank.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

class Pauses {
 public:
  explicit Pauses(Rank ranks)
      : peers_(std::make_unique<Peer[]>(ranks)), refused_(ranks) {}

  bool IsPaused(Rank peer) const {
    return peers_[peer].paused.load(std::memory_order_relaxed);
  }

  // Records the refusal, and keeps the operation. Returns true if the caller
  // must notify the peer.
  bool Refused(Rank peer, void* operation) {
    const thread::Holder hold(lock_);
    Peer& refuser = peers_[peer];
    refused_[peer].push_back(operation);
    return !refuser.paused.exchange(true, std::memory_order_relaxed);
  }

  // Ends the pause. Returns the operations that the caller must send again.
  std::vector<void*> Resume(Rank peer) {
    const thread::Holder hold(lock_);
    if (IsClosed(peer)) return {};
    peers_[peer].paused.store(false, std::memory_order_relaxed);
    return std::exchange(refused_[peer], {});
  }

  // Gives up on the peer. Returns the operations that were kept. They are not
  // sent again.
  std::vector<void*> Close(Rank peer) {
    const thread::Holder hold(lock_);
    Peer& refuser = peers_[peer];
    refuser.closed.store(true, std::memory_order_relaxed);
    refuser.paused.store(true, std::memory_order_relaxed);
    return std::exchange(refused_[peer], {});
  }
  bool IsClosed(Rank peer) const {
    return peers_[peer].closed.load(std::memory_order_relaxed);
  }

 private:
  struct Peer {
    std::atomic<bool> paused{false};
    std::atomic<bool> closed{false};
  };

  const std::unique_ptr<Peer[]> peers_;
  thread::SpinLock lock_;
  std::vector<std::vector<void*>> refused_
      ABSL_GUARDED_BY(lock_);  // indexed by peer
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_PAUSES_H_
