// Finds out whether nodes that wait for each other have called the same.
//
// Each message is compared with what its receiver has called (disagreement.h).
// Nodes that only wait send none: two that name each other as the root of a
// broadcast, a root of a gather that has called a broadcast from itself. So a
// node whose oldest operation does not end says what it has called to those
// that it waits for (kTerms). They compare, now or when they come to that
// number. Of an operation that takes long this costs a message to each of them,
// and another one after twice the time. Nodes that have begun collectives of
// two teams in different orders are not found out. A part of node.h, used by
// the thread that drives.
#ifndef COLL_INQUIRY_H_
#define COLL_INQUIRY_H_

#include <cstdint>
#include <vector>

#include "coll/assembly.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/inbox.h"
#include "coll/team.h"
#include "coll/tuning.h"

namespace gasnet::coll {

class Inquiry {
 public:
  Inquiry(Fabric& fabric, Courier& courier, const Assembly& assembly)
      : fabric_(fabric), courier_(courier), assembly_(assembly) {}

  // In each turn of a wait or poll, before its work: messages that come while
  // this sends are part of that.
  void InquireNowAndThen(const std::vector<Team*>& active) {
    if (++turns_ % kDrivesPerClock == 0) [[unlikely]]
      Inquire(active);
  }

  // Returns true if the message was about one of these alone: a window, or what
  // its sender has called, if this node has come to that number. If that number
  // is over here, its sender has called the same, or so long ago that nobody
  // knows.
  bool HearsInPassing(Team& team, Rank from, const Envelope& envelope);

 private:
  void Inquire(const std::vector<Team*>& active);
  void InquireIfStale(Team& team, int64_t now);
  void InquireOf(const Operation& op, Rank peer);
  std::vector<Rank> Awaited(const Operation& op) const;

  Fabric& fabric_;
  Courier& courier_;
  const Assembly& assembly_;
  uint32_t turns_ = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_INQUIRY_H_
