// The requests of this rank that are under way.
//
// A request has a ticket, credits, and a chunk, which it is put from. It keeps
// them until its reply arrives, which is put into the chunk. A request for
// which its target had no room is sent again from the chunk:
//
//   Take, Send --put--> in flight --Claim: the reply is here--> Finish
//                        ^    |  `--its put fails, its peer is given up--> free
//             sent again `----' refused (pauses.h)
//
// Payloads of Longs, which may be refused too, are transfers (transfers.h), and
// are sent again and given up as their requests are.
//
// Any threads. A slot (request_slot.h) and its chunk belong to the sending
// thread until the request is put, and to the claiming thread from its claim
// on. In between only Portals has the chunk, with one exception: a thread that
// puts a request, or puts it again, may be so late that its peer was given up
// on and the chunk is another request's. Then bytes of that other request go to
// a peer that has left, which takes nothing in.
#ifndef CONDUITS_PORTALS_REQUESTS_H_
#define CONDUITS_PORTALS_REQUESTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "base/cache_line.h"
#include "conduits/portals/flow_control.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/packet.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/request_slot.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tickets.h"
#include "conduits/portals/transfers.h"
#include "conduits/portals/tuning.h"
#include "core/rank.h"

namespace gasnet::portals {

class Requests {
 public:
  Requests(Interface& interface, Tickets& tickets, Transfers& transfers,
           Statistics& statistics, FlowControl& flow, const Plan& plan,
           const Settings& settings, Rank ranks)
      : interface_(interface),
        tickets_(tickets),
        transfers_(transfers),
        statistics_(statistics),
        flow_(flow),
        chunk_(plan.chunk),
        left_since_(ranks),
        slots_(settings.sb_chunks) {}

  // Appends the entry of replies, over the chunks.
  absl::Status Start(std::byte* chunks);
  // Returns the bytes of all chunks.
  size_t bytes() const { return slots_.size() * chunk_; }

  // --- Sending ---

  // Takes all that Send needs for a request with a body of `bytes` bytes.
  // Returns null if some of it is not available now.
  RequestSlot* Take(Rank peer, size_t bytes, bool data_go_apart);
  void Send(RequestSlot& slot, const Packet& packet);

  // --- Replies ---

  // Returns the index of the chunk that a reply from `source` was put to. The
  // caller owns the chunk until Finish. Returns nothing if `source` was given
  // up on.
  std::optional<uint32_t> Claim(Rank source, uint64_t offset);
  std::byte* ChunkAt(uint32_t index) { return chunks_ + index * chunk_; }
  // Called after the reply is handled. `credit`: the byte of its header.
  void Finish(uint32_t index, uint8_t credit);

  // --- Failures ---

  // Handles a put that has failed for good. Its request is over, and nothing
  // waits for it.
  void Lost(const ptl_event_t& event);
  // Handles the refusal of a put of a request, or of the payload of a Long.
  void Refused(const ptl_event_t& event);
  // Sends refused operations again, by the user pointers of their events.
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

  // Gives up on peers that have left, since they answer nothing. It does so
  // some time later, when none of a peer's replies can still be on its way, and
  // gives back all that requests to it hold. Called now and then, by one thread
  // at a time.
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

  // Returns the peer of a request, from its event.
  static Rank PeerOf(void* user) { return Untag<RequestSlot>(user).Peer(); }

 private:
  std::byte* ChunkOf(const RequestSlot& slot) const {
    return chunks_ + slots_.IndexOf(slot) * chunk_;
  }
  void Put(RequestSlot& slot, Rank peer, const RequestPut& put, uint32_t use);
  void Release(RequestSlot& slot);
  void GiveUp(Rank peer);
  void ReleaseGivenUp();

  Interface& interface_;
  Tickets& tickets_;
  Transfers& transfers_;
  Statistics& statistics_;
  FlowControl& flow_;
  const size_t chunk_;
  std::byte* chunks_ = nullptr;
  // When each peer was first known to have left, indexed by peer; 0 if it has
  // not.
  std::vector<int64_t> left_since_;
  alignas(kCacheLine) Pool<RequestSlot> slots_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_REQUESTS_H_
