// Messages to one peer that were injected: the provider has copied them, and
// reports no completion of them. It sends in order, so they have left when a
// later send to the same peer has, and that one has a completion.
//
//   injected --such a send is posted--> asked about --its completion--> left
//
// So many that are not known to have left are all that a peer costs memory in
// the provider; and a provider that cannot reach the peer need not say so of an
// injected message, but of the send. So none stays injected for long (Age).
// Not thread-safe: under the lock of the network.
#ifndef CONDUITS_OFI_INJECTED_H_
#define CONDUITS_OFI_INJECTED_H_

#include <cstdint>

#include "conduits/ofi/tuning.h"
#include "core/lane.h"

namespace gasnet::ofi {

class Injected {
 public:
  // Where one stands among them; wraps.
  using Mark = uint32_t;

  bool HasRoom() const { return newest_ - left_ < kMostInjected; }
  // now: the second (waited.h).
  void Add(Lane lane, uint32_t now) {
    ++newest_;
    lane_ = lane;
    since_ = now;
  }

  // A send with a completion is posted: it covers all up to the mark.
  Mark Ask() {
    asked_ = newest_;
    return asked_;
  }
  bool IsAsked() const { return asked_ == newest_; }
  // A completion, in any order, of a send with that mark.
  void HaveLeft(Mark mark) {
    if (static_cast<int32_t>(mark - left_) > 0) left_ = mark;
  }

  // Of the newest.
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
