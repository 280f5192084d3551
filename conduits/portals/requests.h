// The requests of this rank that are in flight.
//
// A request holds an op slot, credits, and the chunk that it is put from. It
// keeps them until its reply arrives in the chunk. If the target had no room
// for a request, the request is sent again from the chunk:
//
//   Take, Send --put--> in flight --Claim: the reply is here--> Finish
//                        ^    |  `--its put fails, its peer is given up--> free
//             sent again `----' refused (pauses.h)
//
// Payloads of Longs may be refused, too. They are transfers (transfers.h), and
// are sent again and given up like requests.
//
// Thread-safe. A slot (request_slot.h) and its chunk belong to the sending
// thread until the request is put, and to the claiming thread from its claim
// on. In between only Portals uses the chunk, with one exception: a thread may
// put a request again so late that the peer was given up on and another request
// has the chunk. Then bytes of this other request go to the old peer. It has
// left and ignores the bytes.
#ifndef CONDUITS_PORTALS_REQUESTS_H_
#define CONDUITS_PORTALS_REQUESTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "base/cache_line.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/flow_control.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/packet.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/request_slot.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/transfers.h"
#include "conduits/portals/tuning.h"
#include "core/rank.h"

namespace gasnet::portals_conduit {

class Requests {
 public:
  Requests(ConduitInterface& interface, OpSlots& op_slots,
           PortalsTransfers& transfers, PortalsStatistics& statistics,
           FlowControl& flow, const Plan& plan, const PortalsSettings& settings,
           Rank ranks)
      : interface_(interface),
        op_slots_(op_slots),
        transfers_(transfers),
        statistics_(statistics),
        flow_(flow),
        chunk_(plan.chunk),
        left_since_(ranks),
        slots_(settings.sb_chunks) {}

  // Appends the entry of replies. The entry covers the chunks.
  absl::Status Start(std::byte* chunks);
  // Returns the size of all chunks together.
  size_t bytes() const { return slots_.size() * chunk_; }

  // --- Sending ---

  // Takes all resources of a request with a body of `bytes` bytes. Returns null
  // if some are not available now.
  RequestSlot* Take(Rank peer, size_t bytes, bool data_go_apart);
  void Send(RequestSlot& slot, const PortalsPacket& packet);

  // --- Replies ---

  // Claims the chunk that a reply from `source` was put to, and returns its
  // index. The caller owns the chunk until Finish. Returns nullopt if `source`
  // was given up on.
  std::optional<uint32_t> Claim(Rank source, uint64_t offset);
  std::byte* ChunkAt(uint32_t index) { return chunks_ + index * chunk_; }
  // Ends the request. Called after the request's reply is handled. `credit` is
  // the credit byte of the reply's header.
  void Finish(uint32_t index, uint8_t credit);

  // --- Failures ---

  // Handles a put that has failed for good. Ends the put's request. No thread
  // waits for the request.
  void Lost(const ptl_event_t& event);
  // Handles the refusal of a request, or of the payload of a Long.
  void Refused(const ptl_event_t& event);
  // Sends refused operations again. `users` has the user pointers from the
  // events of these operations.
  void SendAgain(Rank peer, const std::vector<void*>& users);
  // Returns true if a request to a peer that has not left may still be refused.
  template <class HasLeft>
  bool MayGoAgain(HasLeft has_left) {
    if (!flow_.MayBeRefused()) return false;
    for (size_t i = 0; i < slots_.size(); ++i) {
      const RequestSlot& slot = slots_.at(i);
      if (RequestSlot::IsInFlight(slot.Use()) && !has_left(slot.Peer())) {
        return true;
      }
    }
    return false;
  }

  // Gives up on peers that have left, and releases the resources of requests to
  // these peers. Waits some time first, until no reply of a peer that has left
  // can still be on its way. Called regularly, by one thread at a time.
  template <class HasLeft>
  void GiveUpThose(HasLeft has_left, int64_t now) {
    bool any = false;
    for (Rank peer = 0; peer < left_since_.size(); ++peer) {
      if (!has_left(peer)) continue;
      int64_t& since = left_since_[peer];
      if (since == 0) since = now;
      if (now - since < kGoneAfter) continue;
      GiveUp(peer);
      any = true;
    }
    if (any) ReleaseGivenUp();
  }

  // Returns the peer of a request, given the user pointer of its event.
  static Rank PeerOf(void* user) { return Untag<RequestSlot>(user).Peer(); }

 private:
  std::byte* ChunkOf(const RequestSlot& slot) const {
    return chunks_ + slots_.IndexOf(slot) * chunk_;
  }
  void Put(RequestSlot& slot, Rank peer, const RequestPut& put, uint32_t use);
  void Release(RequestSlot& slot);
  void GiveUp(Rank peer);
  void ReleaseGivenUp();

  ConduitInterface& interface_;
  OpSlots& op_slots_;
  PortalsTransfers& transfers_;
  PortalsStatistics& statistics_;
  FlowControl& flow_;
  const size_t chunk_;
  std::byte* chunks_ = nullptr;
  // The time at which this rank first saw that a peer had left, indexed by
  // peer; 0 if the peer has not left.
  std::vector<int64_t> left_since_;
  alignas(kCacheLine) Pool<RequestSlot> slots_;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_REQUESTS_H_
