#include "coll/inquiry.h"

#include <algorithm>

#include "coll/disagreement.h"

namespace gasnet::coll {

bool Inquiry::HearsInPassing(Team& team, Rank from, const Envelope& envelope) {
  const CollHeader& header = envelope.header;
  if (courier_.HearsOfWindow(team, from, header)) return true;
  if (header.type != MessageType::kTerms) return false;
  const CollectiveOperation* const op = team.live[header.number % kWindow];
  if (op != nullptr && op->number == header.number) {
    RequireSameTerms(*op, envelope);
    return true;
  }
  if (static_cast<int32_t>(header.number - team.started) >= 0) return false;
  const Terms* const here = team.TermsOfOver(header.number);
  if (here != nullptr && *here != header.terms) RefuseNumber(team, envelope);
  return true;
}

void Inquiry::Inquire(const std::vector<Team*>& active) {
  const int64_t now = fabric_.Now();
  for (Team* const team : active) InquireIfStale(*team, now);
}

void Inquiry::InquireIfStale(Team& team, int64_t now) {
  CollectiveOperation* const op = team.live[team.window.base() % kWindow];
  if (op == nullptr || !team.patience.IsOver(op->number, now)) return;
  for (const Rank peer : Awaited(*op)) InquireOf(*op, peer);
}

// Sends an inquiry. If the network has no room, drops the inquiry: the caller
// may be a client's poll, which must not wait. Nothing else depends on an
// inquiry. If the peer's base is unknown, asks for the base first.
void Inquiry::InquireOf(const CollectiveOperation& op, Rank peer) {
  Team& team = *op.team;
  const bool may = team.window.MayInquire(peer, op.number);
  if (!may && team.window.HasAsked(peer)) return;
  CollHeader header =
      HeaderOf(op, may ? MessageType::kTerms : MessageType::kAskBase);
  header.team = team.id_of(peer);
  header.base = static_cast<uint16_t>(team.window.base());
  if (!fabric_.TrySend(team.rank_of(peer), header)) return;
  team.window.Sent(peer);
  if (!may) team.window.Ask(peer);
}

// Returns the peers that the operation waits for. Each peer is in the list
// once. Peers with an unknown rank are left out.
std::vector<Rank> Inquiry::Awaited(const CollectiveOperation& op) const {
  std::vector<Rank> peers;
  for (const InPart& in : op.ins) {
    if (!in.done && in.from != InPart::kAnybody) peers.push_back(in.from);
  }
  for (const OutPart& out : op.outs) {
    if (out.state == OutPart::State::kWaiting) peers.push_back(out.to);
  }
  using Stage = CollectiveOperation::Stage;
  if (op.stage == Stage::kMeetingIn) assembly_.AddAwaited(op, 0, peers);
  if (op.stage == Stage::kMeetingOut) assembly_.AddAwaited(op, 1, peers);
  std::sort(peers.begin(), peers.end());
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  return peers;
}

}  // namespace gasnet::coll
