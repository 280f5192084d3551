// The collectives of one node: takes what has arrived, moves parts, and takes
// each operation through its stages.
//
//   client's thread   Begin: numbers the operation, queues it, drives; what is
//                     over by then was never copied, or had no record at all
//                     (at_once.h)
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

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "coll/at_once.h"
#include "coll/combine.h"
#include "coll/disagreement.h"
#include "coll/driving.h"
#include "coll/fabric.h"
#include "coll/handover.h"
#include "coll/inbox.h"
#include "coll/operation.h"
#include "coll/operation_pool.h"
#include "coll/parts.h"
#include "coll/schedule.h"
#include "coll/settings.h"
#include "coll/team.h"
#include "core/thread/mode.h"
#include "core/thread/word.h"

namespace gasnet::coll {

template <Fabric F>
class Node : private AtOnce<F> {
 public:
  Node(F& fabric, const Settings& settings) : Base(fabric, settings) {}

  Inbox& inbox() { return inbox_; }
  Landings& landings() { return landings_; }
  const Settings& settings() const { return settings_; }
  // On all nodes, while nothing moves.
  void Use(const Settings& settings) { settings_ = settings; }
  // Whether nothing is under way and nothing has come: what drives may rest.
  bool IsIdle() const {
    return busy_.load(std::memory_order_seq_cst) == 0 && !inbox_.HasMail();
  }

  // By one thread at a time, while nobody begins an operation on it.
  Team& AddTeam(Team::Members members) {
    while (!driving_.TryBegin()) CpuRelax();
    const uint16_t id = members.id;
    if (teams_.size() <= id) teams_.resize(id + 1u);
    teams_[id] = std::make_unique<Team>(std::move(members));
    DispatchAll(parked_);
    StopDriving();
    return *teams_[id];
  }

  // Null: complete, and gone. A barrier stays, since its vote is asked for.
  Operation* Begin(Team& team, const Request& request) {
    const Terms terms = TermsOf(request);
    const uint32_t number = team.next++;
    const bool drives = driving_.TryBegin();
    bool sent = false;
    if (drives) {
      TakeBegun();
      if (this->MayBeAtOnce(team, request)) {
        TakeMail();
        const Outcome outcome = this->TryAtOnce(
            team, inbox_, number, request, terms,
            busy_.load(std::memory_order_relaxed) == 0, [&] { TakeMail(); });
        sent = outcome == Outcome::kSent;
        if (outcome == Outcome::kOver) {
          // The mail may have been of others, for whom somebody may sleep.
          if (busy_.load(std::memory_order_relaxed) != 0) DriveAll();
          StopDriving();
          return nullptr;
        }
      }
    }
    Operation& op = pool_.Take();
    op.team = &team;
    op.request = &request;
    op.terms = terms;
    op.number = number;
    op.sent = sent;
    thread::FetchAdd(busy_, 1, std::memory_order_seq_cst);
    if (drives) {
      Queue(op);
      DriveAll();
      if (!op.IsRetired()) op.Keep();
      StopDriving();
    } else {
      op.Keep();
      begun_.Give(op);
      Drive();
    }
    if (!op.IsSynced() || request.kind == Kind::kBarrier) return &op;
    Release(op);
    return nullptr;
  }

  // Of one that is synced.
  void Release(Operation& op) {
    const uint8_t before = thread::FetchOr(op.state, Operation::kReleased,
                                           std::memory_order_acq_rel);
    if ((before & Operation::kRetired) != 0) pool_.Give(op);
  }

  // As far as it goes without waiting.
  void Drive() {
    if (!driving_.TryBegin() && !driving_.TryBeginAgain()) return;
    this->InquireNowAndThen(active_);
    DriveAll();
    StopDriving();
  }

 private:
  using Base = AtOnce<F>;
  using Outcome = typename Base::Outcome;
  using Stage = Operation::Stage;
  using Base::again_, Base::combiner_, Base::fabric_, Base::landings_;
  using Base::BeginPhase, Base::LookAtLandings, Base::MayReadLater;
  using Base::Deliver, Base::MoveOuts, Base::Of, Base::ReturnBorrowed;
  using Base::HearMeeting, Base::HearsInPassing, Base::Meet;
  using Base::SendBaseIfOwed;
  using Base::SendDeferred, Base::settings_, Base::SendBase;

  // ---- driving

  void StopDriving() {
    driving_.End();
    while (driving_.TakeMissed()) {
      if (!DriveTheRest()) return;
    }
  }
  // Where another thread drives by now, that one has been notified to look as
  // well.
  [[gnu::noinline]] bool DriveTheRest() {
    fabric_.WakeOwn();
    if (!begun_.HasAny() && !inbox_.HasMail()) return false;
    if (!driving_.TryBegin() && !driving_.TryBeginAgain()) return false;
    DriveAll();
    driving_.End();
    return true;
  }

  void DriveAll() {
    bool synced_any = false;
    do {
      again_ = false;
      TakeBegun();
      TakeMail();
      for (size_t i = 0; i < active_.size(); ++i) AdvanceTeam(*active_[i]);
      DropIdleTeams();
      synced_any = synced_any || synced_;
      synced_ = false;
    } while (again_ || inbox_.HasMail());
    if (thread::kManyThreads && synced_any) fabric_.WakeOwn();
  }

  void TakeBegun() {
    for (Operation* op = begun_.TakeAll(); op != nullptr;) {
      Operation* const next = std::exchange(op->next, nullptr);
      Queue(*op);
      op = next;
    }
  }

  void Queue(Operation& op) {
    Team& team = *op.team;
    if (team.busy++ == 0) active_.push_back(&team);
    *team.queued_end = &op;
    team.queued_end = &op.next;
    StartQueued(team);
  }

  void DropIdleTeams() {
    std::erase_if(active_, [](const Team* team) { return team->busy == 0; });
  }

  void StartQueued(Team& team) {
    while (team.queued != nullptr && team.window.Admits(team.queued->number)) {
      Operation& op = *team.queued;
      team.queued = std::exchange(op.next, nullptr);
      if (team.queued == nullptr) team.queued_end = &team.queued;
      team.live[op.number % kWindow] = &op;
      team.started = op.number + 1;
      SetOwners(op);
      op.stage =
          op.request->in == Sync::kAll ? Stage::kMeetingIn : Stage::kMoving;
      if (op.stage == Stage::kMoving) BeginPhase(op);
      TakeEarly(op);
      Advance(op);
    }
  }

  void AdvanceTeam(Team& team) {
    for (uint32_t n = team.window.base(); n != team.started; ++n) {
      Operation* const op = team.live[n % kWindow];
      if (op != nullptr) Advance(*op);
    }
    StartQueued(team);
  }

  // ---- messages that have come

  // All that is there now; some of it may come back to the queue.
  void DispatchAll(EnvelopeQueue& queue) {
    EnvelopeQueue there;
    while (Envelope* const it = queue.Pop()) there.Push(*it);
    while (Envelope* const it = there.Pop()) Dispatch(*it);
  }
  void TakeEarly(Operation& op) {
    DispatchAll(op.team->early[op.number % kWindow]);
  }

  void TakeMail() {
    while (Envelope* const envelope = inbox_.Pop()) Dispatch(*envelope);
  }

  // Frees the envelope, or keeps it for later.
  void Dispatch(Envelope& envelope) {
    const Header& header = envelope.header;
    if (header.team >= teams_.size() || teams_[header.team] == nullptr) {
      parked_.Push(envelope);
      return;
    }
    Team& team = *teams_[header.team];
    const Rank from = team.index_of(envelope.from);
    if (from == Team::kNoMember) RefuseStranger(envelope.from);
    team.window.Heard(from, header.base);
    if (HearsInPassing(team, from, envelope)) return inbox_.Free(envelope);
    if (!team.window.Admits(header.number)) RefuseNumber(team, envelope);
    Operation* const op = team.live[header.number % kWindow];
    const bool begun = op != nullptr && op->number == header.number;
    if (!begun) {
      // Of a number that is over here nothing can come.
      if (static_cast<int32_t>(header.number - team.started) < 0) {
        RefuseNumber(team, envelope);
      }
      team.early[header.number % kWindow].Push(envelope);
      return;
    }
    RequireSameTerms(*op, envelope);
    if (header.type == MessageType::kMeet) {
      HearMeeting(*op, header);
    } else if (IsEarly(*op, header)) {
      team.early[header.number % kWindow].Push(envelope);
      return;
    } else {
      Deliver(*op, from, envelope);
    }
    inbox_.Free(envelope);
    SendBaseIfOwed(team, from);
  }

  // Of a phase that this node has not come to. An answer to a part that goes
  // out is of the phase of that part, which began.
  static bool IsEarly(const Operation& op, const Header& header) {
    if (op.stage < Stage::kMoving) return true;
    return header.phase > op.phase;
  }

  // ---- stages

  void Advance(Operation& op) {
    SendDeferred(op);
    if (op.stage == Stage::kMeetingIn) {
      if (!Meet(op, 0)) return;
      op.stage = Stage::kMoving;
      BeginPhase(op);
      TakeEarly(op);
    }
    LookAtLandings(op);
    MoveOuts(op);
    while (op.stage == Stage::kMoving && PhaseIsOver(op) &&
           PartnersHaveMoved(fabric_, op)) {
      NextPhase(op);
    }
    if (op.stage == Stage::kMoved && op.outs_left == 0 &&
        op.request->out == Sync::kAll) {
      op.stage = Stage::kMeetingOut;
    }
    if (op.stage == Stage::kMeetingOut && Meet(op, 1)) {
      op.stage = Stage::kFinished;
    }
    if (IsComplete(op)) MarkSynced(op);
    if (MayRetire(op)) Retire(op);
  }

  bool PhaseIsOver(Operation& op) {
    return op.ins_left == 0 &&
           (op.outs_left == 0 || !Of(op).FinishOverwrites());
  }

  void NextPhase(Operation& op) {
    Of(op).Finish();
    ReturnBorrowed(op);
    if (op.phase + 1u == Of(op).Phases()) {
      op.stage = Stage::kMoved;
      return;
    }
    ++op.phase;
    BeginPhase(op);
    TakeEarly(op);
    LookAtLandings(op);
    MoveOuts(op);
  }

  bool IsComplete(const Operation& op) const {
    switch (op.request->out) {
      case Sync::kNone:
        return op.stage >= Stage::kMoved && !MayReadLater(op);
      case Sync::kMine:
        return op.stage >= Stage::kMoved && op.outs_left == 0;
      case Sync::kAll:
        return op.stage == Stage::kFinished;
    }
    return false;
  }

  void MarkSynced(Operation& op) {
    if (op.IsSynced()) return;
    thread::FetchOr(op.state, Operation::kSynced, std::memory_order_release);
    synced_ = true;
  }

  static bool MayRetire(const Operation& op) {
    const Stage last =
        op.request->out == Sync::kAll ? Stage::kFinished : Stage::kMoved;
    return op.stage >= last && op.outs_left == 0 && op.deferred.empty();
  }

  void Retire(Operation& op) {
    Team& team = *op.team;
    team.live[op.number % kWindow] = nullptr;
    team.MarkOver(op.number, op.terms);
    --team.busy;
    uint32_t base = team.window.base();
    while (base != team.started && team.live[base % kWindow] == nullptr) ++base;
    team.window.SetBase(base);
    team.window.ForAdmitted([&](Rank rank) { SendBase(team, rank); });
    thread::FetchAdd(busy_, -uint32_t{1}, std::memory_order_relaxed);
    const uint8_t before = thread::FetchOr(op.state, Operation::kRetired,
                                           std::memory_order_acq_rel);
    if ((before & Operation::kReleased) != 0) pool_.Give(op);
  }

  static void SetOwners(Operation& op) {
    const BlockMap& map = op.request->blocks;
    if (map.form != BlockMap::Form::kListed) return;
    op.owners.resize(map.total);
    for (uint32_t k = 0; k < map.total; ++k) {
      op.owners[k] = op.team->index_of(map.owners[k]);
      if (op.owners[k] == op.team->me()) op.mine.push_back(k);
    }
  }

  Inbox inbox_;
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
