// The injected messages to one peer: the provider has copied them, and reports
// no completion of them. It sends in order. So they have left when a later send
// to the same peer has left, and that send has a completion.
//
//   injected --such a send is posted--> asked about --its completion--> left
//
// A limit on the messages not known to have left bounds the provider's memory
// for a peer. A provider that cannot reach the peer need not report that for an
// injected message, but must report it for the later send. So such a send
// follows every injected message before long (Age). Not thread-safe: used under
// the lock of the network.
#ifndef CONDUITS_OFI_INJECTED_H_
#define CONDUITS_OFI_INJECTED_H_

#include <cstdint>

#include "conduits/ofi/tuning.h"
#include "core/lane.h"

namespace gasnet::ofi {

class Injected {
 public:
  // The position of a message in their sequence; wraps around.
  using Mark = uint32_t;

  bool HasRoom() const { return newest_ - left_ < kMaxInjected; }
  // Adds a message. `now`: in seconds (waited.h).
  void Add(Lane lane, uint32_t now) {
    ++newest_;
    lane_ = lane;
    since_ = now;
  }

  // Notes that a send with a completion is posted. It covers all messages up to
  // the mark that Ask returns.
  Mark Ask() {
    asked_ = newest_;
    return asked_;
  }
  bool IsAsked() const { return asked_ == newest_; }
  // Notes the completion of a send with that mark. Completions may come in any
  // order.
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
