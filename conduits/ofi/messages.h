// Active messages over one endpoint: frames of records, under credit.
//
// A rank may have as much on its way to another, in either lane, as fits into
// the window in the receiver's memory (core/am/credit.h). So there is a buffer
// for everything that arrives, whatever the provider does. A request that
// arrives while only replies are served is copied and kept. It holds its
// credit, so the windows bound what is kept as well.
//
//   Send       takes credit and a send buffer, then fi_send or fi_inject;
//              or returns kRetry. A message that is larger than a frame goes in
//              fragments (message_fragments.cc)
//   Take       processes a completion: credit that came back, and the frame.
//              Fragments are assembled (incoming_fragments.h)
//   Finish     gives the frame's buffer and credit back
//   SendCredit gives credit back to peers to which no frame goes
//
// A frame that the provider injects (paths.h) needs its send buffer no longer
// and has no completion, so none has to be read (injected.h). The last frame
// that fits into a window is never injected, so there is always credit for a
// mark behind those that were.
//
// Not thread-safe, except while handlers run: used under the lock of the
// network.
#ifndef CONDUITS_OFI_MESSAGES_H_
#define CONDUITS_OFI_MESSAGES_H_

#include <rdma/fi_eq.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/frame.h"
#include "conduits/ofi/incoming_fragments.h"
#include "conduits/ofi/injected.h"
#include "conduits/ofi/message_limits.h"
#include "conduits/ofi/receive_buffers.h"
#include "conduits/ofi/send_buffers.h"
#include "conduits/ofi/waited.h"
#include "core/am/assembly.h"
#include "core/am/check_records.h"
#include "core/am/credit.h"
#include "core/am/fragment.h"
#include "core/am/kept_requests.h"
#include "core/am/message.h"
#include "core/am/records.h"
#include "core/segment.h"

namespace gasnet::ofi {

// A frame that has arrived and is checked, or a message of several frames.
struct Arrival {
  Rank source = 0;
  Lane lane = Lane::kRequest;
  unsigned messages = 0;
  std::span<std::byte> frame = {};
  // The memory that the frame holds: its receive buffer, or a copy. It is
  // copied if it is not at a multiple of 16, or if frames hold another buffer
  // already.
  ReceiveBuffer* buffer = nullptr;
  std::byte* copy = nullptr;
  // The message, in place of a frame.
  am::Assembly* assembly = nullptr;
};

class Messages {
 public:
  // `clock`: dates what is posted; it outlives this.
  Messages(Endpoint& endpoint, const MessageLimits& limits, Rank me, Rank ranks,
           uint32_t cookie, const Seconds& clock);

  ~Messages();

  absl::Status Start();
  void SetSegment(EndpointIndex endpoint, const Segment& segment) {
    taken_.segments[endpoint] = segment;
  }

  // `fenced`: the message leaves only when all transfers to the peer that were
  // posted are complete (paths.h, LongPath::kFenced).
  am::Post Send(Rank peer, Lane lane, const am::Message& message,
                bool fenced = false);
  // Sends a message whose payload is larger than whole(), in one or several
  // calls. `posted`: the bytes of payload that are on their way, 0 at first;
  // the caller keeps it from one call to the next. Null: it is sent in one call
  // or not at all.
  am::Post SendInFragments(Rank peer, Lane lane, const am::Message& message,
                           size_t* posted);

  // Returns false if the peer's window has no room for a message without a
  // payload in it.
  bool MayHaveRoom(Rank peer, Lane lane) const {
    const am::Message largest = {.category = am::Category::kLong,
                                 .num_args = am::kMaxArgs,
                                 .in_place = true};
    return peers_[peer].send[static_cast<size_t>(lane)].left() >=
           CostOf(am::RecordLayout::Of(kFrameHeaderBytes, largest).end);
  }

  // If there is nothing to handle, Arrival::messages is 0, and nothing is to be
  // finished.
  Arrival Take(const fi_cq_data_entry& entry);
  void Finish(const Arrival& arrival);
  // Returns a message whose last fragments have waited for room; if there is
  // none, Arrival::messages is 0.
  Arrival TakeWaiting();
  bool MayTakeWaiting() const { return incoming_.MayTakeWaiting(); }
  // Handles a failed receive. Returns true if its buffer is used again. That is
  // so if the message was longer than any of the job, so that no rank sent it,
  // or if its sender may be gone.
  bool Refuse(const fi_cq_err_entry& entry);
  // Keeps a request that must not be handled now. It is copied, so that the
  // buffer can be used, or held in place.
  void Keep(const Arrival& arrival);
  am::KeptRequests& kept() { return kept_; }
  // Returns the message in several frames that a kept request is; null if it is
  // a frame.
  static am::Assembly* AssemblyOf(am::KeptRequest& request) {
    return request.frame.empty() ? static_cast<am::Assembly*>(&request)
                                 : nullptr;
  }
  void FinishKept(am::KeptRequest& request);

  void Complete(Context& context);
  static std::string Describe(const Context& context);
  static Rank PeerOf(const Context& context);

  // Does the work that the provider refused before.
  void CatchUp() {
    receive_buffers_.PostAgain();
    if (!due_.empty()) [[unlikely]]
      SendDueCredit();
    if (!unsent_.empty()) [[unlikely]]
      PostUnsent();
  }
  // Returns true if the provider refuses something at present. No event reports
  // when it stops.
  bool IsBehind() const {
    return !due_.empty() || receive_buffers_.HasUnposted() || held_up_ > 0 ||
           !unsent_.empty() || MayTakeWaiting();
  }

  // Returns the largest payload that goes in one frame.
  size_t whole() const { return limits_.whole; }
  // Gives up what the provider has refused for ranks that have left.
  template <class Predicate>
  void ForgetUnsentTo(Predicate has_left) {
    std::erase_if(unsent_, [&](SendBuffer* buffer) {
      if (!has_left(buffer->peer)) return false;
      GiveUnsent(*buffer);
      return true;
    });
  }
  // Sends marks behind everything that was injected at least `least_age`
  // seconds ago, as far as the provider takes them.
  void AskForInjected(uint32_t least_age);

  // Returns the number of sends without their completions, plus the number of
  // peers with injected messages that no mark covers yet.
  size_t under_way() const { return send_buffers_.under_way() + unasked_; }
  // Returns true if anything is under way to a rank for which is_one is true.
  template <class Predicate>
  bool IsUnderWayTo(Predicate is_one) const {
    if (send_buffers_.IsUnderWayTo(is_one)) return true;
    for (Rank rank = 0; unasked_ > 0 && rank < peers_.size(); ++rank) {
      if (!peers_[rank].injected.IsAsked() && is_one(rank)) return true;
    }
    return false;
  }
  // Returns true if anything is under way, or could not be sent.
  bool IsWaiting() const { return under_way() > 0 || refusals_ > 0; }
  // Returns what has been waited for longest among these.
  std::optional<Waited> Oldest() const;

 private:
  // The messages in fragments that go to a peer in a lane.
  struct Outgoing {
    const size_t* current = nullptr;  // `posted` of the one not yet sent
    uint32_t number = 0;              // of the newest
    uint32_t unsent = 0;              // frames that the provider refused
  };
  struct Peer {
    explicit Peer(am::CreditUnits window)
        : send{am::SendCredit(window), am::SendCredit(window)} {}

    std::array<am::SendCredit, kLanes> send;
    std::array<am::ReceiveCredit, kLanes> receive;
    std::array<Outgoing, kLanes> outgoing;
    Injected injected;
    bool due = false;  // it is in due_
    // The second (waited.h) since which it has taken nothing; 0 if it takes
    // all. `by_provider`: the provider refuses, not the peer's window.
    uint32_t refused = 0;
    bool by_provider = false;
  };

  enum class How : uint8_t { kSent, kFenced, kInjected };
  // kLost: the peer may be gone.
  enum class Posted : uint8_t { kPosted, kRefused, kLost };
  // The cutting of a message (message_fragments.cc).
  struct Cut;

  // A request that is kept in its receive buffer.
  struct HeldFrame : am::KeptRequest {
    Arrival arrival;
  };

  am::CreditUnits CostOf(size_t bytes) const {
    return std::max(limits_.least, am::CreditFor(bytes));
  }
  // Returns a header with all the credit that is owed to the peer.
  FrameHeader HeaderTo(Peer& peer, Lane lane);
  void TakeBack(Peer& peer, const FrameHeader& header);
  am::Post Refused(Peer& peer, bool by_provider);
  void Taken(Peer& peer);
  void SetHeldUp(Peer& peer, bool is_now);
  bool MayInject(const Peer& peer, const am::SendCredit& credit,
                 size_t bytes) const;
  // Returns false, and gives the buffer back, if it is not posted.
  bool Post(Rank rank, SendBuffer& buffer, size_t bytes, How how);
  Posted TryPost(Rank rank, SendBuffer& buffer, size_t bytes, How how);
  ssize_t PostBy(How how, Rank rank, SendBuffer& buffer, size_t bytes);
  ssize_t PostFenced(Rank rank, SendBuffer& buffer, size_t bytes);
  void NotePosted(Peer& peer, SendBuffer& buffer, How how);
  Outgoing& OutgoingOf(const SendBuffer& buffer) {
    return peers_[buffer.peer].outgoing[static_cast<size_t>(buffer.lane)];
  }
  bool HasRoom(const Peer& peer, Lane lane, const Cut& cut) const;
  bool SendFragment(Rank rank, Lane lane, const am::Message& message,
                    const am::Fragment& fragment);
  void PostUnsent();
  void GiveUnsent(SendBuffer& buffer) {
    --OutgoingOf(buffer).unsent;
    send_buffers_.Give(buffer);
  }
  // Sends a frame without records. Returns false if it cannot be sent now.
  bool PostHeader(Rank rank, Lane lane, bool is_mark);
  void Ask(Rank rank);
  void Handled(Rank source, Lane lane, size_t bytes);
  void SendDueCredit();
  bool SendCredit(Rank rank);
  Arrival Read(ReceiveBuffer& buffer, std::span<std::byte> frame);
  // Returns true if a rank of this job can have sent it.
  bool IsOfPeer(const FrameHeader& header) const;
  void TakeCredit(const FrameHeader& header);
  void GiveBack(const Arrival& arrival);
  Arrival ReadFragment(const FrameHeader& header, std::span<std::byte> frame);
  Arrival Assembled(const IncomingFragments::Taken& taken);

  Endpoint& endpoint_;
  const MessageLimits limits_;
  const Rank me_;
  const uint32_t cookie_;
  am::RecordLimits taken_;
  SendBuffers send_buffers_;
  ReceiveBuffers receive_buffers_;
  IncomingFragments incoming_;
  am::KeptRequests kept_;
  std::vector<Peer> peers_;
  std::vector<Rank> due_;
  std::vector<SendBuffer*> unsent_;
  const Seconds& clock_;
  size_t unasked_ = 0;    // peers with something injected, not asked about
  size_t refusals_ = 0;   // peers that take nothing
  size_t held_up_ = 0;    // those for which the provider takes nothing
  uint64_t refused_ = 0;  // frames that no rank of the job has sent
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_MESSAGES_H_
