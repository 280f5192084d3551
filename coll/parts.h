// Moves the incoming and outgoing parts of operations. A part of node.h, called
// by the thread that drives.
//
// A part's way, by its size and by whether its ends map each other's segments;
// both ends know which:
//
//   eager   one message with the bytes; kept in the inbox until it is wanted
//   pulled  kOffer; the receiver copies from the source; kTaken
//   pushed  kReady; the sender copies into the dest; kPlaced
//   pieces  kReady; messages straight into the dest
//
// An offer whose source is in no segment is answered by kReady; a dest in no
// segment gets an offer, or pieces. So the receiver of a pulled part, and the
// sender of any other, waits for one message, and either may fall back.
#ifndef COLL_PARTS_H_
#define COLL_PARTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coll/access.h"
#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/disagreement.h"
#include "coll/inbox.h"
#include "coll/landings.h"
#include "coll/schedule.h"

namespace gasnet::coll {

template <Fabric F>
class Parts : protected Courier<F> {
 protected:
  using Base = Courier<F>;
  using OutState = OutPart::State;
  using Base::again_, Base::fabric_, Base::settings_;
  using Base::Answer, Base::HeaderOf, Base::InDone, Base::OutDone;
  using Base::SendOrDefer;

  using Base::Base;
  ~Parts() = default;

  // A message of a part, of a phase that has begun.
  void Deliver(Operation& op, Rank from, const Envelope& envelope) {
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
        Refuse(envelope, "of a kind that cannot come in");
    }
  }

  InPart& RequireIn(Operation& op, Rank from, const Envelope& envelope) {
    const Header& header = envelope.header;
    const size_t index = Of(op).IndexOf(header.key, from);
    if (header.phase != op.phase || index >= op.ins.size()) {
      Refuse(envelope, "of no part of");
    }
    InPart& in = op.ins[index];
    if (in.from == InPart::kAnybody && !in.done) in.from = from;
    if (in.done || in.from != from) Refuse(envelope, "of no part of");
    return in;
  }
  OutPart& RequireOut(Operation& op, Rank from, const Envelope& envelope) {
    const Header& header = envelope.header;
    for (OutPart& out : op.outs) {
      if (out.to == from && out.key == header.key &&
          out.phase == header.phase && out.state != OutState::kDone) {
        return out;
      }
    }
    Refuse(envelope, "of no part of");
  }

  void OnEager(Operation& op, Rank from, const Envelope& envelope) {
    InPart& in = RequireIn(op, from, envelope);
    if (envelope.nbytes != in.nbytes) RefuseSize(op, envelope, in.nbytes);
    if (in.nbytes > 0) {
      WillWrite(in.to, in.nbytes);
      std::memcpy(in.to, envelope.payload(), in.nbytes);
    }
    InDone(op, in);
  }

  void OnOffer(Operation& op, Rank from, const Envelope& envelope) {
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
      return InDone(op, in);
    }
    CopyBytes(in.to, source, in.nbytes);
    Answer(op, MessageType::kTaken, from, envelope.header);
    InDone(op, in);
  }

  void OnPlaced(Operation& op, Rank from, const Envelope& envelope) {
    InPart& in = RequireIn(op, from, envelope);
    if (in.asked) CloseLanding(in);
    InDone(op, in);
  }

  void OnReady(Operation& op, Rank from, const Envelope& envelope) {
    OutPart& out = RequireOut(op, from, envelope);
    if (out.ready) Refuse(envelope, "twice of a part of");
    out.ready = true;
    out.address = envelope.header.value;
    out.landing = envelope.header.landing;
  }

  void OnTaken(Operation& op, Rank from, const Envelope& envelope) {
    OutPart& out = RequireOut(op, from, envelope);
    if (!out.offered) Refuse(envelope, "of no part of");
    OutDone(op, out);
  }

  Schedule Of(Operation& op) { return {op, settings_, combiner_}; }

  size_t EagerLimit(const Operation& op, Rank peer) const {
    if (Schedule::IsAllEager(*op.team, *op.request, settings_)) return SIZE_MAX;
    return op.team->IsNear(peer) ? settings_.eager_near : settings_.eager_far;
  }
  bool IsEager(const Operation& op, Rank peer, size_t nbytes) const {
    return nbytes <= EagerLimit(op, peer);
  }

  void BeginPhase(Operation& op) {
    Of(op).Begin();
    if (op.sent) {
      for (OutPart& out : op.outs) OutDone(op, out);
    }
    // The sender waits for the receiver's word, unless it offers first.
    for (size_t i = 0; i < op.ins.size(); ++i) {
      InPart& in = op.ins[i];
      if (in.done || in.from == InPart::kAnybody) continue;
      const bool near = op.team->IsNear(in.from);
      if (IsEager(op, in.from, in.nbytes) || Of(op).IsPulled(in.nbytes, near)) {
        continue;
      }
      SendReady(op, in, Of(op).KeyOf(i));
    }
  }

  void SendReady(Operation& op, InPart& in, uint32_t key) {
    in.asked = true;
    in.landing_name = landings_.Open(op.team->rank_of(in.from), in.to,
                                     in.nbytes, &in.landing);
    Header header = HeaderOf(op, MessageType::kReady);
    header.phase = op.phase;
    header.key = key;
    header.value = fabric_.InSegment(in.to, in.nbytes);
    header.landing = in.landing_name;
    SendOrDefer(op, in.from, header);
  }

  void CloseLanding(InPart& in) {
    landings_.Close(in.landing_name);
    in.asked = false;
    in.landing = nullptr;
  }

  void LookAtLandings(Operation& op) {
    if (op.ins_left == 0) return;
    for (InPart& in : op.ins) {
      if (in.done || in.landing == nullptr || !in.landing->IsComplete()) {
        continue;
      }
      CloseLanding(in);
      InDone(op, in);
    }
  }

  void MoveOuts(Operation& op) {
    if (op.outs_left == 0) return;
    for (size_t i = 0; i < op.outs.size(); ++i) {
      OutPart& out = op.outs[i];
      if (out.state == OutState::kHeld) {
        if (MustWait(op, out)) continue;
        BeginOut(op, i);
      }
      if (out.state == OutState::kWaiting && out.ready) AnswerReady(op, out);
      if (out.state == OutState::kPieces) SendPiece(op, out);
      if (out.state == OutState::kLent && op.loan.IsOver()) OutDone(op, out);
    }
  }

  // Whether the part that it forwards has not arrived. In a phase that is over
  // all parts have.
  static bool MustWait(const Operation& op, const OutPart& out) {
    return out.after != OutPart::kNothing && out.phase == op.phase &&
           !op.ins[out.after].done;
  }

  void BeginOut(Operation& op, size_t index) {
    OutPart& out = op.outs[index];
    out.state = OutState::kWaiting;
    const bool near = op.team->IsNear(out.to);
    if (IsEager(op, out.to, out.nbytes)) {
      Header header = HeaderOf(op, MessageType::kEager);
      header.phase = out.phase;
      header.key = out.key;
      SendOrDefer(op, out.to, header, index);
    } else if (Of(op).IsPulled(out.nbytes, near)) {
      Offer(op, out);
    }
  }

  void Offer(Operation& op, OutPart& out) {
    out.offered = true;
    Header header = HeaderOf(op, MessageType::kOffer);
    header.phase = out.phase;
    header.key = out.key;
    header.value =
        op.team->IsNear(out.to) ? fabric_.InSegment(out.from, out.nbytes) : 0;
    header.landing = out.nbytes;
    SendOrDefer(op, out.to, header);
  }

  void AnswerReady(Operation& op, OutPart& out) {
    const Rank peer = op.team->rank_of(out.to);
    std::byte* const dest = out.address == 0
                                ? nullptr
                                : fabric_.Mapped(peer, out.address, out.nbytes);
    if (dest != nullptr) {
      CopyBytes(dest, out.from, out.nbytes);
      Header header = HeaderOf(op, MessageType::kPlaced);
      header.phase = out.phase;
      header.key = out.key;
      SendOrDefer(op, out.to, header);
      return OutDone(op, out);
    }
    if (op.team->IsNear(out.to) && !out.offered &&
        fabric_.InSegment(out.from, out.nbytes) != 0) {
      out.ready = false;
      return Offer(op, out);
    }
    out.state = OutState::kPieces;
  }

  // One a turn, so that all peers get theirs.
  void SendPiece(Operation& op, OutPart& out) {
    WillRead(out.from + out.sent, out.nbytes - out.sent);
    out.sent += fabric_.SendPiece(op.team->rank_of(out.to), out.landing,
                                  out.address, out.from + out.sent,
                                  out.nbytes - out.sent, out.sent, op.loan);
    if (out.sent == out.nbytes) out.state = OutState::kLent;
    again_ = true;
  }

  void ReturnBorrowed(Operation& op) {
    for (const Borrowed& it : op.borrowed) {
      Header header = HeaderOf(op, MessageType::kTaken);
      header.phase = it.phase;
      header.key = it.key;
      SendOrDefer(op, it.from, header);
    }
    op.borrowed.clear();
  }

  // A link may read what it was lent to send it again, when the receiver has it
  // and all have synced: the client may have unmapped it by then.
  bool MayReadLater(const Operation& op) const {
    if (op.outs_left == 0) return false;
    return std::any_of(op.outs.begin(), op.outs.end(), [&](const OutPart& out) {
      return out.state != OutState::kDone && out.state != OutState::kHeld &&
             !op.team->IsNear(out.to) && !IsEager(op, out.to, out.nbytes);
    });
  }

 protected:
  Landings landings_;
  mutable Combiner combiner_;
};

}  // namespace gasnet::coll

#endif  // COLL_PARTS_H_
