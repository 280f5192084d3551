#include "coll/at_once.h"

#include <algorithm>

#include "coll/access.h"
#include "coll/choice.h"
#include "coll/tuning.h"

namespace gasnet::coll {

bool AtOnce::MayRun(const CollectiveOperation& op) const {
  const Team& team = *op.team;
  const CollectiveRequest& request = *op.request;
  const size_t nbytes =
      request.kind == CollectiveKind::kBarrier ? kVoteBytes : request.nbytes;
  const bool meets =
      request.in == SyncMode::kAll || request.out == SyncMode::kAll;
  return op.algorithm->traits().runs_at_once &&
         (!meets || assembly_.MeetsInMemory(team)) && !HasVote(request) &&
         request.blocks.form == BlockMap::Form::kTeam && team.busy == 0 &&
         team.one_image_each() && team.nodes() <= kMaxNodesAtOnce &&
         nbytes <= (team.all_near()
                        ? settings_.eager_near
                        : std::min(settings_.eager_near, settings_.eager_far));
}

bool AtOnce::Run(CollectiveOperation& op, bool may_wait,
                 absl::FunctionRef<void()> take_mail) {
  may_wait = may_wait && op.team->all_near();
  const auto await = [&](auto done) {
    for (unsigned looks = 0; !done(); ++looks) {
      if (!may_wait || !fabric_.Glance(looks)) return false;
      if (inbox_.HasMail()) take_mail();
    }
    return true;
  };
  const auto meets = [&](unsigned which) {
    return await([&] { return assembly_.Meet(op, which); });
  };
  const auto may_send = [&] { return MaySendAll(op); };
  if (op.stage == CollectiveOperation::Stage::kMeetingIn) {
    if (!meets(0)) return false;
    op.stage = CollectiveOperation::Stage::kMoving;
  }
  CollHeader header = HeaderOf(op, MessageType::kEager);
  header.team = op.team->id();
  // The phase in which nodes claim blocks is skipped. Operations that run here
  // have the team's blocks, so no node claims any.
  OperationPhase phase(op, settings_, combiner_);
  const unsigned phases = op.algorithm->Phases(*op.team);
  for (;;) {
    op.algorithm->Begin(phase);
    take_mail();
    if (!may_send()) {
      AskForBases(op);
      if (!await(may_send)) return false;
    }
    SendAll(op, header);
    if (!await([&] { return HasCome(op, header); })) return false;
    SendAll(op, header);
    op.algorithm->Finish(phase);
    if (op.phase + 1u == phases) break;
    ++op.phase;
  }
  if (op.request->out != SyncMode::kAll) return true;
  op.stage = CollectiveOperation::Stage::kMeetingOut;
  return meets(1);
}

bool AtOnce::MaySendAll(const CollectiveOperation& op) const {
  return std::all_of(op.outs.begin(), op.outs.end(), [&](const OutPart& out) {
    return op.team->window.MaySend(out.to, op.number);
  });
}

// Asks for the bases of the peers whose windows do not admit the parts yet. A
// peer answers with its base.
void AtOnce::AskForBases(const CollectiveOperation& op) {
  for (const OutPart& out : op.outs) {
    if (op.team->window.MaySend(out.to, op.number)) continue;
    courier_.AskBase(*op.team, out.to, op.number);
  }
}

// Sends all parts except those that forward an incoming part that has not
// arrived.
void AtOnce::SendAll(CollectiveOperation& op, CollHeader& header) {
  if (op.outs_left == 0) return;
  for (OutPart& out : op.outs) {
    if (out.state == OutPart::State::kDone || MustWait(op, out)) continue;
    WillRead(out.from, out.nbytes);
    header.phase = out.phase;
    header.key = out.key;
    courier_.SendNow(*op.team, out.to, header, out.from, out.nbytes);
    op.OutDone(out);
  }
}

bool AtOnce::HasCome(CollectiveOperation& op, CollHeader& header) {
  if (op.ins_left == 0) return true;
  for (InPart& in : op.ins) {
    if (!in.done && in.nbytes > 0) TakeOut(op, in, header);
  }
  return op.ins_left == 0;
}

void AtOnce::TakeOut(CollectiveOperation& op, InPart& in, CollHeader& header) {
  header.phase = op.phase;
  header.key = in.key;
  Team& team = *op.team;
  if (!fabric_.Take(team.rank_of(in.from), header, in.to, in.nbytes)) return;
  WillWrite(in.to, in.nbytes);
  op.InDone(in);
  team.window.Heard(in.from, header.base);
  courier_.SendBaseIfOwed(team, in.from);
}

}  // namespace gasnet::coll
