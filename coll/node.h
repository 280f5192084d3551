// The collectives of one node. It handles arrived messages, moves parts, and
// takes each operation through its stages.
//
//   client's thread   Begin numbers the operation, queues it and drives. An
//                     operation that completes within the call is never copied
//                     or queued (at_once.h).
//   handlers          push into inbox and landings, nothing else
//   driving thread    does everything else
//
// The driving thread (driving.h) owns teams, windows and operations. It holds
// no lock while it sends, copies, or calls a client's function. A send may
// serve the network, so handlers may run within a send, but the node is not
// driven again within a send. If other threads found a driver at work, the
// driver checks again after End: it drives again if operations were handed over
// or mail has arrived. Completed landings and loans concern only waiting
// threads. The driver wakes these threads, and each of them drives before it
// sleeps again (core/am/wait.h).
//
// parts.h describes how parts travel. courier.h describes how messages wait for
// the window of their receiver.
//
// A node's memory is accessed only after the node has entered the operation.
// Its source is read by the node itself, or by peers after kOffer. Its dest is
// written after kReady, or by the node itself. Eager bytes wait in the inbox.
// With ALLSYNC no data moves before all nodes have entered.
#ifndef COLL_NODE_H_
#define COLL_NODE_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "coll/assembly.h"
#include "coll/at_once.h"
#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/driving.h"
#include "coll/fabric.h"
#include "coll/handover.h"
#include "coll/inbox.h"
#include "coll/inquiry.h"
#include "coll/landings.h"
#include "coll/operation.h"
#include "coll/operation_pool.h"
#include "coll/parts.h"
#include "coll/request.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "coll/team_table.h"

namespace gasnet::coll {

class Node {
 public:
  // `fabric` must outlive the node.
  Node(Fabric& fabric, const CollSettings& settings);

  Inbox& inbox() { return inbox_; }
  Landings& landings() { return parts_.landings(); }
  const CollSettings& settings() const { return settings_; }
  // Replaces the settings. Called on all nodes, while no operation is under
  // way.
  void Use(const CollSettings& settings) { settings_ = settings; }
  // Returns true if no operation is under way and no message has arrived, so
  // that driving may pause.
  bool IsIdle() const {
    return busy_.load(std::memory_order_seq_cst) == 0 && !inbox_.HasMail();
  }

  // TakeTeamName takes an id for a team, GiveBackTeamName gives it back
  // (team_table.h). Any thread may call them.
  TeamTable::Name TakeTeamName();
  void GiveBackTeamName(uint16_t id);
  // Adds a team. Any thread may call this. No thread may begin an operation on
  // the team before the call returns.
  Team& AddTeam(Team::Members members);
  // Ends a team. Its id must come from TakeTeamName, and all nodes of the team
  // must end the team. If operations of the team are under way on this node,
  // does nothing and returns false.
  bool RemoveTeam(Team& team);

  // Begins an operation. Returns null if the operation is already complete and
  // released. Never returns null for a barrier with a vote.
  CollectiveOperation* Begin(Team& team, const CollectiveRequest& request);

  // Releases a synced operation.
  void Release(CollectiveOperation& op);

  // Does all work that is possible without waiting, unless another thread
  // drives.
  void Drive();

 private:
  // Spins until this thread is the driving thread.
  void Seize();
  bool RunAtOnce(CollectiveOperation& op);

  void StopDriving() {
    driving_.End();
    while (driving_.TakeMissed()) {
      if (!DriveTheRest()) return;
    }
  }
  bool DriveTheRest();
  void DriveAll();
  void TakeBegun();
  void CountIn(Team& team);
  void Queue(CollectiveOperation& op);
  void DropIdleTeams();
  void StartQueued(Team& team);
  void AdvanceTeam(Team& team);

  void DispatchAll(EnvelopeQueue& queue);
  void TakeEarly(CollectiveOperation& op);
  void TakeMail() {
    while (Envelope* const envelope = inbox_.Pop()) Dispatch(*envelope);
  }
  void Dispatch(Envelope& envelope);

  void Advance(CollectiveOperation& op);
  bool PhaseIsOver(CollectiveOperation& op) const;
  bool PartnersHaveMoved(CollectiveOperation& op);
  void NextPhase(CollectiveOperation& op);
  bool IsComplete(const CollectiveOperation& op) const;
  void MarkSynced(CollectiveOperation& op);
  void MarkOver(const CollectiveOperation& op);
  void Retire(CollectiveOperation& op);

  Fabric& fabric_;
  CollSettings settings_;
  Inbox inbox_;
  Combiner combiner_;
  Courier courier_;
  Parts parts_;
  AllSyncBarrier assembly_;
  Inquiry inquiry_;
  AtOnce at_once_;
  OperationPool pool_;
  std::atomic<uint32_t> busy_{0};

  Handover begun_;
  Driving driving_;
  TeamTable teams_;
  std::vector<Team*> active_;
  EnvelopeQueue parked_;  // messages of teams that do not exist here yet
  bool synced_ = false;
};

}  // namespace gasnet::coll

#endif  // COLL_NODE_H_
