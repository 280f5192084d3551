// The collectives of one node: takes what has arrived, moves parts, and takes
// each operation through its stages.
//
//   client's thread   Begin: numbers the operation, queues it, drives; what is
//                     over by then was never copied, or queued (at_once.h)
//   handlers          push into inbox and landings, nothing else
//   who drives        everything else
//
// Driving. The thread that drives (driving.h) owns teams, windows and
// operations, and holds no lock while it sends, copies, or calls a client's
// function. A send may serve the network, so handlers run within, but no other
// drive. A driver that was missed drives again for operations that were handed
// over, and for mail. Ends of landings and of loans concern threads that wait:
// it wakes them, and each drives before it sleeps again (core/am/wait.h).
//
// How parts travel: parts.h; how messages wait for their turn: courier.h.
//
// Memory is touched when its node has entered: the sender's by itself, the
// dest's once kReady or kTaken's answer has said so; eager bytes wait in the
// inbox. Under ALLSYNC nothing is begun before all have entered.
#ifndef COLL_NODE_H_
#define COLL_NODE_H_

#include <atomic>
#include <cstdint>
#include <memory>
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

namespace gasnet::coll {

class Node {
 public:
  // The fabric stays.
  Node(Fabric& fabric, const Settings& settings);

  Inbox& inbox() { return inbox_; }
  Landings& landings() { return parts_.landings(); }
  const Settings& settings() const { return settings_; }
  // On all nodes, while nothing moves.
  void Use(const Settings& settings) { settings_ = settings; }
  // Returns true if nothing is under way and nothing has come: what drives may
  // rest.
  bool IsIdle() const {
    return busy_.load(std::memory_order_seq_cst) == 0 && !inbox_.HasMail();
  }

  // By one thread at a time, while nobody begins an operation on it.
  Team& AddTeam(Team::Members members);

  // Null: complete, and gone. A barrier stays, since its vote is asked for.
  Operation* Begin(Team& team, const Request& request);

  // Of one that is synced.
  void Release(Operation& op);

  // As far as it goes without waiting.
  void Drive();

 private:
  bool RunAtOnce(Operation& op);

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
  void Queue(Operation& op);
  void DropIdleTeams();
  void StartQueued(Team& team);
  void AdvanceTeam(Team& team);

  void DispatchAll(EnvelopeQueue& queue);
  void TakeEarly(Operation& op);
  void TakeMail() {
    while (Envelope* const envelope = inbox_.Pop()) Dispatch(*envelope);
  }
  void Dispatch(Envelope& envelope);

  void Advance(Operation& op);
  bool PhaseIsOver(Operation& op) const;
  bool PartnersHaveMoved(Operation& op);
  void NextPhase(Operation& op);
  bool IsComplete(const Operation& op) const;
  void MarkSynced(Operation& op);
  void MarkOver(const Operation& op);
  void Retire(Operation& op);

  Fabric& fabric_;
  Settings settings_;
  Inbox inbox_;
  Combiner combiner_;
  Courier courier_;
  Parts parts_;
  Assembly assembly_;
  Inquiry inquiry_;
  AtOnce at_once_;
  OperationPool pool_;
  std::atomic<uint32_t> busy_{0};

  Handover begun_;
  Driving driving_;
  std::vector<std::unique_ptr<Team>> teams_;  // by id; of the driving thread
  std::vector<Team*> active_;
  EnvelopeQueue parked_;  // of teams that are not there yet
  bool synced_ = false;
};

}  // namespace gasnet::coll

#endif  // COLL_NODE_H_
