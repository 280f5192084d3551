#include "coll/node.h"

#include <utility>

#include "base/cpu.h"
#include "coll/choice.h"
#include "coll/disagreement.h"
#include "core/thread/mode.h"
#include "core/thread/word.h"

namespace gasnet::coll {
namespace {

using Stage = CollectiveOperation::Stage;

// Returns true if the message belongs to a phase that this node has not
// reached. An answer about an outgoing part is never early: it carries the
// phase of the outgoing part, and this node has begun that phase already.
bool IsEarly(const CollectiveOperation& op, const CollHeader& header) {
  return op.stage < Stage::kMoving || header.phase > op.phase;
}

bool MayRetire(const CollectiveOperation& op) {
  const Stage last =
      op.request->out == SyncMode::kAll ? Stage::kFinished : Stage::kMoved;
  return op.stage >= last && op.outs_left == 0 && op.deferred.empty();
}

void SetOwners(CollectiveOperation& op) {
  const BlockMap& map = op.request->blocks;
  if (map.form != BlockMap::Form::kListed) return;
  op.owners.resize(map.total);
  for (uint32_t k = 0; k < map.total; ++k) {
    op.owners[k] = op.team->index_of(map.owners[k]);
    if (op.owners[k] == op.team->me()) op.mine.push_back(k);
  }
}

}  // namespace

Node::Node(Fabric& fabric, const CollSettings& settings)
    : fabric_(fabric),
      settings_(settings),
      courier_(fabric),
      parts_(fabric, settings_, courier_, combiner_),
      assembly_(fabric, settings_, courier_, combiner_),
      inquiry_(fabric, courier_, assembly_),
      at_once_(fabric, settings_, courier_, combiner_, assembly_, inbox_) {}

void Node::Seize() {
  while (!driving_.TryBegin()) CpuRelax();
}

TeamTable::Name Node::TakeTeamName() {
  Seize();
  const TeamTable::Name name = teams_.Take();
  StopDriving();
  return name;
}

void Node::GiveBackTeamName(uint16_t id) {
  Seize();
  teams_.GiveBack(id);
  StopDriving();
}

Team& Node::AddTeam(Team::Members members) {
  Seize();
  Team& team = teams_.Add(std::move(members));
  DispatchAll(parked_);
  StopDriving();
  return team;
}

bool Node::RemoveTeam(Team& team) {
  Seize();
  const bool is_idle = team.busy == 0;
  DropIdleTeams();
  if (is_idle) teams_.Remove(team);
  StopDriving();
  return is_idle;
}

CollectiveOperation* Node::Begin(Team& team, const CollectiveRequest& request) {
  CollectiveOperation& op = pool_.Take();
  op.team = &team;
  op.request = &request;
  op.terms = TermsOf(request);
  op.algorithm = &Choose(team, request, settings_);
  op.number = team.next++;
  team.status.NoteBegun(team.CountOf(op.number));
  if (driving_.TryBegin()) {
    TakeBegun();
    const bool is_small = at_once_.MayRun(op);
    if (is_small && RunAtOnce(op)) {
      pool_.Give(op);
      // This call may have taken messages for other operations. DriveAll
      // handles these messages. It also wakes threads that sleep until one of
      // these operations completes.
      if (busy_.load(std::memory_order_relaxed) != 0) DriveAll();
      StopDriving();
      return nullptr;
    }
    thread::FetchAdd(busy_, 1, std::memory_order_seq_cst);
    is_small ? CountIn(team) : Queue(op);
    DriveAll();
    if (!op.IsRetired()) op.Keep();
    StopDriving();
  } else {
    thread::FetchAdd(busy_, 1, std::memory_order_seq_cst);
    op.Keep();
    begun_.Give(op);
    Drive();
  }
  if (!op.IsSynced() || HasVote(request)) return &op;
  Release(op);
  return nullptr;
}

// Runs an operation within its call, as far as possible. Returns true if the
// operation is over. Otherwise the operation stays in Team::live, and later
// drives continue it.
bool Node::RunAtOnce(CollectiveOperation& op) {
  const bool is_alone = busy_.load(std::memory_order_relaxed) == 0;
  op.team->live[op.number % kWindow] = &op;
  op.team->started = op.number + 1;
  op.stage =
      op.request->in == SyncMode::kAll ? Stage::kMeetingIn : Stage::kMoving;
  const bool is_over = at_once_.Run(op, is_alone, [&] {
    TakeMail();
    TakeEarly(op);
  });
  if (is_over) MarkOver(op);
  return is_over;
}

void Node::Release(CollectiveOperation& op) {
  const uint8_t before = thread::FetchOr(
      op.state, CollectiveOperation::kReleased, std::memory_order_acq_rel);
  if ((before & CollectiveOperation::kRetired) != 0) pool_.Give(op);
}

void Node::Drive() {
  if (!driving_.TryBegin() && !driving_.TryBeginAgain()) return;
  inquiry_.InquireNowAndThen(active_);
  DriveAll();
  StopDriving();
}

// Drives again if work is left. If another thread has begun to drive, that
// thread looks for the rest of the work too (driving.h).
bool Node::DriveTheRest() {
  fabric_.WakeOwn();
  if (!begun_.HasAny() && !inbox_.HasMail()) return false;
  if (!driving_.TryBegin() && !driving_.TryBeginAgain()) return false;
  DriveAll();
  driving_.End();
  return true;
}

void Node::DriveAll() {
  bool synced_any = false;
  do {
    parts_.BeginTurn();
    TakeBegun();
    TakeMail();
    for (size_t i = 0; i < active_.size(); ++i) AdvanceTeam(*active_[i]);
    DropIdleTeams();
    synced_any = synced_any || synced_;
    synced_ = false;
  } while (parts_.has_more() || inbox_.HasMail());
  if (thread::kManyThreads && synced_any) fabric_.WakeOwn();
}

void Node::TakeBegun() {
  for (CollectiveOperation* op = begun_.TakeAll(); op != nullptr;) {
    CollectiveOperation* const next = std::exchange(op->next, nullptr);
    Queue(*op);
    op = next;
  }
}

void Node::CountIn(Team& team) {
  if (team.busy++ == 0) active_.push_back(&team);
}

void Node::Queue(CollectiveOperation& op) {
  Team& team = *op.team;
  CountIn(team);
  *team.queued_end = &op;
  team.queued_end = &op.next;
  StartQueued(team);
}

void Node::DropIdleTeams() {
  std::erase_if(active_, [](const Team* team) { return team->busy == 0; });
}

void Node::StartQueued(Team& team) {
  while (team.queued != nullptr && team.window.Admits(team.queued->number)) {
    CollectiveOperation& op = *team.queued;
    team.queued = std::exchange(op.next, nullptr);
    if (team.queued == nullptr) team.queued_end = &team.queued;
    team.live[op.number % kWindow] = &op;
    team.started = op.number + 1;
    SetOwners(op);
    op.stage =
        op.request->in == SyncMode::kAll ? Stage::kMeetingIn : Stage::kMoving;
    if (op.stage == Stage::kMoving) parts_.BeginPhase(op);
    TakeEarly(op);
    Advance(op);
  }
}

void Node::AdvanceTeam(Team& team) {
  for (uint32_t n = team.window.base(); n != team.started; ++n) {
    CollectiveOperation* const op = team.live[n % kWindow];
    if (op != nullptr) Advance(*op);
  }
  StartQueued(team);
}

// Dispatches all messages that are in the queue now. Dispatch may put some
// messages back in the queue.
void Node::DispatchAll(EnvelopeQueue& queue) {
  EnvelopeQueue there;
  while (Envelope* const it = queue.Pop()) there.Push(*it);
  while (Envelope* const it = there.Pop()) Dispatch(*it);
}

void Node::TakeEarly(CollectiveOperation& op) {
  EnvelopeQueue& early = op.team->early[op.number % kWindow];
  if (!early.IsEmpty()) DispatchAll(early);
}

// Handles the message and frees its envelope, or keeps the envelope for later.
void Node::Dispatch(Envelope& envelope) {
  const CollHeader& header = envelope.header;
  if (teams_.HasEnded(header.team, header.number)) {
    return inbox_.Free(envelope);
  }
  Team* const found = teams_.Find(header.team);
  if (found == nullptr) return parked_.Push(envelope);
  Team& team = *found;
  const Rank from = team.index_of(envelope.from);
  if (from == Team::kNoMember) RefuseStranger(envelope.from);
  team.window.Heard(from, header.base);
  if (inquiry_.HearsInPassing(team, from, envelope)) {
    return inbox_.Free(envelope);
  }
  if (!team.window.Admits(header.number)) RefuseNumber(team, envelope);
  CollectiveOperation* const op = team.live[header.number % kWindow];
  const bool begun = op != nullptr && op->number == header.number;
  if (!begun) {
    // An operation that is over here can get no more messages.
    if (static_cast<int32_t>(header.number - team.started) < 0) {
      RefuseNumber(team, envelope);
    }
    team.early[header.number % kWindow].Push(envelope);
    return;
  }
  RequireSameTerms(*op, envelope);
  if (header.type == MessageType::kMeet) {
    AllSyncBarrier::HearMeeting(*op, header);
  } else if (IsEarly(*op, header)) {
    team.early[header.number % kWindow].Push(envelope);
    return;
  } else {
    parts_.Deliver(*op, from, envelope);
  }
  inbox_.Free(envelope);
  courier_.SendBaseIfOwed(team, from);
}

void Node::Advance(CollectiveOperation& op) {
  courier_.SendDeferred(op);
  if (op.stage == Stage::kMeetingIn) {
    if (!assembly_.Meet(op, 0)) return;
    op.stage = Stage::kMoving;
    parts_.BeginPhase(op);
    TakeEarly(op);
  }
  parts_.LookAtLandings(op);
  parts_.MoveOuts(op);
  while (op.stage == Stage::kMoving && PhaseIsOver(op) &&
         PartnersHaveMoved(op)) {
    NextPhase(op);
  }
  if (op.stage == Stage::kMoved && op.outs_left == 0 &&
      op.request->out == SyncMode::kAll) {
    op.stage = Stage::kMeetingOut;
  }
  if (op.stage == Stage::kMeetingOut && assembly_.Meet(op, 1)) {
    op.stage = Stage::kFinished;
  }
  if (IsComplete(op)) MarkSynced(op);
  if (MayRetire(op)) Retire(op);
}

bool Node::PhaseIsOver(CollectiveOperation& op) const {
  return op.ins_left == 0 &&
         (op.outs_left == 0 || !op.algorithm->traits().overwrites_outs);
}

// Returns true if the transfers of a generalized put or get are done. The
// transfers begin at the end of the operation's first phase, when all accessed
// nodes have entered. The phase ends when the transfers are done; until then
// each drive checks again. Other operations have no transfers; returns true for
// them.
bool Node::PartnersHaveMoved(CollectiveOperation& op) {
  const CollectiveKind kind = op.request->kind;
  if (op.phase > 0 ||
      (kind != CollectiveKind::kPut && kind != CollectiveKind::kGet))
    return true;
  if (op.moves == nullptr) {
    op.moves = fabric_.MovePartners(*op.request);
    return op.moves == nullptr;
  }
  if (!fabric_.HaveMoved(*op.moves)) return false;
  op.moves = nullptr;
  return true;
}

void Node::NextPhase(CollectiveOperation& op) {
  OperationPhase phase = parts_.Of(op);
  AlgorithmOf(op).Finish(phase);
  parts_.ReturnBorrowed(op);
  if (op.phase + 1u == PhasesOf(op)) {
    op.stage = Stage::kMoved;
    return;
  }
  ++op.phase;
  parts_.BeginPhase(op);
  TakeEarly(op);
  parts_.LookAtLandings(op);
  parts_.MoveOuts(op);
}

bool Node::IsComplete(const CollectiveOperation& op) const {
  switch (op.request->out) {
    case SyncMode::kNone:
      return op.stage >= Stage::kMoved && !parts_.MayReadLater(op);
    case SyncMode::kMine:
      return op.stage >= Stage::kMoved && op.outs_left == 0;
    case SyncMode::kAll:
      return op.stage == Stage::kFinished;
  }
  return false;
}

void Node::MarkSynced(CollectiveOperation& op) {
  if (op.IsSynced()) return;
  thread::FetchOr(op.state, CollectiveOperation::kSynced,
                  std::memory_order_release);
  synced_ = true;
}

// Records that an operation is over. Called when no more messages for it are
// possible.
void Node::MarkOver(const CollectiveOperation& op) {
  Team& team = *op.team;
  team.live[op.number % kWindow] = nullptr;
  team.MarkOver(op.number, op.terms);
  uint32_t base = team.window.base();
  while (base != team.started && team.live[base % kWindow] == nullptr) ++base;
  team.window.SetBase(base);
  team.window.ForAdmitted([&](Rank rank) { courier_.SendBase(team, rank); });
}

void Node::Retire(CollectiveOperation& op) {
  MarkOver(op);
  --op.team->busy;
  thread::FetchAdd(busy_, -uint32_t{1}, std::memory_order_relaxed);
  const uint8_t before = thread::FetchOr(
      op.state, CollectiveOperation::kRetired, std::memory_order_acq_rel);
  if ((before & CollectiveOperation::kReleased) != 0) pool_.Give(op);
}

}  // namespace gasnet::coll
