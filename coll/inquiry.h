// Finds out whether nodes that wait for each other have called the same.
//
// Each message is compared with what its receiver has called (disagreement.h).
// Nodes that only wait send none: two that name each other as the root of a
// broadcast, a root of a gather that has called a broadcast from itself. So a
// node whose oldest operation does not end says what it has called to those
// that it waits for (kTerms). They compare, now or when they come to that
// number. Of an operation that takes long this costs a message to each of them,
// and another one after twice the time. Nodes that have begun collectives of
// two teams in different orders are not found out. A part of node.h, called by
// the thread that drives.
#ifndef COLL_INQUIRY_H_
#define COLL_INQUIRY_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "coll/assembly.h"
#include "coll/disagreement.h"
#include "coll/inbox.h"
#include "coll/team.h"

namespace gasnet::coll {

template <Fabric F>
class Inquiry : protected Assembly<F> {
 protected:
  using Base = Assembly<F>;
  using Base::fabric_, Base::HeaderOf, Base::HearsOfWindow;

  using Base::Base;
  ~Inquiry() = default;

  // In each turn of a wait or poll, before its work: messages that come while
  // this sends are part of that.
  void InquireNowAndThen(const std::vector<Team*>& active) {
    if (++turns_ % kDrivesPerClock == 0) [[unlikely]]
      Inquire(active);
  }

  // Whether that is all the message was about: a window, or what its sender has
  // called, where this node has come to that number. Of what is over here that
  // sender has called the same, or so long ago that nobody knows.
  bool HearsInPassing(Team& team, Rank from, const Envelope& envelope) {
    const Header& header = envelope.header;
    if (HearsOfWindow(team, from, header)) return true;
    if (header.type != MessageType::kTerms) return false;
    const Operation* const op = team.live[header.number % kWindow];
    if (op != nullptr && op->number == header.number) {
      RequireSameTerms(*op, envelope);
      return true;
    }
    if (static_cast<int32_t>(header.number - team.started) >= 0) return false;
    const Terms* const here = team.TermsOfOver(header.number);
    if (here != nullptr && *here != header.terms) RefuseNumber(team, envelope);
    return true;
  }

 private:
  [[gnu::noinline]] void Inquire(const std::vector<Team*>& active) {
    const int64_t now = fabric_.Now();
    for (Team* const team : active) InquireIfStale(*team, now);
  }

  void InquireIfStale(Team& team, int64_t now) {
    Operation* const op = team.live[team.window.base() % kWindow];
    if (op == nullptr || !team.patience.IsOver(op->number, now)) return;
    for (const Rank peer : Awaited(*op)) InquireOf(*op, peer);
  }

  // Where there is no room it is dropped, as nothing else depends on it: this
  // may be a poll of a client, which does not wait. A peer whose base is not
  // known is asked for that first.
  void InquireOf(const Operation& op, Rank peer) {
    Team& team = *op.team;
    const bool may = team.window.MayInquire(peer, op.number);
    if (!may && team.window.HasAsked(peer)) return;
    Header header =
        HeaderOf(op, may ? MessageType::kTerms : MessageType::kAskBase);
    header.team = team.id();
    header.base = static_cast<uint16_t>(team.window.base());
    if (!fabric_.TrySend(team.rank_of(peer), header)) return;
    team.window.Sent(peer);
    if (!may) team.window.Ask(peer);
  }

  // Without those that are not known yet, each once.
  std::vector<Rank> Awaited(const Operation& op) const {
    std::vector<Rank> peers;
    for (const InPart& in : op.ins) {
      if (!in.done && in.from != InPart::kAnybody) peers.push_back(in.from);
    }
    for (const OutPart& out : op.outs) {
      if (out.state == OutPart::State::kWaiting) peers.push_back(out.to);
    }
    if (op.stage == Operation::Stage::kMeetingIn) AddMeeting(op, 0, peers);
    if (op.stage == Operation::Stage::kMeetingOut) AddMeeting(op, 1, peers);
    std::sort(peers.begin(), peers.end());
    peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
    return peers;
  }

  void AddMeeting(const Operation& op, unsigned which,
                  std::vector<Rank>& peers) const {
    const Team& team = *op.team;
    const Rank nodes = team.nodes();
    if (this->MeetsAtOnce(team)) {
      for (Rank peer = 0; peer < nodes; ++peer) {
        if (peer != team.me()) peers.push_back(peer);
      }
      return;
    }
    const Rank step = Rank{1} << op.meetings[which].round;
    peers.push_back((team.me() + nodes - step) % nodes);
  }

  uint32_t turns_ = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_INQUIRY_H_
