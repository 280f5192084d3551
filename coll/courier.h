// Sends what an operation has to say, as far as the windows of its team admit
// it (window.h), and keeps the rest until they do. A part of node.h, by who
// drives.
#ifndef COLL_COURIER_H_
#define COLL_COURIER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coll/access.h"
#include "coll/fabric.h"
#include "coll/header.h"
#include "coll/operation.h"
#include "coll/settings.h"
#include "coll/team.h"

namespace gasnet::coll {

template <Fabric F>
class Courier {
 protected:
  Courier(F& fabric, const Settings& settings)
      : fabric_(fabric), settings_(settings) {}
  ~Courier() = default;

  // Whether that is all the message was about.
  bool HearsOfWindow(Team& team, Rank from, const Header& header) {
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

  void SendBaseIfOwed(Team& team, Rank to) {
    if (team.window.IsOwed(to)) SendBase(team, to);
  }
  void SendBase(Team& team, Rank to) {
    Header header;
    header.type = MessageType::kBase;
    header.number = team.window.base();
    SendNow(team, to, header, nullptr, 0);
  }

  void InDone(Operation& op, InPart& in) {
    in.done = true;
    --op.ins_left;
  }
  void OutDone(Operation& op, OutPart& out) {
    out.state = OutPart::State::kDone;
    --op.outs_left;
  }

  Header HeaderOf(const Operation& op, MessageType type) const {
    Header header;
    header.type = type;
    header.number = op.number;
    header.terms = op.terms;
    return header;
  }

  void Answer(Operation& op, MessageType type, Rank to, const Header& about) {
    Header header = HeaderOf(op, type);
    header.phase = about.phase;
    header.key = about.key;
    SendOrDefer(op, to, header);
  }

  void SendNow(Team& team, Rank to, Header header, const std::byte* bytes,
               size_t nbytes) {
    header.team = team.id();
    header.base = static_cast<uint16_t>(team.window.base());
    team.window.Sent(to);
    fabric_.Send(team.rank_of(to), header, bytes, nbytes);
  }

  void SendOrDefer(Operation& op, Rank to, const Header& header,
                   size_t part = Deferred::kNoPart) {
    if (op.team->window.MaySend(to, op.number)) {
      SendPart(op, to, header, part);
    } else {
      op.deferred.push_back({to, header, part});
      AskBase(*op.team, to, op.number);
    }
  }

  void SendPart(Operation& op, Rank to, const Header& header, size_t part) {
    if (part == Deferred::kNoPart) {
      return SendNow(*op.team, to, header, nullptr, 0);
    }
    WillRead(op.outs[part].from, op.outs[part].nbytes);
    SendNow(*op.team, to, header, op.outs[part].from, op.outs[part].nbytes);
    OutDone(op, op.outs[part]);
  }

  void AskBase(Team& team, Rank to, uint32_t number) {
    if (!team.window.Ask(to)) return;
    Header header;
    header.type = MessageType::kAskBase;
    header.number = number;
    SendNow(team, to, header, nullptr, 0);
  }

  void SendDeferred(Operation& op) {
    if (op.deferred.empty()) return;
    std::vector<Deferred> waiting;
    waiting.swap(op.deferred);
    for (const Deferred& it : waiting) {
      SendOrDefer(op, it.to, it.header, it.part);
    }
  }

  F& fabric_;
  Settings settings_;
  // There is more to send than this turn has sent. All else that happens is
  // seen in the turn that it happens in, or comes as mail.
  bool again_ = false;
};

}  // namespace gasnet::coll

#endif  // COLL_COURIER_H_
