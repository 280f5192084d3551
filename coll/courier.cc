#include "coll/courier.h"

#include <vector>

#include "coll/access.h"

namespace gasnet::coll {

bool Courier::HearsOfWindow(Team& team, Rank from, const CollHeader& header) {
  if (header.type == MessageType::kBase) {
    team.window.Answered(from, header.number);
    return true;
  }
  if (header.type != MessageType::kAskBase) return false;
  if (team.window.Admits(header.number) ||
      static_cast<int32_t>(header.number - team.window.base()) < 0) {
    SendBase(team, from);
  } else {
    team.window.Wants(from, header.number);
  }
  return true;
}

void Courier::SendBase(Team& team, Rank to) {
  CollHeader header;
  header.type = MessageType::kBase;
  header.number = team.window.base();
  SendNow(team, to, header, nullptr, 0);
}

void Courier::AskBase(Team& team, Rank to, uint32_t number) {
  if (!team.window.Ask(to)) return;
  CollHeader header;
  header.type = MessageType::kAskBase;
  header.number = number;
  SendNow(team, to, header, nullptr, 0);
}

void Courier::Answer(CollectiveOperation& op, MessageType type, Rank to,
                     const CollHeader& about) {
  CollHeader header = HeaderOf(op, type);
  header.phase = about.phase;
  header.key = about.key;
  SendOrDefer(op, to, header);
}

void Courier::SendOrDefer(CollectiveOperation& op, Rank to,
                          const CollHeader& header, size_t part) {
  if (op.team->window.MaySend(to, op.number)) {
    SendPart(op, to, header, part);
  } else {
    op.deferred.push_back({to, header, part});
    AskBase(*op.team, to, op.number);
  }
}

void Courier::SendPart(CollectiveOperation& op, Rank to,
                       const CollHeader& header, size_t part) {
  if (part == Deferred::kNoPart) {
    return SendNow(*op.team, to, header, nullptr, 0);
  }
  OutPart& out = op.outs[part];
  WillRead(out.from, out.nbytes);
  SendNow(*op.team, to, header, out.from, out.nbytes);
  op.OutDone(out);
}

void Courier::SendThatWasDeferred(CollectiveOperation& op) {
  std::vector<Deferred> waiting;
  waiting.swap(op.deferred);
  for (const Deferred& it : waiting) {
    SendOrDefer(op, it.to, it.header, it.part);
  }
}

}  // namespace gasnet::coll
