// Detects nodes that wait for each other because they have called different
// collectives.
//
// Each message is compared with its receiver's call (disagreement.h). But nodes
// that only wait send no messages. An example is two nodes that name each other
// as the root of a broadcast. So if a node's oldest operation takes too long,
// the node sends its call (kTerms) to the nodes that it waits for. Those nodes
// compare the call at once, or when they reach that operation. A long operation
// costs one such message to each of these nodes, and another message each time
// after twice the previous interval. Nodes that begin collectives of two teams
// in different orders are not detected. This is a part of node.h, used by the
// driving thread.
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

  // Sends inquiries if an operation takes too long. Called in each turn of a
  // wait or poll, before the turn's own work. The work then also handles
  // messages that arrive while the inquiries are sent.
  void InquireNowAndThen(const std::vector<Team*>& active) {
    if (++turns_ % kDrivesPerClock == 0) [[unlikely]]
      Inquire(active);
  }

  // Returns true if the message needs no further handling. This is so if the
  // message concerned only a window, or if it was its sender's call and this
  // node has reached that operation. If the operation is already over here, the
  // sender's call must equal this node's call, unless that was too long ago to
  // compare.
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
