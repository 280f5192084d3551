// The replies of this rank, and the room that they need.
//
// The room for a reply is two op slots and a chunk. A thread takes the room
// before it looks for a request. So replies wait for no other operation. Every
// request is answered: if its handler does not reply, an empty reply gives the
// credits back.
//
//   Prepare --a request--> Begin, handler: Send or not, End --> Finish
//      `------none------------------------------------------------^
//
// A thread runs the handler of one request at a time, and a thread-local
// pointer refers to that request. The number of threads that serve at once is
// limited, because each of them may keep one receive buffer from being reused
// (credits/credit_tables.h).
//
// Thread-safe. A chunk belongs to one thread from Prepare on. A volatile put
// has read the chunk when the put returns, so Finish gives the chunk back. Any
// other put holds the chunk and an op slot until Sent gives both back. Each
// poll of requests writes the number of serving threads and the pool of chunks.
// So both have their own cache lines.
#ifndef CONDUITS_PORTALS_REPLIES_H_
#define CONDUITS_PORTALS_REPLIES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/flow_control.h"
#include "conduits/portals/header.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/packet.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "core/rank.h"
#include "core/thread/mode.h"

namespace gasnet::portals_conduit {

class Replies {
  struct alignas(kRecordAlignment) Slot {
    Rank peer = 0;
  };

 public:
  // A request that this thread serves, and the room for its reply.
  struct Serving {
    Rank source = 0;
    uint32_t chunk = 0;
    uint8_t credit = 0;
    bool replied = false;
    uint32_t op_slots = 0;
    Slot* slot = nullptr;
  };

  Replies(ConduitInterface& interface, OpSlots& op_slots,
          PortalsStatistics& statistics, FlowControl& flow, const Plan& plan,
          const PortalsSettings& settings)
      : interface_(interface),
        op_slots_(op_slots),
        statistics_(statistics),
        flow_(flow),
        chunk_(plan.chunk),
        servers_(plan.servers),
        slots_(settings.rpl_chunks) {}

  void SetChunks(std::byte* chunks) { chunks_ = chunks; }
  // Returns the size of all chunks together.
  size_t bytes() const { return slots_.size() * chunk_; }

  // Takes the room for a reply. If it succeeds, returns true, and this thread
  // may serve a request. Prepare and Finish are inlined, because a poll that
  // finds nothing calls both.
  [[gnu::always_inline]] bool Prepare(Serving& serving) {
    if (thread::kConcurrent) {
      if (serving_now_.fetch_add(1, std::memory_order_relaxed) >=
          servers_.load(std::memory_order_relaxed)) {
        serving_now_.fetch_sub(1, std::memory_order_relaxed);
        return false;
      }
    }
    if (op_slots_.TakeForReply(OpSlots::kForReplies)) {
      serving.op_slots = OpSlots::kForReplies;
      serving.slot = slots_.Take();
      if (serving.slot != nullptr) [[likely]]
        return true;
    }
    statistics_.Note(Counted::kNoReplyRoom);
    Finish(serving);
    return false;
  }
  [[gnu::always_inline]] void Finish(Serving& serving) {
    if (serving.slot != nullptr) slots_.Give(*serving.slot);
    if (serving.op_slots > 0) op_slots_.Give(serving.op_slots);
    if (thread::kConcurrent) {
      serving_now_.fetch_sub(1, std::memory_order_relaxed);
    }
  }

  // Begin and End are called before and after the handler of the request.
  void Begin(Serving& serving, Rank source, const PortalsHeader& request) {
    serving.source = source;
    serving.chunk = request.chunk;
    serving.credit = request.credit;
    serving_ = &serving;
  }
  void End();

  // Sends the reply to the request that this thread serves.
  void Send(const PortalsPacket& packet);
  // Takes an op slot for the payload of a Long reply. If the second of the
  // thread's two op slots is not free, takes another op slot. Returns false if
  // no op slot is free now.
  bool TakeOpSlot();
  void GiveOpSlot() { ++serving_->op_slots; }

  // Handles the completion or failure of the put of a reply. No thread waits
  // for this completion, so a failure needs no other handling.
  void Sent(const ptl_event_t& event);

  // Makes Prepare return false from now on.
  void Stop() { servers_.store(0, std::memory_order_relaxed); }

  // Returns the peer of a reply, given the user pointer of its event.
  static Rank PeerOf(void* user) { return Untag<Slot>(user).peer; }

 private:
  static constinit thread_local Serving* serving_;

  ConduitInterface& interface_;
  OpSlots& op_slots_;
  PortalsStatistics& statistics_;
  FlowControl& flow_;
  const size_t chunk_;
  std::byte* chunks_ = nullptr;
  // Relaxed, because these two counters order no other memory. Events order the
  // requests, and the pool orders the uses of chunks.
  alignas(kCacheLine) std::atomic<uint32_t> serving_now_{0};
  std::atomic<uint32_t> servers_;
  Pool<Slot> slots_;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_REPLIES_H_
