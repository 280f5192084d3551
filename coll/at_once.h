// Operations of few bytes that are over within their call: a node that only
// sends, or whose messages have come already or come within a moment, needs no
// record, no stages, and nobody to drive it. A part of node.h, used by the
// thread that drives.
//
// The fast path of small eager operations. Parts, keys and order are those of
// the algorithms (algorithms/), so
// a peer cannot tell the difference. An operation that does not fit, or a
// message that is not as expected, is left to the schedules, with nothing done,
// or with all that goes out sent (Operation::sent): sources are read before
// anything is waited for, but in a broadcast or a chain, which pass on what
// comes.
//
// Among nodes that map each other's segments the call waits for a moment for
// what has not come (Fabric::Glance): what they send, or a base, which it has
// asked for (window.h). It spins, or yields where ranks share processors, so
// that each has its turn once: who comes back finds all that the others have
// sent, and none needed a record. Nobody else drives the node meanwhile, so it
// does so only while nothing else is under way.
#ifndef COLL_AT_ONCE_H_
#define COLL_AT_ONCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "coll/arrivals.h"
#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/inbox.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "coll/team.h"

namespace gasnet::coll {

class AtOnce {
 public:
  AtOnce(Fabric& fabric, const Settings& settings, Courier& courier,
         Combiner& combiner, Inbox& inbox)
      : fabric_(fabric),
        settings_(settings),
        courier_(courier),
        combiner_(combiner),
        inbox_(inbox),
        arrivals_(fabric, settings, courier, inbox) {}

  enum class Outcome : uint8_t { kNothing, kSent, kOver };

  // Tries the operation of that number, the team's next one. take_mail
  // dispatches what is in the inbox. may_wait: nothing else is under way.
  Outcome Try(Team& team, uint32_t number, const Request& request,
              const Terms& terms, const Algorithm& algorithm, bool may_wait,
              absl::FunctionRef<void()> take_mail);

 private:
  bool MayBeAtOnce(const SmallCall& call) const;
  template <class G>
  void ForReceivers(const SmallCall& call, G f) const;

  bool MaySendAll(const SmallCall& call) const;
  void AskForBases(const SmallCall& call);
  void SendAll(const SmallCall& call);
  void Send(const SmallCall& call, Rank to, uint32_t key,
            const std::byte* from);

  void Finish(const SmallCall& call, const Come& come);
  void PassOn(const SmallCall& call, const Come& come);
  void Extend(const SmallCall& call, const Come& come);
  void Combine(const SmallCall& call, const Come& come, Rank count,
               std::byte* to);

  Fabric& fabric_;
  const Settings& settings_;
  Courier& courier_;
  Combiner& combiner_;
  Inbox& inbox_;
  Arrivals arrivals_;
  std::vector<std::byte> chain_;
};

}  // namespace gasnet::coll

#endif  // COLL_AT_ONCE_H_
