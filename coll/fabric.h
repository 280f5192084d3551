// The fabric is the network as the engine of collectives sees it: messages,
// pieces of large parts, and the peers' memory that is mapped here. The
// conduit's is conduit_fabric.h; tests have one in virtual time.
//
// Ranks are of the job. The thread that drives the node calls it. Handlers may
// run within any call but the looks at memory, and only fill inbox and
// landings. A call of it is beside a message or a look at one, so that a
// virtual call does not show.
#ifndef COLL_FABRIC_H_
#define COLL_FABRIC_H_

#include <cstddef>
#include <cstdint>

#include "coll/header.h"
#include "coll/operation.h"
#include "coll/request.h"
#include "core/am/message.h"
#include "core/rank.h"

namespace gasnet::coll {

class Fabric {
 public:
  virtual ~Fabric() = default;

  // Sends to the peer's inbox; bytes may change when it returns.
  virtual void Send(Rank peer, const Header& header, const std::byte* bytes,
                    size_t nbytes) = 0;

  // Takes that message, whose base nobody knows yet, out of the network before
  // it is in the inbox: where the fabric can do so, and it is the oldest from
  // the peer, with nbytes bytes, which go to `to`. Sets the header's base.
  virtual bool Take(Rank peer, Header& header, std::byte* to,
                    size_t nbytes) = 0;

  // Serves what has come, in a wait for what may be a moment away, after so
  // many looks. Returns true if another look is worth it: not for long. Others
  // that need the processor get it meanwhile.
  virtual bool Glance(unsigned looks) = 0;

  // Sends some of a part, from `offset` on, into the peer's landing. address:
  // of the whole part there if it lies in the peer's segment, else 0. Bytes may
  // be read until the loan is over. Returns how many were sent.
  virtual size_t SendPiece(Rank peer, uint64_t landing, uint64_t address,
                           const std::byte* bytes, size_t nbytes, size_t offset,
                           am::Loan& loan) = 0;

  // Returns where nbytes at an address of the peer's are mapped here; null:
  // nowhere. The address is another rank's word.
  virtual std::byte* Mapped(Rank peer, uint64_t address, size_t nbytes) = 0;
  // Returns the address if all of it lies in this rank's segment, else 0.
  virtual uint64_t InSegment(const std::byte* bytes, size_t nbytes) = 0;

  // Begins to move what a generalized put or get of this node moves, and waits
  // for none of it. Null: all is moved. Else HaveMoved is asked until it says
  // so, in any thread that drives, and that is the end of them.
  virtual Moves* MovePartners(const Request& request) = 0;
  virtual bool HaveMoved(Moves& moves) = 0;

  // Sends a message without bytes to another node if there is room at once.
  // Returns true if it did.
  virtual bool TrySend(Rank peer, const Header& header) = 0;

  // Returns the time of a clock that only moves on, in nanoseconds.
  virtual int64_t Now() = 0;

  // Wakes other threads of this process, which may wait for what was synced.
  virtual void WakeOwn() = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_FABRIC_H_
