#include "coll/parts.h"

#include <algorithm>
#include <cstring>

#include "coll/access.h"
#include "coll/choice.h"
#include "coll/disagreement.h"

namespace gasnet::coll {
namespace {

using OutState = OutPart::State;

}  // namespace

void Parts::Deliver(CollectiveOperation& op, Rank from,
                    const Envelope& envelope) {
  switch (envelope.header.type) {
    case MessageType::kEager:
      return OnEager(op, from, envelope);
    case MessageType::kOffer:
      return OnOffer(op, from, envelope);
    case MessageType::kPlaced:
      return OnPlaced(op, from, envelope);
    case MessageType::kReady:
      return OnReady(op, from, envelope);
    case MessageType::kTaken:
      return OnTaken(op, from, envelope);
    default:
      Refuse(envelope, "of an unexpected kind in");
  }
}

InPart& Parts::RequireIn(CollectiveOperation& op, Rank from,
                         const Envelope& envelope) {
  const CollHeader& header = envelope.header;
  const size_t index = AlgorithmOf(op).IndexOf(Of(op), header.key, from);
  if (header.phase != op.phase || index >= op.ins.size()) {
    Refuse(envelope, "about an unknown part of");
  }
  InPart& in = op.ins[index];
  if (in.from == InPart::kAnybody && !in.done) in.from = from;
  if (in.done || in.from != from) Refuse(envelope, "about an unknown part of");
  return in;
}

OutPart& Parts::RequireOut(CollectiveOperation& op, Rank from,
                           const Envelope& envelope) {
  const CollHeader& header = envelope.header;
  for (OutPart& out : op.outs) {
    if (out.to == from && out.key == header.key && out.phase == header.phase &&
        out.state != OutState::kDone) {
      return out;
    }
  }
  Refuse(envelope, "about an unknown part of");
}

void Parts::OnEager(CollectiveOperation& op, Rank from,
                    const Envelope& envelope) {
  InPart& in = RequireIn(op, from, envelope);
  if (envelope.nbytes != in.nbytes) RefuseSize(op, envelope, in.nbytes);
  if (in.nbytes > 0) {
    WillWrite(in.to, in.nbytes);
    std::memcpy(in.to, envelope.payload(), in.nbytes);
  }
  op.InDone(in);
}

void Parts::OnOffer(CollectiveOperation& op, Rank from,
                    const Envelope& envelope) {
  InPart& in = RequireIn(op, from, envelope);
  if (envelope.header.landing != in.nbytes) {
    RefuseSize(op, envelope, in.nbytes);
  }
  const Rank peer = op.team->rank_of(from);
  const uint64_t address = envelope.header.value;
  const std::byte* const source =
      address == 0 ? nullptr : fabric_.Mapped(peer, address, in.nbytes);
  if (source == nullptr) {
    if (!in.asked) SendReady(op, in, envelope.header.key);
    return;
  }
  if (in.asked) CloseLanding(in);
  if (in.borrows) {
    in.borrowed = source;
    op.borrowed.push_back({from, envelope.header.key, envelope.header.phase});
    return op.InDone(in);
  }
  CopyBytes(in.to, source, in.nbytes);
  courier_.Answer(op, MessageType::kTaken, from, envelope.header);
  op.InDone(in);
}

void Parts::OnPlaced(CollectiveOperation& op, Rank from,
                     const Envelope& envelope) {
  InPart& in = RequireIn(op, from, envelope);
  if (in.asked) CloseLanding(in);
  op.InDone(in);
}

void Parts::OnReady(CollectiveOperation& op, Rank from,
                    const Envelope& envelope) {
  OutPart& out = RequireOut(op, from, envelope);
  if (out.ready) Refuse(envelope, "again about a part of");
  out.ready = true;
  out.address = envelope.header.value;
  out.landing = envelope.header.landing;
}

void Parts::OnTaken(CollectiveOperation& op, Rank from,
                    const Envelope& envelope) {
  OutPart& out = RequireOut(op, from, envelope);
  if (!out.offered) Refuse(envelope, "about an unknown part of");
  op.OutDone(out);
}

bool Parts::IsEager(const CollectiveOperation& op, Rank peer,
                    size_t nbytes) const {
  if (op.algorithm->traits().is_all_eager) return true;
  return nbytes <=
         (op.team->IsNear(peer) ? settings_.eager_near : settings_.eager_far);
}

// Returns true if the sender begins by offering the part (kOffer). The sender
// and the receiver get the same answer.
bool Parts::IsPulled(const CollectiveOperation& op, Rank peer,
                     size_t nbytes) const {
  const Traits& traits = op.algorithm->traits();
  if (traits.has_own_sizes || op.request->nbytes >= Terms::kMany) return true;
  if (!op.team->IsNear(peer)) return false;
  return !traits.may_push || nbytes < settings_.push_from ||
         nbytes > settings_.push_to;
}

void Parts::BeginPhase(CollectiveOperation& op) {
  OperationPhase phase = Of(op);
  AlgorithmOf(op).Begin(phase);
  // Sends kReady for each incoming part whose sender waits for kReady. Senders
  // of eager parts do not wait, and senders of pulled parts first send an
  // offer.
  for (InPart& in : op.ins) {
    if (in.done || in.from == InPart::kAnybody) continue;
    if (IsEager(op, in.from, in.nbytes) || IsPulled(op, in.from, in.nbytes)) {
      continue;
    }
    SendReady(op, in, in.key);
  }
}

void Parts::SendReady(CollectiveOperation& op, InPart& in, uint32_t key) {
  in.asked = true;
  in.landing_name =
      landings_.Open(op.team->rank_of(in.from), in.to, in.nbytes, &in.landing);
  CollHeader header = HeaderOf(op, MessageType::kReady);
  header.phase = op.phase;
  header.key = key;
  header.value = fabric_.InSegment(in.to, in.nbytes);
  header.landing = in.landing_name;
  courier_.SendOrDefer(op, in.from, header);
}

void Parts::CloseLanding(InPart& in) {
  landings_.Close(in.landing_name);
  in.asked = false;
  in.landing = nullptr;
}

void Parts::CloseCompleteLandings(CollectiveOperation& op) {
  for (InPart& in : op.ins) {
    if (in.done || in.landing == nullptr || !in.landing->IsComplete()) continue;
    CloseLanding(in);
    op.InDone(in);
  }
}

void Parts::MoveThoseLeft(CollectiveOperation& op) {
  for (size_t i = 0; i < op.outs.size(); ++i) {
    OutPart& out = op.outs[i];
    if (out.state == OutState::kHeld) {
      if (MustWait(op, out)) continue;
      BeginOut(op, i);
    }
    if (out.state == OutState::kWaiting && out.ready) AnswerReady(op, out);
    if (out.state == OutState::kPieces) SendPiece(op, out);
    if (out.state == OutState::kLent && op.loan.IsOver()) op.OutDone(out);
  }
}

void Parts::BeginOut(CollectiveOperation& op, size_t index) {
  OutPart& out = op.outs[index];
  out.state = OutState::kWaiting;
  if (IsEager(op, out.to, out.nbytes)) {
    courier_.SendOrDefer(op, out.to, HeaderOf(op, MessageType::kEager, out),
                         index);
  } else if (IsPulled(op, out.to, out.nbytes)) {
    Offer(op, out);
  }
}

void Parts::Offer(CollectiveOperation& op, OutPart& out) {
  out.offered = true;
  CollHeader header = HeaderOf(op, MessageType::kOffer, out);
  header.value =
      op.team->IsNear(out.to) ? fabric_.InSegment(out.from, out.nbytes) : 0;
  header.landing = out.nbytes;
  courier_.SendOrDefer(op, out.to, header);
}

void Parts::AnswerReady(CollectiveOperation& op, OutPart& out) {
  const Rank peer = op.team->rank_of(out.to);
  std::byte* const dest = out.address == 0
                              ? nullptr
                              : fabric_.Mapped(peer, out.address, out.nbytes);
  if (dest != nullptr) {
    CopyBytes(dest, out.from, out.nbytes);
    courier_.SendOrDefer(op, out.to, HeaderOf(op, MessageType::kPlaced, out));
    return op.OutDone(out);
  }
  if (op.team->IsNear(out.to) && !out.offered &&
      fabric_.InSegment(out.from, out.nbytes) != 0) {
    out.ready = false;
    return Offer(op, out);
  }
  out.state = OutState::kPieces;
}

// Sends one piece per turn, so that all peers get pieces in turn.
void Parts::SendPiece(CollectiveOperation& op, OutPart& out) {
  WillRead(out.from + out.sent, out.nbytes - out.sent);
  out.sent += fabric_.SendPiece(op.team->rank_of(out.to), out.landing,
                                out.address, out.from + out.sent,
                                out.nbytes - out.sent, out.sent, op.loan);
  if (out.sent == out.nbytes) out.state = OutState::kLent;
  has_more_ = true;
}

void Parts::ReturnBorrowed(CollectiveOperation& op) {
  for (const Borrowed& it : op.borrowed) {
    CollHeader header = HeaderOf(op, MessageType::kTaken);
    header.phase = it.phase;
    header.key = it.key;
    courier_.SendOrDefer(op, it.from, header);
  }
  op.borrowed.clear();
}

bool Parts::MayReadLater(const CollectiveOperation& op) const {
  if (op.outs_left == 0) return false;
  return std::any_of(op.outs.begin(), op.outs.end(), [&](const OutPart& out) {
    return out.state != OutState::kDone && out.state != OutState::kHeld &&
           !op.team->IsNear(out.to) && !IsEager(op, out.to, out.nbytes);
  });
}

}  // namespace gasnet::coll
