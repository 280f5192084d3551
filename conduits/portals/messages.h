// Active messages over one interface.
//
// A request is written into a chunk and put to the receive buffers of its
// target. The chunk is kept until the reply comes, which is put into it. Every
// request is answered: where its handler does not reply, by a message that says
// nothing but gives back. So whoever has a chunk also has the room for its
// reply, and replies wait for nobody.
//
//   request  ticket, chunk, credits --put--> in flight --reply--> free
//                                            ^    |
//                                 sent again `----' refused (pauses.h)
//   reply    two tickets and a chunk, taken before the request is looked for
//
// A chunk that is in flight holds its message, so that what a target had no
// room for is sent again from there. Credits (credits/credits.h) see to it that
// this does not happen; without them it is how ranks wait for each other.
//
// Handlers run where the message lies, with no lock held; their thread knows
// which request it serves, since a request's handler is not interrupted by
// another. Any threads.
#ifndef CONDUITS_PORTALS_MESSAGES_H_
#define CONDUITS_PORTALS_MESSAGES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "conduits/portals/arrived.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/gate.h"
#include "conduits/portals/halves.h"
#include "conduits/portals/header.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/pauses.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/request_buffers.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/system_message.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tickets.h"
#include "conduits/portals/transfers.h"
#include "conduits/portals/tuning.h"
#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/rma/under_way.h"
#include "core/segment.h"
#include "core/thread/mode.h"
#include "core/thread/spin_lock.h"
#include "core/thread/word.h"

namespace gasnet::portals {

class Messages {
 public:
  struct Parts {
    Interface& interface;
    Tickets& tickets;
    Transfers& transfers;
    Statistics& statistics;
  };

  Messages(const Parts& parts, const Plan& plan, const Settings& settings,
           Rank me, Rank ranks);

  // Appends the entries.
  absl::Status Start();
  // Of this rank's endpoint; before any rank sends to it.
  void SetSegment(EndpointIndex endpoint, const Segment& segment) {
    segments_[endpoint] = segment;
  }

  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);

  // Serves a request, if one has come and there is what its reply needs:
  // next(event) takes an event of the queue of requests. Whether an event was
  // taken; `handled` counts handlers that ran.
  template <class Next>
  bool ServeOne(Next next, am::Dispatcher& dispatcher, unsigned& handled) {
    Serving serving;
    if (!Prepare(serving)) return false;
    ptl_event_t event;
    const bool taken = next(event);
    if (taken) {
      handled += Serve(event, serving, dispatcher);
    } else if (!gate_.IsIdle()) [[unlikely]] {
      OpenGate();
    }
    Finish(serving);
    return taken;
  }

  // A put to the entry of replies. How many handlers ran: none without a
  // dispatcher.
  unsigned TakeReply(const ptl_event_t& event, am::Dispatcher* dispatcher);
  // A reply's chunk may be used again; what failed, nobody waits for.
  void ReplySent(const ptl_event_t& event);
  void RequestLost(const ptl_event_t& event);
  // A request, or the payload of a Long, was refused: it is sent again when its
  // target has room.
  void Refused(const ptl_event_t& event);
  // A put to the entry of system messages.
  void TakeSystem(const ptl_event_t& event);

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
  // No request is served from now on.
  void StopServing() { servers_.store(0, std::memory_order_relaxed); }
  // Whether a request to a peer that has not left may be refused still.
  template <class HasLeft>
  bool MayGoAgain(HasLeft has_left) {
    if (credit_mode_ != credits::Mode::kOff &&
        statistics_[Counted::kRefusals] == 0) {
      return false;
    }
    for (size_t i = 0; i < requests_.size(); ++i) {
      const RequestSlot& slot = requests_.at(i);
      if (slot.IsInFlight() && !has_left(slot.Peer())) return true;
    }
    return false;
  }

  void CatchUp() { buffers_.CatchUp(); }
  bool IsBehind() const { return buffers_.IsBehind(); }

  static Rank PeerOf(void* user, Kind kind);
  const credits::Credits& credits() const { return credits_; }
  size_t max_medium() const { return chunk_ - kMostBesides; }

 private:
  // The put of a request.
  struct Outgoing {
    size_t bytes = 0;  // of the body
    Target target;
  };
  struct alignas(kRecordAlignment) RequestSlot {
    // The use of the slot, odd while a request is in flight in it. Acquires
    // its peer.
    uint32_t Use() const { return use.load(std::memory_order_acquire); }
    bool IsInFlight() const { return Use() % 2 != 0; }
    Rank Peer() const { return peer.load(std::memory_order_relaxed); }

    // By who has filled it; the use.
    uint32_t Begin() {
      const uint32_t now = use.load(std::memory_order_relaxed) + 1;
      use.store(now, std::memory_order_release);
      return now;
    }
    // Ends the use. Whether nobody else has, so that the slot is the caller's.
    bool Claim(uint32_t now) {
      return now % 2 != 0 &&
             thread::Replace(use, now, now + 1, std::memory_order_acq_rel);
    }

    std::atomic<uint32_t> use{0};
    std::atomic<Rank> peer{0};
    uint8_t credit = 0;  // its byte
    Outgoing outgoing;   // as it would be sent again
  };
  struct alignas(kRecordAlignment) ReplySlot {
    Rank peer = 0;
  };
  // The request whose handler a thread runs.
  struct Serving {
    Rank source = 0;
    uint32_t chunk = 0;
    uint8_t credit = 0;
    bool replied = false;
    uint32_t tickets = 0;
    ReplySlot* slot = nullptr;
  };

  // A message on its way out; null: one that says nothing.
  struct Packet {
    Header header;
    BodyLayout layout;
    const am::Message* message;
  };

  void Release(RequestSlot& slot);
  void GiveUp(Rank peer);
  void ReleaseGivenUp();
  // The use of its slot that the event, or the operation, is of; 0: it is over.
  static uint32_t UseOf(void* user);
  [[noreturn, gnu::cold, gnu::noinline]] static void Malformed(Rank source,
                                                               const char* what,
                                                               const char* why);

  // --- messages_sent.cc ---
  bool IsPacked(Rank peer, const am::Message& message) const;
  am::Post SendLong(Rank peer, am::Lane lane, const am::Message& message);
  am::Post SendLongInParts(Rank peer, am::Lane lane,
                           const am::Message& message);
  bool PostParts(Rank peer, am::Lane lane, const am::Message& message);
  bool TakeTicketForPayload(am::Lane lane);
  void GiveTicketForPayload(am::Lane lane);
  void PostPayload(Rank peer, am::Lane lane, const am::Message& message,
                   uint32_t lid, rma::UnderWay& complete);
  RequestSlot* TakeSlot(Rank peer, size_t bytes, bool data_go_apart);
  void SendRequest(RequestSlot& slot, Packet packet);
  void PutRequest(RequestSlot& slot, Outgoing outgoing, uint32_t use);
  void SendReply(Packet packet);

  // Two tickets, a chunk, and leave to serve: only so many threads do at once
  // that the receive buffers which they hold are not counted on. Inlined: a
  // poll that finds nothing does both.
  [[gnu::always_inline]] bool Prepare(Serving& serving) {
    if (thread::kConcurrent) {
      if (serving_now_.fetch_add(1, std::memory_order_relaxed) >=
          servers_.load(std::memory_order_relaxed)) {
        serving_now_.fetch_sub(1, std::memory_order_relaxed);
        return false;
      }
    }
    if (tickets_.TakeForReply(Tickets::kForReplies)) {
      serving.tickets = Tickets::kForReplies;
      serving.slot = replies_.Take();
      if (serving.slot != nullptr) [[likely]]
        return true;
    }
    statistics_.Note(Counted::kNoReplyRoom);
    Finish(serving);
    return false;
  }
  [[gnu::always_inline]] void Finish(Serving& serving) {
    if (serving.slot != nullptr) replies_.Give(*serving.slot);
    if (serving.tickets > 0) tickets_.Give(serving.tickets);
    if (thread::kConcurrent) {
      serving_now_.fetch_sub(1, std::memory_order_relaxed);
    }
  }

  // --- messages_served.cc ---
  std::optional<Arrived> Join(Rank source, am::Lane lane, uint32_t lid,
                              Halves::Which which, const Arrived& half);
  Arrived Check(const ptl_event_t& event, am::Lane lane, const Header& header,
                std::byte* body);
  unsigned Serve(const ptl_event_t& event, Serving& serving,
                 am::Dispatcher& dispatcher);
  void NoteRequest(Rank source, uint8_t credit);
  void RunRequest(Rank source, const Arrived& arrived, Serving& serving,
                  am::Dispatcher& dispatcher);
  void ServeOther(const ptl_event_t& event);
  RequestSlot* SlotOfReply(Rank source, uint64_t offset);
  void FinishRequest(RequestSlot& slot, uint8_t credit);

  // --- messages_control.cc ---
  void ReportOverflow(Rank peer);
  void OpenGate();
  void Resume(Rank peer);
  void SendSystem(Rank peer, const SystemMessage& message);
  void AnswerRevoke(Rank peer, bool epoch);
  uint8_t CreditOfReply(Rank peer, uint8_t request);

  static constinit thread_local Serving* serving_;

  Interface& interface_;
  Tickets& tickets_;
  Transfers& transfers_;
  Statistics& statistics_;
  const size_t chunk_;
  const bool packed_long_;
  std::atomic<uint32_t> servers_;
  const credits::Mode credit_mode_;
  thread::SpinLock credit_lock_;
  credits::Credits credits_ ABSL_GUARDED_BY(credit_lock_);
  RequestBuffers buffers_;
  Pauses pauses_;
  std::atomic<bool> has_reported_overflow_{false};
  Gate gate_;
  std::atomic<uint32_t> serving_now_{0};
  Halves halves_;
  std::atomic<uint32_t> next_lid_{0};
  rma::UnderWay unawaited_;  // payloads of Longs whose sources stay
  Pool<RequestSlot> requests_;
  Pool<ReplySlot> replies_;
  Buffers memory_;  // of all chunks
  std::byte* request_chunks_ = nullptr;
  std::byte* reply_chunks_ = nullptr;
  std::array<Segment, kMaxEndpoints> segments_;
  // By peer, since when it is known to have left; 0: it has not.
  std::vector<int64_t> left_since_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_MESSAGES_H_
