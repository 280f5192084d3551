// Detects nodes that wait for each other because they have called different
// collectives.
//
// Each message is compared with its receiver's call (disagreement.h). But nodes
// that only wait send no messages. An example is two nodes that name each other
// as the root of a broadcast. So if a node's oldest operation takes too long,
// the node sends a description of its call (kTerms) to the nodes that it waits
// for. These nodes compare the description with their own call at once, or when
// they reach that operation. A long operation costs one kTerms for each awaited
// node. It is repeated after intervals that double each time. Collectives of
// two teams that nodes begin in different orders are not detected. This is a
// part of node.h, used by the driving thread.
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
  Inquiry(Fabric& fabric, Courier& courier, const AllSyncBarrier& assembly)
      : fabric_(fabric), courier_(courier), assembly_(assembly) {}

  // Sends inquiries if an operation takes too long. Called in each turn of a
  // wait or poll, before the driving of that turn. The driving then also
  // handles messages that arrive while the inquiries are sent.
  void InquireNowAndThen(const std::vector<Team*>& active) {
    if (++turns_ % kDrivesPerClock == 0) [[unlikely]]
      Inquire(active);
  }

  // Returns true if the message needs no further handling: it concerned only a
  // window, or it was an inquiry about an operation that this node has reached.
  // If that operation is already over on this node, compares the sender's call
  // with the record of this node's call. The record may be gone; then nothing
  // is compared. Ends the job if the calls differ.
  bool HearsInPassing(Team& team, Rank from, const Envelope& envelope);

 private:
  void Inquire(const std::vector<Team*>& active);
  void InquireIfStale(Team& team, int64_t now);
  void InquireOf(const CollectiveOperation& op, Rank peer);
  std::vector<Rank> Awaited(const CollectiveOperation& op) const;

  Fabric& fabric_;
  Courier& courier_;
  const AllSyncBarrier& assembly_;
  uint32_t turns_ = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_INQUIRY_H_
