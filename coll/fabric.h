// The fabric is the network as the engine of collectives sees it: messages,
// pieces of large parts, and the peers' memory that is mapped here.
// conduit_fabric.h implements the fabric for conduits; tests have a fabric in
// virtual time.
//
// Ranks are ranks of the job. Only the driving thread of the node calls the
// fabric. Handlers may run within any call except Mapped and InSegment. These
// handlers only fill inbox and landings. The functions are virtual: each
// handles a message or polls for one, which takes much longer than a virtual
// call.
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

  // Sends a message to the peer's inbox. The bytes may be reused once the call
  // returns.
  virtual void Send(Rank peer, const CollHeader& header, const std::byte* bytes,
                    size_t nbytes) = 0;

  // Takes the message with this header out of the network before it reaches the
  // inbox. The base in `header` is not compared. Copies the message's nbytes
  // bytes to `to`, sets the header's base and returns true. Returns false if
  // the fabric cannot take messages, or if the message with this header is not
  // the oldest from the peer.
  virtual bool Take(Rank peer, CollHeader& header, std::byte* to,
                    size_t nbytes) = 0;

  // Serves messages that have arrived, and lets other threads and processes use
  // the processor. Called in a wait for a message that may arrive within a
  // moment. `looks` is the number of previous calls in this wait. Returns true
  // if another call is worthwhile. After a short time it returns false.
  virtual bool Glance(unsigned looks) = 0;

  // Sends a piece of a part into the peer's landing, beginning at `offset`. If
  // the part's destination lies in the peer's segment, `address` is the address
  // of the whole part in that segment. Otherwise `address` is 0. The bytes may
  // still be read until `loan` is over. Returns the number of bytes sent.
  virtual size_t SendPiece(Rank peer, uint64_t landing, uint64_t address,
                           const std::byte* bytes, size_t nbytes, size_t offset,
                           am::Loan& loan) = 0;

  // Returns the local address of nbytes bytes at an address of the peer, or
  // null if these bytes are not mapped here. The address is unchecked data from
  // another rank.
  virtual std::byte* Mapped(Rank peer, uint64_t address, size_t nbytes) = 0;
  // Returns the address of the bytes if all nbytes lie in this rank's segment,
  // else 0.
  virtual uint64_t InSegment(const std::byte* bytes, size_t nbytes) = 0;

  // Begins all transfers of a generalized put or get of this node, without
  // waiting. Returns null if all transfers are done. Otherwise driving threads
  // (not always the same one) call HaveMoved until it returns true, after which
  // the Moves object is invalid.
  virtual Moves* MovePartners(const CollectiveRequest& request) = 0;
  virtual bool HaveMoved(Moves& moves) = 0;

  // Sends a message without bytes to another node if there is room at once.
  // Returns true if the message was sent.
  virtual bool TrySend(Rank peer, const CollHeader& header) = 0;

  // Returns true if all nodes of the first team meet in memory, by Come and
  // HaveAllCome. If it returns false, Come and HaveAllCome are never called.
  virtual bool MeetsInMemory() const { return false; }
  // Enters the meeting before (`which` = 0) or after (1) operation `number`.
  // Wakes all nodes if this node is the last to enter.
  virtual void Come(unsigned /*which*/, uint32_t /*number*/) {}
  // Returns true if all nodes have entered the meeting. The caller sets `seen`
  // to 0 before the first call. All nodes below `seen` have entered.
  virtual bool HaveAllCome(unsigned /*which*/, uint32_t /*number*/,
                           Rank& /*seen*/) {
    return false;
  }

  // Returns the time of a monotonic clock, in nanoseconds.
  virtual int64_t Now() = 0;

  // Wakes other threads of this process. They may be waiting for an operation
  // that was just synced.
  virtual void WakeOwn() = 0;
};

}  // namespace gasnet::coll

#endif  // COLL_FABRIC_H_
