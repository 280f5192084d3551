#include "coll/assembly.h"

#include <utility>

#include "coll/algorithm.h"
#include "coll/crowd.h"
#include "coll/phase.h"
#include "coll/tuning.h"

namespace gasnet::coll {

bool AllSyncBarrier::MeetsAtOnce(const Team& team) const {
  return team.nodes() <= (team.all_near() ? settings_.flat_near : kMeetFar);
}

// Returns true if `node` sends no kMeet when it leaves the operation. This is
// the case in a team of two nodes if `node` has nothing to receive.
bool AllSyncBarrier::LeavesSilently(CollectiveOperation& op, unsigned which,
                                    Rank node) const {
  return which == 1 && op.team->nodes() == 2 &&
         op.algorithm->OnlySends(OperationPhase(op, settings_, combiner_),
                                 node);
}

bool AllSyncBarrier::Meet(CollectiveOperation& op, unsigned which) {
  const Team& team = *op.team;
  if (MeetsInMemory(team)) return MeetInMemory(op, which);
  if (IsCrowd(team, settings_)) return MeetAtCenter(op, which);
  return MeetsAtOnce(team) ? MeetAllAtOnce(op, which) : MeetInRounds(op, which);
}

bool AllSyncBarrier::MeetInMemory(CollectiveOperation& op, unsigned which) {
  CollectiveOperation::Meeting& meeting = op.meetings[which];
  if (!std::exchange(meeting.begun, true)) fabric_.Come(which, op.number);
  return fabric_.HaveAllCome(which, op.number, meeting.heard);
}

bool AllSyncBarrier::MeetAllAtOnce(CollectiveOperation& op, unsigned which) {
  const Team& team = *op.team;
  CollectiveOperation::Meeting& meeting = op.meetings[which];
  const Rank nodes = team.nodes();
  if (!std::exchange(meeting.begun, true)) {
    for (Rank i = 1; i < nodes; ++i) {
      if (LeavesSilently(op, which, team.me())) break;
      SendMeeting(op, which, 0, (team.me() + i) % nodes);
    }
  }
  const bool silent = nodes == 2 && LeavesSilently(op, which, 1 - team.me());
  return meeting.heard == (silent ? 0 : nodes - 1);
}

bool AllSyncBarrier::MeetInRounds(CollectiveOperation& op, unsigned which) {
  const Team& team = *op.team;
  CollectiveOperation::Meeting& meeting = op.meetings[which];
  const Rank nodes = team.nodes();
  for (; (Rank{1} << meeting.round) < nodes; ++meeting.round) {
    const Rank step = Rank{1} << meeting.round;
    if (!std::exchange(meeting.begun, true)) {
      SendMeeting(op, which, meeting.round, (team.me() + step) % nodes);
    }
    if ((meeting.rounds_heard >> meeting.round & 1) == 0) return false;
    meeting.begun = false;
  }
  return true;
}

bool AllSyncBarrier::MeetAtCenter(CollectiveOperation& op, unsigned which) {
  const Team& team = *op.team;
  CollectiveOperation::Meeting& meeting = op.meetings[which];
  const bool is_center = team.me() == kCenter;
  const bool all_have = meeting.heard == (is_center ? team.nodes() - 1 : 1);
  if (is_center && !all_have) return false;
  if (!std::exchange(meeting.begun, true)) {
    for (Rank node = 0; node < team.nodes(); ++node) {
      if (is_center != (node == kCenter)) {
        SendMeeting(op, which, 0, node);
      }
    }
  }
  return all_have;
}

void AllSyncBarrier::SendMeeting(CollectiveOperation& op, unsigned which,
                                 uint8_t round, Rank to) {
  CollHeader header = HeaderOf(op, MessageType::kMeet);
  header.key = which;
  header.phase = round;
  courier_.SendOrDefer(op, to, header);
}

void AllSyncBarrier::AddAwaited(const CollectiveOperation& op, unsigned which,
                                std::vector<Rank>& peers) const {
  const Team& team = *op.team;
  const Rank nodes = team.nodes();
  if (MeetsInMemory(team)) {
    for (Rank peer = op.meetings[which].heard; peer < nodes; ++peer) {
      if (peer != team.me()) peers.push_back(peer);
    }
    return;
  }
  if (MeetsAtOnce(team)) {
    for (Rank peer = 0; peer < nodes; ++peer) {
      if (peer != team.me()) peers.push_back(peer);
    }
    return;
  }
  const Rank step = Rank{1} << op.meetings[which].round;
  peers.push_back((team.me() + nodes - step) % nodes);
}

}  // namespace gasnet::coll
