// Operations of few bytes that are over within their call: a node that only
// sends, or whose messages have come already or come within a moment, takes no
// turns of its operation, and needs nobody to drive it. A part of node.h, used
// by the thread that drives.
//
// It is one way to run an algorithm, whose parts it moves as parts.h would,
// where all are eager: a peer cannot tell the difference. An operation that
// does not get to its end so is driven on from where it is.
//
// The headers of messages that come are known. One that is the next of its
// sender is taken out of the network (Fabric::Take) to where it belongs: no
// handler, no envelope. Others come by the inbox.
//
// Among nodes that map each other's segments the call waits for a moment for
// what has not come (Fabric::Glance): what they send, or a base, which it has
// asked for (window.h). It spins, or yields where ranks share processors, so
// that each has its turn once: who comes back finds all that the others have
// sent. Nobody else drives the node meanwhile, so it does so only while nothing
// else is under way.
#ifndef COLL_AT_ONCE_H_
#define COLL_AT_ONCE_H_

#include "absl/functional/function_ref.h"
#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/inbox.h"
#include "coll/operation.h"
#include "coll/settings.h"

namespace gasnet::coll {

class AtOnce {
 public:
  AtOnce(Fabric& fabric, const Settings& settings, Courier& courier,
         Combiner& combiner, const Inbox& inbox)
      : fabric_(fabric),
        settings_(settings),
        courier_(courier),
        combiner_(combiner),
        inbox_(inbox) {}

  // Of one that has not begun.
  bool MayRun(const Operation& op) const;

  // Takes one that messages find (Team::live) through its phases. Returns true
  // if all its parts have moved. take_mail delivers what has come for it, also
  // early, and dispatches all else. may_wait: nothing else is under way.
  bool Run(Operation& op, bool may_wait, absl::FunctionRef<void()> take_mail);

 private:
  bool MaySendAll(const Operation& op) const;
  void AskForBases(const Operation& op);
  // header: of the operation's eager messages, used anew for each.
  void SendAll(Operation& op, Header& header);
  bool HasCome(Operation& op, Header& header);
  void TakeOut(Operation& op, InPart& in, Header& header);

  Fabric& fabric_;
  const Settings& settings_;
  Courier& courier_;
  Combiner& combiner_;
  const Inbox& inbox_;
};

}  // namespace gasnet::coll

#endif  // COLL_AT_ONCE_H_
