// The requests of this rank that are under way.
//
// A request has a chunk, which it is written into and put from, a ticket, and
// credits. All of them stay with it until the reply comes, which is put into
// the chunk. So what its target had no room for is sent again from there:
//
//   Take, Send --put--> in flight --Claim: the reply is here--> Finish
//                        ^    |  `--its put fails, its peer is given up--> free
//             sent again `----' refused (pauses.h)
//
// Payloads of Longs, which may be refused too, are transfers (transfers.h), and
// are sent again and given up as their requests are.
//
// Any threads. A slot (request_slot.h) and its chunk are one thread's until the
// request is put, and again from when it is claimed. Portals alone has the
// chunk in between. The one exception: a thread that puts a request, or puts it
// again, may be so late that its peer was given up on and the chunk is another
// request's. Then that one's bytes go to a peer that has left, which takes
// nothing in.
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
#include "conduits/portals/pool.h"
#include "conduits/portals/request_slot.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tickets.h"
#include "conduits/portals/transfers.h"
#include "conduits/portals/tuning.h"
#include "core/rank.h"

namespace gasnet::portals {

class Requests {
 public:
  // So many chunks of so many bytes each.
  Requests(Interface& interface, Tickets& tickets, Transfers& transfers,
           Statistics& statistics, FlowControl& flow, size_t chunks,
           size_t chunk, Rank ranks)
      : interface_(interface),
        tickets_(tickets),
        transfers_(transfers),
        statistics_(statistics),
        flow_(flow),
        chunk_(chunk),
        left_since_(ranks),
        slots_(chunks) {}

  // Appends the entry of replies, over the chunks.
  absl::Status Start(std::byte* chunks);
  size_t bytes() const { return slots_.size() * chunk_; }

  // --- Sending ---

  // All that a request with so large a body needs, or null. The caller sends
  // one.
  RequestSlot* Take(Rank peer, size_t bytes, bool data_go_apart);
  void Send(RequestSlot& slot, const Packet& packet);

  // --- Replies ---

  // The chunk that a reply is to, the caller's from then on until it finishes
  // the request. Nothing: its sender was given up on.
  std::optional<uint32_t> Claim(Rank source, uint64_t offset);
  std::byte* ChunkAt(uint32_t index) { return chunks_ + index * chunk_; }
  // The reply is handled; its byte.
  void Finish(uint32_t index, uint8_t credit);

  // --- Failures ---

  // The put has failed, and nobody waits for the request.
  void Lost(const ptl_event_t& event);
  // A request, or the payload of a Long, was refused.
  void Refused(const ptl_event_t& event);
  // Operations of those users, which were refused, go to the peer again.
  void SendAgain(Rank peer, const std::vector<void*>& users);
  // True: a request to a peer that has not left may be refused still.
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

  // Peers that have left answer nothing: a while later, when no reply of theirs
  // can be on its way, all that requests to them hold is given back. One thread
  // at a time, now and then.
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

  // The peer of a request, from its event.
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
  // The time since when a peer is known to have left; 0: it has not.
  std::vector<int64_t> left_since_;
  alignas(kCacheLine) Pool<RequestSlot> slots_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_REQUESTS_H_
