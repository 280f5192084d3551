// Moves the incoming and outgoing parts of operations. Parts belongs to the
// Node (node.h), and only the driving thread uses it.
//
// A part travels in one of four ways. The way depends on its size and on
// whether its two nodes map each other's segments. Both nodes determine the
// same way:
//
//   eager   one message with the bytes; kept in the inbox until it is wanted
//   pulled  kOffer; the receiver copies from the source; kTaken
//   pushed  kReady; the sender copies into the dest; kPlaced
//   pieces  kReady; messages straight into the dest
//
// Not every source or dest lies in a segment. A receiver that cannot copy from
// an offered source answers with kReady. A sender that cannot copy into a dest
// offers the part or sends pieces. So one of the two nodes waits for the first
// message of the other node, and the other node chooses the way. The node that
// waits is the receiver of a pulled part, or the sender of a part that is
// pushed or sent in pieces.
#ifndef COLL_PARTS_H_
#define COLL_PARTS_H_

#include <cstddef>
#include <cstdint>

#include "coll/combine.h"
#include "coll/courier.h"
#include "coll/fabric.h"
#include "coll/inbox.h"
#include "coll/landings.h"
#include "coll/operation.h"
#include "coll/phase.h"
#include "coll/settings.h"

namespace gasnet::coll {

class Parts {
 public:
  Parts(Fabric& fabric, const CollSettings& settings, Courier& courier,
        Combiner& combiner)
      : fabric_(fabric),
        settings_(settings),
        courier_(courier),
        combiner_(combiner) {}

  Landings& landings() { return landings_; }
  OperationPhase Of(CollectiveOperation& op) const {
    return {op, settings_, combiner_};
  }

  void BeginPhase(CollectiveOperation& op);
  // Handles a message about a part of a phase that has begun.
  void Deliver(CollectiveOperation& op, Rank from, const Envelope& envelope);
  void LookAtLandings(CollectiveOperation& op) {
    if (op.ins_left > 0) CloseCompleteLandings(op);
  }
  void MoveOuts(CollectiveOperation& op) {
    if (op.outs_left > 0) MoveThoseLeft(op);
  }
  // Sends kTaken for all borrowed parts. Their senders may then reuse the
  // memory. Called at the end of a phase.
  void ReturnBorrowed(CollectiveOperation& op);

  // Returns true if a link may read the memory of an outgoing part again to
  // retransmit it. This may happen after the receiver has the bytes and all
  // nodes have synced. The client may have unmapped the memory by then.
  bool MayReadLater(const CollectiveOperation& op) const;

  // Returns true if this turn left pieces to send. Then another turn must
  // follow at once. Only pieces need this: other events arrive as messages, or
  // each turn looks for them.
  bool has_more() const { return has_more_; }
  void BeginTurn() { has_more_ = false; }

 private:
  InPart& RequireIn(CollectiveOperation& op, Rank from,
                    const Envelope& envelope);
  static OutPart& RequireOut(CollectiveOperation& op, Rank from,
                             const Envelope& envelope);
  void OnEager(CollectiveOperation& op, Rank from, const Envelope& envelope);
  void OnOffer(CollectiveOperation& op, Rank from, const Envelope& envelope);
  void OnPlaced(CollectiveOperation& op, Rank from, const Envelope& envelope);
  static void OnReady(CollectiveOperation& op, Rank from,
                      const Envelope& envelope);
  static void OnTaken(CollectiveOperation& op, Rank from,
                      const Envelope& envelope);

  bool IsEager(const CollectiveOperation& op, Rank peer, size_t nbytes) const;
  bool IsPulled(const CollectiveOperation& op, Rank peer, size_t nbytes) const;
  void SendReady(CollectiveOperation& op, InPart& in, uint32_t key);
  void CloseLanding(InPart& in);
  void CloseCompleteLandings(CollectiveOperation& op);
  void MoveThoseLeft(CollectiveOperation& op);
  void BeginOut(CollectiveOperation& op, size_t index);
  void Offer(CollectiveOperation& op, OutPart& out);
  void AnswerReady(CollectiveOperation& op, OutPart& out);
  void SendPiece(CollectiveOperation& op, OutPart& out);

  Fabric& fabric_;
  const CollSettings& settings_;
  Courier& courier_;
  Combiner& combiner_;
  Landings landings_;
  bool has_more_ = false;
};

}  // namespace gasnet::coll

#endif  // COLL_PARTS_H_
