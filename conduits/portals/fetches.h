// Messages whose payload is larger than a chunk. This rank fetches the payload
// from the sender (offers.h): a rendezvous by gets.
//
//   header --Add--> being fetched --its get is complete--> here --TakeHere-->
//             |      ^                                    handler --> Release
//             `-no room-'
//
// Payloads are fetched into a fixed number of buffers, separate for requests
// and for replies. Gets complete without help, and any waiting thread handles
// all replies whose payload is here. So replies always make progress. A request
// whose payload is here is served like a request that arrives whole. Only a
// thread that holds the room for the reply serves it.
//
// A fetch holds an op slot while its get is under way. The fetch of a reply
// uses the op slot of its request, because the request is not over yet. The
// fetch of a request uses one of the op slots for replies.
//
// If no descriptor covers all memory, a payload is fetched in parts, one after
// another, as local memory has room (transfers.h).
//
// Thread-safe. A fetch belongs to the thread that begins it, then to Portals,
// then to the thread that takes it out of a list. Unused memory is not touched.
#ifndef CONDUITS_PORTALS_FETCHES_H_
#define CONDUITS_PORTALS_FETCHES_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "conduits/portals/arrived.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/transfers.h"
#include "conduits/portals/tuning.h"
#include "core/lane.h"
#include "core/observe/seam.h"
#include "core/rank.h"
#include "core/rma/pending_count.h"
#include "core/thread/spin_lock.h"

namespace gasnet::portals_conduit {

class Fetches {
 public:
  struct Message {
    Rank source = 0;
    Lane lane = Lane::kRequest;
    Arrived arrived;
  };
  struct alignas(kRecordAlignment) Fetch : Message {
    std::byte* buffer = nullptr;
    // Observes the get of a payload that is fetched as a whole.
    observe::TransferObservation observation;
    // Used only by a fetch in parts. `begun` is the number of bytes whose gets
    // have begun. `part` is the get that is under way.
    size_t begun = 0;
    rma::PendingCount part;
  };

  Fetches(ConduitInterface& interface, OpSlots& op_slots,
          PortalsTransfers& transfers)
      : interface_(interface), op_slots_(op_slots), transfers_(transfers) {}

  absl::Status Start() {
    return memory_.Map(kLanes * kFetchesEach * kFetchedBytes);
  }

  // Fetches the payload of a message whose header has arrived.
  void Add(const Message& message);
  // Begins the fetches that have not found room so far. Requests the next parts
  // of fetches that consist of several parts.
  void CatchUp() {
    if (is_behind_.load(std::memory_order_relaxed)) [[unlikely]]
      FetchOthers();
  }
  // Returns true if there may be work that no event reports.
  bool IsBehind() const {
    return is_behind_.load(std::memory_order_relaxed) ||
           HasHere(Lane::kRequest) || HasHere(Lane::kReply);
  }

  // Handles the completion event of a get.
  void Complete(const ptl_event_t& event);
  bool HasHere(Lane lane) const {
    return has_here_[static_cast<size_t>(lane)].load(std::memory_order_relaxed);
  }
  // Returns a message whose payload is here, or null if there is none.
  Fetch* TakeHere(Lane lane);
  // Copies the payload of a Long to its destination. Called before the handler.
  static void PutInPlace(const Fetch& fetch);
  void Release(Fetch& fetch) {
    PoolOf(fetch.lane).Give(fetch);
    CatchUp();
  }
  // Handles a get that has failed. The get's message is lost. If the message
  // was a reply, returns its fetch, and the caller then owns the fetch. If it
  // was a request, returns null.
  Fetch* Lost(void* user);

  static Rank PeerOf(void* user) { return Untag<Fetch>(user).source; }

 private:
  Pool<Fetch>& PoolOf(Lane lane) { return pools_[static_cast<size_t>(lane)]; }
  Fetch* TakeRoom(Lane lane);
  void GiveRoom(Fetch& fetch, Lane lane);
  void Begin(Fetch& fetch, const Message& message);
  void Here(Fetch& fetch);
  void FetchOthers();
  bool TakeWaiting(Lane lane, Message& oldest);
  void FetchParts();
  Fetch* TakeInParts();
  void KeepInParts(Fetch& fetch);
  bool FetchPart(Fetch& fetch);
  void NoteBehind() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_);

  ConduitInterface& interface_;
  OpSlots& op_slots_;
  PortalsTransfers& transfers_;
  Buffers memory_;
  std::array<Pool<Fetch>, kLanes> pools_ = {Pool<Fetch>(kFetchesEach),
                                            Pool<Fetch>(kFetchesEach)};
  thread::SpinLock lock_;
  std::array<std::deque<Message>, kLanes> waiting_ ABSL_GUARDED_BY(lock_);
  std::deque<Fetch*> in_parts_ ABSL_GUARDED_BY(lock_);
  std::array<std::deque<Fetch*>, kLanes> here_ ABSL_GUARDED_BY(lock_);
  // Relaxed, because both fields are hints for readers that do not hold the
  // lock.
  std::atomic<bool> is_behind_{false};
  std::array<std::atomic<bool>, kLanes> has_here_ = {};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_FETCHES_H_
