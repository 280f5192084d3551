// The injected messages to one peer. The provider has copied each of them and
// reports no completion for them. It sends in order. When a later send to the
// same peer completes, the injected messages before that send have left, too.
//
//   injected --a later send is posted--> asked about --its completion--> left
//
// The number of messages that are not known to have left is limited. This
// limits the provider's memory for a peer.
//
// If the provider cannot reach the peer, it need not report this for an
// injected message, but must report it for a send with a completion. So such a
// send follows every injected message before long (Age).
//
// Not thread-safe: used under the lock of the network.
#ifndef CONDUITS_OFI_INJECTED_H_
#define CONDUITS_OFI_INJECTED_H_

#include <cstdint>

#include "conduits/ofi/tuning.h"
#include "core/lane.h"

namespace gasnet::ofi {

class Injected {
 public:
  // The position of a message in the sequence of injected messages. Wraps
  // around.
  using Mark = uint32_t;

  bool HasRoom() const { return newest_ - left_ < kMaxInjected; }
  // Adds an injected message. `now` is the time in seconds (waited.h).
  void Add(Lane lane, uint32_t now) {
    ++newest_;
    lane_ = lane;
    since_ = now;
  }

  // Records that a send with a completion is posted. The completion covers all
  // injected messages up to the mark that Ask() returns.
  Mark Ask() {
    asked_ = newest_;
    return asked_;
  }
  bool IsAsked() const { return asked_ == newest_; }
  // Records the completion of the send for which Ask() returned `mark`.
  // Completions may come in any order.
  void HaveLeft(Mark mark) {
    if (static_cast<int32_t>(mark - left_) > 0) left_ = mark;
  }

  // Returns the lane of the newest message.
  Lane lane() const { return lane_; }
  uint32_t Age(uint32_t now) const { return now - since_; }

 private:
  Mark newest_ = 0;
  Mark asked_ = 0;
  Mark left_ = 0;
  uint32_t since_ = 0;
  Lane lane_ = Lane::kRequest;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_INJECTED_H_
