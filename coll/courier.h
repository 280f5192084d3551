// Sends the messages of an operation. The courier keeps messages that the
// windows of the team (window.h) do not admit yet, and sends them later. This
// is a part of node.h, used by the driving thread.
#ifndef COLL_COURIER_H_
#define COLL_COURIER_H_

#include <cstddef>
#include <cstdint>

#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/operation.h"
#include "coll/team.h"

namespace gasnet::coll {

class Courier {
 public:
  explicit Courier(Fabric& fabric) : fabric_(fabric) {}

  // Handles kBase and kAskBase, the messages that concern only a window.
  // Returns true if the message was one of these.
  bool HearsOfWindow(Team& team, Rank from, const CollHeader& header);

  void SendBaseIfOwed(Team& team, Rank to) {
    if (team.window.IsOwed(to)) SendBase(team, to);
  }
  void SendBase(Team& team, Rank to);
  void AskBase(Team& team, Rank to, uint32_t number);

  void SendNow(Team& team, Rank to, CollHeader header, const std::byte* bytes,
               size_t nbytes) {
    header.team = team.id_of(to);
    header.base = static_cast<uint16_t>(team.window.base());
    team.window.Sent(to);
    fabric_.Send(team.rank_of(to), header, bytes, nbytes);
  }

  // Sends the message. If the window does not admit it yet, defers it. `part`
  // is the index of the outgoing part whose bytes the message carries.
  void SendOrDefer(CollectiveOperation& op, Rank to, const CollHeader& header,
                   size_t part = Deferred::kNoPart);
  void SendDeferred(CollectiveOperation& op) {
    if (!op.deferred.empty()) SendThatWasDeferred(op);
  }
  void Answer(CollectiveOperation& op, MessageType type, Rank to,
              const CollHeader& about);

 private:
  void SendPart(CollectiveOperation& op, Rank to, const CollHeader& header,
                size_t part);
  void SendThatWasDeferred(CollectiveOperation& op);

  Fabric& fabric_;
};

inline CollHeader HeaderOf(const CollectiveOperation& op, MessageType type) {
  CollHeader header;
  header.type = type;
  header.number = op.number;
  header.terms = op.terms;
  return header;
}
inline CollHeader HeaderOf(const CollectiveOperation& op, MessageType type,
                           const OutPart& out) {
  CollHeader header = HeaderOf(op, type);
  header.phase = out.phase;
  header.key = out.key;
  return header;
}

}  // namespace gasnet::coll

#endif  // COLL_COURIER_H_
