// The fabric is the network as the engine of collectives sees it: messages,
// pieces of large parts, and the peers' memory that is mapped here. The
// conduit's is conduit_fabric.h; tests have one in virtual time.
//
// Ranks are of the job. Called by the thread that drives the node; handlers may
// run within any call but the looks at memory, and only fill inbox and
// landings.
#ifndef COLL_FABRIC_H_
#define COLL_FABRIC_H_

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "coll/header.h"
#include "coll/operation.h"
#include "coll/request.h"
#include "core/am/message.h"
#include "core/rank.h"

namespace gasnet::coll {

template <class F>
concept Fabric = requires(F& fabric, Rank peer, const Header& header,
                          Header& taken, const std::byte* bytes, std::byte* to,
                          size_t nbytes, uint64_t address, uint64_t landing,
                          const Request& request, am::Loan& loan,
                          Moves& moves) {
  { fabric.me() } -> std::same_as<Rank>;

  // To the peer's inbox; bytes may change when it returns.
  { fabric.Send(peer, header, bytes, nbytes) } -> std::same_as<void>;

  // Takes that message, whose base nobody knows yet, out of the network before
  // it is in the inbox: where the fabric can do so, and it is the oldest from
  // the peer, with nbytes bytes, which go to `to`. Sets the header's base.
  { fabric.Take(peer, taken, to, nbytes) } -> std::same_as<bool>;

  // Serves what has come, in a wait for what may be a moment away; how many
  // looks there were before. Whether that is worth it: not for long. Where
  // others need the processor they get it meanwhile.
  { fabric.Glance(unsigned{}) } -> std::same_as<bool>;

  // Some of a part, from `offset` (the last argument but the loan) on, into the
  // peer's landing; address: of the whole part there where it lies in the
  // peer's segment, else 0. Bytes may be read until the loan is over. How many.
  {
    fabric.SendPiece(peer, landing, address, bytes, nbytes, nbytes, loan)
    } -> std::same_as<size_t>;

  // Where nbytes at an address of the peer's are mapped here; null: nowhere.
  // The address is another rank's word.
  { fabric.Mapped(peer, address, nbytes) } -> std::same_as<std::byte*>;
  // The address if all of it lies in this rank's segment, else 0.
  { fabric.InSegment(bytes, nbytes) } -> std::same_as<uint64_t>;

  // Begins to move what a generalized put or get of this node moves, and waits
  // for none of it. Null: all is moved. Else HaveMoved is asked until it says
  // so, in any thread that drives, and that is the end of them.
  { fabric.MovePartners(request) } -> std::same_as<Moves*>;
  { fabric.HaveMoved(moves) } -> std::same_as<bool>;

  // Sends a message without bytes to another node if there is room at once;
  // whether it did.
  { fabric.TrySend(peer, header) } -> std::same_as<bool>;

  // Of a clock that only moves on, in nanoseconds.
  { fabric.Now() } -> std::same_as<int64_t>;

  // Something was synced that other threads of this process may wait for.
  { fabric.WakeOwn() } -> std::same_as<void>;
};

// A generalized put or get moves at the end of its first phase, when all whom
// it accesses have entered. Until that is over the phase is not either, and the
// next drive looks again. Any other operation has nothing to move so.
template <Fabric F>
bool PartnersHaveMoved(F& fabric, Operation& op) {
  const Kind kind = op.request->kind;
  if (op.phase > 0 || (kind != Kind::kPut && kind != Kind::kGet)) return true;
  if (op.moves == nullptr) {
    op.moves = fabric.MovePartners(*op.request);
    return op.moves == nullptr;
  }
  if (!fabric.HaveMoved(*op.moves)) return false;
  op.moves = nullptr;
  return true;
}

}  // namespace gasnet::coll

#endif  // COLL_FABRIC_H_
