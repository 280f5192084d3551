// Waits until all nodes have come to an operation, before it (IN_ALLSYNC) or
// after it (OUT_ALLSYNC). A part of node.h, called by the thread that drives.
//
// In a crowd all notify one node, and it notifies all; else all notify all
// where they are few, or in rounds (dissemination).
#ifndef COLL_ASSEMBLY_H_
#define COLL_ASSEMBLY_H_

#include <cstdint>
#include <utility>

#include "coll/parts.h"
#include "coll/tuning.h"

namespace gasnet::coll {

template <Fabric F>
class Assembly : protected Parts<F> {
 protected:
  using Base = Parts<F>;
  using Base::combiner_, Base::settings_;
  using Base::HeaderOf, Base::SendOrDefer;

  using Base::Base;
  ~Assembly() = default;

  bool MeetsAtOnce(const Team& team) const {
    return team.nodes() <= (team.all_near() ? settings_.flat_near : kMeetFar);
  }

  void HearMeeting(Operation& op, const Header& header) {
    Operation::Meeting& meeting = op.meetings[header.key % 2];
    ++meeting.heard;
    meeting.rounds_heard |= 1u << header.phase;
  }

  // Whether that node sends the other of a team of two nothing, since it has
  // nothing to receive.
  bool LeavesSilently(Operation& op, unsigned which, Rank node) const {
    return which == 1 && op.team->nodes() == 2 &&
           Schedule(op, settings_, combiner_).OnlySends(node);
  }

  // Whether all have come to it.
  bool Meet(Operation& op, unsigned which) {
    Team& team = *op.team;
    Operation::Meeting& meeting = op.meetings[which];
    const Rank nodes = team.nodes();
    if (Schedule::HasCenter(team, settings_)) return MeetAtCenter(op, which);
    if (MeetsAtOnce(team)) {
      if (!std::exchange(meeting.begun, true)) {
        for (Rank i = 1; i < nodes; ++i) {
          if (LeavesSilently(op, which, team.me())) break;
          SendMeeting(op, which, 0, (team.me() + i) % nodes);
        }
      }
      const bool silent =
          nodes == 2 && LeavesSilently(op, which, 1 - team.me());
      return meeting.heard == (silent ? 0 : nodes - 1);
    }
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

  bool MeetAtCenter(Operation& op, unsigned which) {
    const Team& team = *op.team;
    Operation::Meeting& meeting = op.meetings[which];
    const bool is_center = team.me() == Schedule::kCenter;
    const bool all_have = meeting.heard == (is_center ? team.nodes() - 1 : 1);
    if (is_center && !all_have) return false;
    if (!std::exchange(meeting.begun, true)) {
      for (Rank node = 0; node < team.nodes(); ++node) {
        if (is_center != (node == Schedule::kCenter)) {
          SendMeeting(op, which, 0, node);
        }
      }
    }
    return all_have;
  }

  void SendMeeting(Operation& op, unsigned which, uint8_t round, Rank to) {
    Header header = HeaderOf(op, MessageType::kMeet);
    header.key = which;
    header.phase = round;
    SendOrDefer(op, to, header);
  }
};

}  // namespace gasnet::coll

#endif  // COLL_ASSEMBLY_H_
