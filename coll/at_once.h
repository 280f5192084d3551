// Runs small operations within their call. An operation can complete within its
// call if its node only sends, or if the messages for it have arrived or arrive
// within a moment. This is a part of node.h, used by the driving thread.
//
// The class AtOnce runs an algorithm and moves the parts as parts.h would. All
// parts must be eager. A peer cannot tell the difference. If an operation does
// not complete this way, later drives continue it from its current stage.
//
// The headers of expected messages are known. If an expected message is the
// oldest from its sender, it is copied from the network straight to its
// destination (Fabric::Take), without handler or envelope. Other messages pass
// through the inbox.
//
// Among nodes that map each other's segments the call waits briefly for missing
// messages (Fabric::Glance): parts, or a base that it has asked for (window.h).
// It spins. If ranks share processors, it yields instead, so that the other
// ranks can send. No other thread can drive the node during this wait, so the
// call waits only if no other operation is under way.
#ifndef COLL_AT_ONCE_H_
#define COLL_AT_ONCE_H_

#include "absl/functional/function_ref.h"
#include "coll/assembly.h"
#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/inbox.h"
#include "coll/operation.h"
#include "coll/settings.h"

namespace gasnet::coll {

class AtOnce {
 public:
  AtOnce(Fabric& fabric, const CollSettings& settings, Courier& courier,
         Combiner& combiner, AllSyncBarrier& assembly, const Inbox& inbox)
      : fabric_(fabric),
        settings_(settings),
        courier_(courier),
        combiner_(combiner),
        assembly_(assembly),
        inbox_(inbox) {}

  // Returns true if the operation may run within its call. The operation must
  // not have begun.
  bool MayRun(const CollectiveOperation& op) const;

  // Takes an operation through its stages. Messages find the operation in
  // Team::live. Returns true if the operation is over. take_mail delivers the
  // messages that have arrived for this operation, including early ones, and
  // dispatches all other messages. may_wait is true if no other operation is
  // under way.
  bool Run(CollectiveOperation& op, bool may_wait,
           absl::FunctionRef<void()> take_mail);

 private:
  bool MaySendAll(const CollectiveOperation& op) const;
  void AskForBases(const CollectiveOperation& op);
  // Sends all outgoing parts. `header` is the header of this operation's eager
  // messages, reused for each part.
  void SendAll(CollectiveOperation& op, CollHeader& header);
  bool HasCome(CollectiveOperation& op, CollHeader& header);
  void TakeOut(CollectiveOperation& op, InPart& in, CollHeader& header);

  Fabric& fabric_;
  const CollSettings& settings_;
  Courier& courier_;
  Combiner& combiner_;
  AllSyncBarrier& assembly_;
  const Inbox& inbox_;
};

}  // namespace gasnet::coll

#endif  // COLL_AT_ONCE_H_
