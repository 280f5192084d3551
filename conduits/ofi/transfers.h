// Puts and gets over the fabric, in the form of rma::Rma, for one endpoint.
//
// A transfer is one operation of the library, with a descriptor from a fixed
// pool. If local memory must be registered, transfers from and to memory
// outside of this rank's segment use bounce buffers. If the source of a put
// must be reusable before the put is complete, a small put is injected or
// copied to a bounce buffer. The source of a larger put is reusable only when
// the put is complete.
//
//   free --Post--> under way --completion--> free
//
// A transfer to a rank that has left may stay under way forever. It keeps its
// descriptor, and a new descriptor replaces this one in the pool. From then on
// nothing is posted to that rank.
//
// If reads complete puts (paths.h), a put posts a read behind itself, unless a
// read is already under way to its peer. Puts that are posted during that read
// share the next read. This next read is posted when the current read is
// answered. A descriptor is reserved for reads, so that reads never wait for
// puts.
//
//   put    awaits its completion, and the answer of a read that covers it
//   read   covers the puts to its peer that were posted before the read and
//          after the previous read
//
// Not thread-safe: used under the lock of the network.
#ifndef CONDUITS_OFI_TRANSFERS_H_
#define CONDUITS_OFI_TRANSFERS_H_

#include <rdma/fi_eq.h>
#include <rdma/fi_rma.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "conduits/ofi/aligned_bytes.h"
#include "conduits/ofi/context.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/tuning.h"
#include "conduits/ofi/waited.h"
#include "core/rma/completion.h"
#include "core/rma/rma.h"
#include "core/segment.h"

namespace gasnet::ofi {

// All that is needed to access a peer's segment through the provider.
struct RemoteMemory {
  uint64_t key = 0;
  uint64_t first = 0;  // the provider's address of the segment's first byte
  Segment segment;
};

class OfiTransfers {
 public:
  // `clock` is the current time. Posts are stamped with it. The clock must
  // outlive this object.
  OfiTransfers(OfiEndpoint& endpoint, const Seconds& clock);

  // Registers this rank's bounce buffers, if local memory must be registered.
  absl::Status Start();
  // Sets the memory of this rank and of its peers. Called after the segments
  // have been exchanged.
  void SetMemory(const Segment& mine, const Registered& registered,
                 std::vector<RemoteMemory> peers);

  // Post transfers as in rma::Rma. Called under the lock.
  rma::Posted Post(const rma::Put& put);
  rma::Posted Post(const rma::Get& get);
  bool Reaches(Rank peer) const {
    return peer < peers_.size() && peers_[peer].segment.size > 0;
  }
  const rma::Thresholds& thresholds() const { return thresholds_; }

  // Handles the completion of an operation.
  void Complete(OperationContext& context);
  // Records that the operation failed with an error that may be due to the end
  // of its peer.
  static void Lose(OperationContext& context);
  // Ends two kinds of puts to ranks that have left: lost puts, and puts whose
  // read the provider refuses. The results of these puts make no difference any
  // more. Returns the number of puts that it has ended. Does not end lost gets,
  // because there are no data to return.
  template <class Predicate>
  unsigned EndLost(Predicate has_left) {
    unsigned ended = 0;
    for (Operation& each : operations_) {
      if (!each.lost || each.does == Does::kGet || !has_left(each.peer)) {
        continue;
      }
      each.lost = false;
      Complete(each);
      ++ended;
    }
    std::erase_if(refused_, [&](Rank peer) {
      if (!has_left(peer)) return false;
      EndUnflushed(peer);
      ++ended;
      return true;
    });
    return ended;
  }
  // Ends puts to a rank that has left, once they have been under way for some
  // seconds. Some providers never report them. Returns the number of puts that
  // it has ended. If a get has been under way for as long, ends the job,
  // because there are no data to return.
  template <class Predicate>
  unsigned EndLeft(Predicate has_left) {
    unsigned ended = 0;
    for (Operation& each : operations_) {
      const bool waits = each.posted != 0 && !each.given_up &&
                         clock_.now - each.posted >= kPatienceWithLeft;
      if (!waits || each.does == Does::kFlush || !has_left(each.peer)) continue;
      GiveUp(each);
      ++ended;
    }
    for (unsigned i = 0; i < ended; ++i) AddOperation();
    return ended;
  }
  // Forgets a refused post to a rank that has left: the post will not be
  // repeated.
  void Forget(Rank peer) { Taken(peer); }
  // Ends the job because this rank needs data from a rank that has left.
  [[noreturn]] static void EndWithout(Rank peer, size_t nbytes);
  // Returns true if the provider has refused a read behind puts.
  bool HasRefused() const { return !refused_.empty(); }
  // Returns a description of the operation, such as "put of 8 bytes to rank 3".
  static std::string Describe(const OperationContext& context);
  static Rank PeerOf(const OperationContext& context);

  size_t under_way() const { return under_way_; }
  // Returns true if a transfer is under way, or is refused repeatedly.
  bool IsWaiting() const { return under_way_ > 0 || IsRefused(); }
  // Returns true if the provider has refused the last transfer, or a read
  // behind puts. No event reports when the provider accepts posts again.
  bool IsBehind() const { return held_up_ || !refused_.empty(); }
  // Posts again the reads behind puts that the provider has refused.
  void CatchUp() {
    if (!refused_.empty()) [[unlikely]]
      FlushRefused();
  }
  // Returns true if a transfer is under way to a rank for which is_one(rank) is
  // true.
  template <class Predicate>
  bool IsUnderWayTo(Predicate is_one) const {
    return std::any_of(operations_.begin(), operations_.end(),
                       [&](const Operation& each) {
                         return each.posted != 0 && is_one(each.peer);
                       });
  }
  // Returns the oldest transfer that is under way or refused.
  std::optional<Waited> Oldest() const;

 private:
  enum class Does : uint8_t { kPut, kGet, kFlush };

  struct Operation : OperationContext {
    Operation() : OperationContext(Kind::kTransfer) {}

    Does does = Does::kPut;
    unsigned awaited = 1;  // number of events until the operation is over
    Rank peer = 0;
    size_t nbytes = 0;
    uint32_t posted = 0;  // time of the post in seconds; 0 if free
    bool lost = false;    // the provider has reported a failure
    // True if nothing waits for the operation any more. The provider may still
    // report the operation.
    bool given_up = false;
    rma::Completion completion;
    rma::PendingCount* sources = nullptr;
    std::byte* bounce = nullptr;
    std::byte* dest = nullptr;     // client memory of a get that bounces
    fi_rma_iov remote = {};        // target of a put that a read will cover
    Operation* covered = nullptr;  // newest put that this flush covers
    Operation* next = nullptr;
  };

  // The flush (the read behind puts) of a peer. The puts to this peer wait for
  // it.
  struct Unflushed {
    enum class State : uint8_t { kIdle, kUnderWay, kRefused };

    State state = State::kIdle;
    Operation* newest = nullptr;  // newest put that no read covers yet
  };

  // A transfer that the provider refuses repeatedly. Only one refusal is
  // recorded at a time. Transfers that are refused later wait for the same
  // provider.
  struct Refusal {
    Rank peer = 0;
    Does does = Does::kPut;
    size_t nbytes = 0;
    uint32_t since = 0;  // time of the first refusal in seconds; 0: none
    uint32_t last = 0;   // time of the last refusal in seconds
  };

  // Both ends of a transfer, in the library's format.
  struct Ends {
    iovec local;
    void* descriptor;
    fi_rma_iov remote;
  };
  // The memory at this end of a transfer: the client's memory, or a bounce
  // buffer.
  struct Local {
    std::byte* address;
    void* descriptor;
    size_t nbytes;
    std::byte* bounce;
  };

  bool IsMine(const void* address, size_t nbytes) const {
    return mine_.Contains(address, nbytes);
  }
  // Returns true if local memory must be registered and the given memory is not
  // registered.
  bool MustBounce(const void* address, size_t nbytes) const {
    return endpoint_.paths().local_registration && !IsMine(address, nbytes);
  }
  bool IsInjected(const rma::Put& put) const;
  bool FindLocal(const void* address, size_t nbytes, bool must_copy,
                 Local& local);
  Ends EndsOf(const Local& local, Rank peer, const void* remote) const;
  // Returns the library's description of an operation. The description points
  // into `ends`.
  fi_msg_rma MessageOf(Operation& operation, Ends& ends) const;
  // Returns true if a read must follow a put of `nbytes` bytes.
  bool MustFlush(size_t nbytes) const {
    return endpoint_.paths().remote_completion == RemoteCompletion::kRead &&
           nbytes <= endpoint_.paths().flushed_bytes;
  }
  uint64_t CompletionFlags(bool flushed) const;
  void AwaitFlush(Operation& put, const fi_rma_iov& remote);
  void Flush(Rank peer);
  int PostFlush(Operation& flush, const Operation& newest);
  void Flushed(Operation& flush);
  void FlushRefused();
  void EndUnflushed(Rank peer);
  // Counts down one of the events that the operation awaits. Ends the operation
  // after the last one.
  void CountDown(Operation& operation);
  void CountDownAll(Operation* puts);

  // Takes a free descriptor, or returns null if there is none. Only a flush may
  // take the last descriptor.
  Operation* Take(Does does);
  void Give(Operation& operation);
  void AddOperation();
  // Returns true if the peer has left and nothing may be posted to the peer any
  // more.
  bool IsGone(Rank peer) const { return !gone_.empty() && gone_[peer]; }
  rma::Posted Refuse(Operation& operation, int error);
  void NoteRefusal(const Operation& operation);
  void Taken(Rank peer) {
    held_up_ = false;
    if (refusal_.peer == peer) refusal_.since = 0;
  }
  // Returns true if a client still retries the refused transfer. Returns false
  // if the client has given up.
  bool IsRefused() const {
    return refusal_.since != 0 && clock_.now - refusal_.last <= 1;
  }
  void GiveUp(Operation& operation);
  static std::string Describe(Does does, size_t nbytes, Rank peer);

  OfiEndpoint& endpoint_;
  const Seconds& clock_;
  const rma::Thresholds thresholds_;
  std::deque<Operation> operations_;
  Operation* free_ = nullptr;
  size_t under_way_ = 0;
  bool held_up_ = false;
  Refusal refusal_;
  std::vector<bool> gone_;  // indexed by peer; empty if no peer is gone
  AlignedBytes bounces_;
  void* bounce_descriptor_ = nullptr;
  std::vector<std::byte*> idle_bounces_;
  Segment mine_;
  void* segment_descriptor_ = nullptr;
  std::vector<RemoteMemory> peers_;
  // Indexed by peer; empty unless reads complete puts.
  std::vector<Unflushed> unflushed_;
  std::vector<Rank> refused_;  // peers whose state is kRefused
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TRANSFERS_H_
