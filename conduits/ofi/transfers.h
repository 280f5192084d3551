// Puts and gets by the fabric: an rma::Rma of one endpoint.
//
// A transfer is one operation of the library, with a descriptor from a fixed
// number. Where memory must be registered to be sent from or received into,
// what does not lie in this rank's segment goes through bounce buffers. A put
// whose source is wanted back before the put is complete is injected or copied
// to a bounce buffer; one that is larger than that gives its source back when
// it is complete.
//
//   free --Post--> under way --completion--> free
//
// One to a rank that has left may stay under way for ever, and keeps its
// descriptor, for which another one is made. From then on nothing is posted for
// that rank.
//
// Where puts are complete by a read (paths.h), one follows the put that finds
// none under way to its peer. The puts of the meantime share the next one,
// which is posted when that one is answered. A descriptor is kept for them:
// what puts wait for does not wait for puts.
//
//   put    awaits its completion, and the answer of a read that covers it
//   read   covers the puts to its peer that were posted before it and after the
//          last one
//
// Not thread-safe: under the lock of the network.
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
#include "core/rma/rma.h"
#include "core/segment.h"

namespace gasnet::ofi {

// How a peer's segment is reached: its key, and what its addresses begin at.
struct RemoteMemory {
  uint64_t key = 0;
  uint64_t first = 0;  // address of the segment's first byte for the provider
  Segment segment;
};

class Transfers {
 public:
  // clock: of what is posted; it stays.
  Transfers(Endpoint& endpoint, const Seconds& clock);

  // Registers what transfers need of this rank's own.
  absl::Status Start();
  // After the segments were exchanged.
  void SetMemory(const Segment& mine, const Registered& registered,
                 std::vector<RemoteMemory> peers);

  // rma::Rma, under the lock.
  rma::Posted Post(const rma::Put& put);
  rma::Posted Post(const rma::Get& get);
  bool Reaches(Rank peer) const {
    return peer < peers_.size() && peers_[peer].segment.size > 0;
  }
  const rma::Thresholds& thresholds() const { return thresholds_; }

  // Of a completion; whether it is one that somebody waits for.
  void Complete(Context& context);
  // Its completion is an error that may be the end of its peer.
  static void Lose(Context& context);
  // Ends lost puts to those that have left, where they make no difference, and
  // those whose read behind them the provider does not take; whether there were
  // any. A get has nothing to bring.
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
  // Ends puts that have been under way to a rank that has left for some
  // seconds, of which the provider says nothing; how many. A get of that kind
  // ends the job: it has nothing to bring.
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
  // Of a post that was not taken, to a rank that has left: nothing follows.
  void Forget(Rank peer) { Taken(peer); }
  // The end of the job: a get from a rank that has left.
  [[noreturn]] static void EndWithout(Rank peer, size_t nbytes);
  // Whether a read behind puts waits for the provider.
  bool HasRefused() const { return !refused_.empty(); }
  // The operation that failed, for a message: "put of 8 bytes to rank 3".
  static std::string Describe(const Context& context);
  static Rank PeerOf(const Context& context);

  size_t under_way() const { return under_way_; }
  // Whether anything is under way, or is refused again and again.
  bool IsWaiting() const { return under_way_ > 0 || IsRefused(); }
  // Whether the provider did not take the last one: nothing reports when it
  // does.
  bool IsBehind() const { return held_up_ || !refused_.empty(); }
  // Posts the reads behind puts that the provider did not take.
  void CatchUp() {
    if (!refused_.empty()) [[unlikely]]
      FlushRefused();
  }
  // Whether anything is, to a rank of these.
  template <class Predicate>
  bool IsUnderWayTo(Predicate is_one) const {
    return std::any_of(operations_.begin(), operations_.end(),
                       [&](const Operation& each) {
                         return each.posted != 0 && is_one(each.peer);
                       });
  }
  // Of those under way, and the refused one, the one that was posted first.
  std::optional<Waited> Oldest() const;

 private:
  enum class Does : uint8_t { kPut, kGet, kFlush };

  struct Operation : Context {
    Operation() : Context(Kind::kTransfer) {}

    Does does = Does::kPut;
    unsigned awaited = 1;  // what is to come before it is over
    Rank peer = 0;
    size_t nbytes = 0;
    uint32_t posted = 0;  // the second; 0: it is free
    bool lost = false;    // the provider has given it up
    // Nobody waits for it, but the provider may speak of it still.
    bool given_up = false;
    rma::UnderWay* complete = nullptr;
    rma::UnderWay* sources = nullptr;
    std::byte* bounce = nullptr;
    std::byte* dest = nullptr;     // of a get that bounces
    fi_rma_iov remote = {};        // of a put that a read is to cover
    Operation* covered = nullptr;  // by a flush: the newest
    Operation* next = nullptr;
  };

  // The flush that a peer's puts wait for.
  struct Unflushed {
    enum class State : uint8_t { kIdle, kUnderWay, kRefused };

    State state = State::kIdle;
    Operation* newest = nullptr;  // of those that no read covers yet
  };

  // A transfer that the provider does not take, though it is offered again and
  // again. One at a time: who is refused meanwhile waits for the same provider.
  struct Refusal {
    Rank peer = 0;
    Does does = Does::kPut;
    size_t nbytes = 0;
    uint32_t since = 0;  // the second; 0: there is none
    uint32_t last = 0;   // when it was offered last
  };

  // Both ends, as the library wants them.
  struct Ends {
    iovec local;
    void* descriptor;
    fi_rma_iov remote;
  };
  // The memory at this end: the client's, or a bounce buffer.
  struct Local {
    std::byte* address;
    void* descriptor;
    size_t nbytes;
    std::byte* bounce;
  };

  bool IsMine(const void* address, size_t nbytes) const {
    return mine_.Contains(address, nbytes);
  }
  // Whether it must be registered and is not.
  bool MustBounce(const void* address, size_t nbytes) const {
    return endpoint_.paths().local_registration && !IsMine(address, nbytes);
  }
  bool IsInjected(const rma::Put& put) const;
  bool FindLocal(const void* address, size_t nbytes, bool must_copy,
                 Local& local);
  Ends EndsOf(const Local& local, Rank peer, const void* remote) const;
  // Refers to the ends.
  fi_msg_rma MessageOf(Operation& operation, Ends& ends) const;
  // Of a put's completion, and whether a read must follow it.
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
  // Of what it awaited, one has come.
  void CountDown(Operation& operation);
  void CountDownAll(Operation* puts);

  // For a flush the last one that is free, too.
  Operation* Take(Does does);
  void Give(Operation& operation);
  void AddOperation();
  // Whether it has left and nothing is posted for it any more.
  bool IsGone(Rank peer) const { return !gone_.empty() && gone_[peer]; }
  rma::Posted Refuse(Operation& operation, int error);
  void NoteRefusal(const Operation& operation);
  void Taken(Rank peer) {
    held_up_ = false;
    if (refusal_.peer == peer) refusal_.since = 0;
  }
  // A sender that has given up offers nothing any more.
  bool IsRefused() const {
    return refusal_.since != 0 && clock_.now - refusal_.last <= 1;
  }
  void GiveUp(Operation& operation);
  static std::string Describe(Does does, size_t nbytes, Rank peer);

  Endpoint& endpoint_;
  const Seconds& clock_;
  const rma::Thresholds thresholds_;
  std::deque<Operation> operations_;
  Operation* free_ = nullptr;
  size_t under_way_ = 0;
  bool held_up_ = false;
  Refusal refusal_;
  std::vector<bool> gone_;  // by peer; empty: none is
  AlignedBytes bounces_;
  void* bounce_descriptor_ = nullptr;
  std::vector<std::byte*> idle_bounces_;
  Segment mine_;
  void* segment_descriptor_ = nullptr;
  std::vector<RemoteMemory> peers_;
  std::vector<Unflushed> unflushed_;  // of peers; none, unless reads follow
  std::vector<Rank> refused_;         // kRefused
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_TRANSFERS_H_
