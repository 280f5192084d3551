// Meetings: all nodes enter an operation before any data moves (IN_ALLSYNC), or
// leave the operation together (OUT_ALLSYNC). This is a part of node.h, used by
// the driving thread.
//
// The nodes of the first team meet in memory if the fabric supports this. In a
// crowd (crowd.h) all nodes notify the center, and the center notifies all
// nodes. In other teams with few nodes, every node notifies all others. With
// many nodes, nodes notify each other in rounds (dissemination).
#ifndef COLL_ASSEMBLY_H_
#define COLL_ASSEMBLY_H_

#include <cstdint>
#include <vector>

#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/operation.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "coll/team_table.h"

namespace gasnet::coll {

class AllSyncBarrier {
 public:
  AllSyncBarrier(Fabric& fabric, const CollSettings& settings, Courier& courier,
                 Combiner& combiner)
      : fabric_(fabric),
        settings_(settings),
        courier_(courier),
        combiner_(combiner) {}

  // Returns true if meetings of the team cost no messages.
  bool MeetsInMemory(const Team& team) const {
    return team.id() == TeamTable::kAll && fabric_.MeetsInMemory();
  }

  static void HearMeeting(CollectiveOperation& op, const CollHeader& header) {
    CollectiveOperation::Meeting& meeting = op.meetings[header.key % 2];
    ++meeting.heard;
    meeting.rounds_heard |= 1u << header.phase;
  }

  // Advances the meeting before (`which` = 0) or after (1) the operation as far
  // as possible. Returns true if all nodes have reached the meeting.
  bool Meet(CollectiveOperation& op, unsigned which);

  // Adds the nodes that this node may be waiting for in the meeting.
  void AddAwaited(const CollectiveOperation& op, unsigned which,
                  std::vector<Rank>& peers) const;

 private:
  bool MeetsAtOnce(const Team& team) const;
  bool LeavesSilently(CollectiveOperation& op, unsigned which, Rank node) const;
  bool MeetInMemory(CollectiveOperation& op, unsigned which);
  bool MeetAllAtOnce(CollectiveOperation& op, unsigned which);
  bool MeetInRounds(CollectiveOperation& op, unsigned which);
  bool MeetAtCenter(CollectiveOperation& op, unsigned which);
  void SendMeeting(CollectiveOperation& op, unsigned which, uint8_t round,
                   Rank to);

  Fabric& fabric_;
  const CollSettings& settings_;
  Courier& courier_;
  Combiner& combiner_;
};

}  // namespace gasnet::coll

#endif  // COLL_ASSEMBLY_H_
