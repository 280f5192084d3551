// Active messages over one endpoint. They travel as frames of records. Each
// frame costs credit.
//
// The receiver has memory for a window of frames from each peer and lane. The
// frames of a peer and lane that are on their way fit into this window
// (core/am/credit.h). So the receiver has a buffer for every frame that
// arrives, regardless of the provider's behavior. A request that arrives while
// only replies are served is copied and kept. It holds its credit, so the
// windows also limit the number of kept requests.
//
//   Send        takes credit and a send buffer, then calls fi_send or
//               fi_inject; or returns kRetry. Sends a message that is larger
//               than a frame in fragments (message_fragments.cc)
//   Take        processes a completion: takes the credit that came back, and
//               the frame. Assembles fragments (incoming_fragments.h)
//   Finish      gives the frame's buffer and credit back
//   SendCredit  gives credit back to peers to which no other frame is sent
//
// A frame that the provider injects (paths.h) frees its send buffer at once and
// has no completion (injected.h). The last frame that fits into a window is
// never injected, so there is always credit for a mark behind injected frames.
//
// Not thread-safe: used under the lock of the network. This lock is released
// while handlers run.
#ifndef CONDUITS_OFI_MESSAGES_H_
#define CONDUITS_OFI_MESSAGES_H_

#include <rdma/fi_eq.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <atomic>
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

// A frame that has arrived and has been checked, or a message of several
// frames.
struct Arrival {
  Rank source = 0;
  Lane lane = Lane::kRequest;
  unsigned messages = 0;
  std::span<std::byte> frame = {};
  // The memory that holds the frame: a receive buffer or a copy. One of the two
  // pointers is null. A frame is copied if it is not aligned to 16 bytes, or if
  // frames already hold another buffer.
  ReceiveBuffer* buffer = nullptr;
  std::byte* copy = nullptr;
  // A message that consists of several frames, or null. If it is not null,
  // `frame` is empty.
  am::Assembly* assembly = nullptr;
};

class OfiMessages {
 public:
  struct Counts {
    std::atomic<uint64_t> waits_for_credit{0};
    std::atomic<uint64_t> waits_for_provider{0};
    std::atomic<uint64_t> frames_dropped{0};  // sent by no rank of the job
  };

  // `clock` is the current time. Posts are stamped with it. The clock must
  // outlive this object.
  OfiMessages(OfiEndpoint& endpoint, const MessageLimits& limits, Rank me,
              Rank ranks, uint32_t cookie, const Seconds& clock);

  ~OfiMessages();

  // Needs no lock.
  const Counts& counts() const { return counts_; }

  absl::Status Start();
  void SetSegment(EndpointIndex endpoint, const Segment& segment) {
    taken_.segments[endpoint] = segment;
  }

  // Sends a message in one frame. If `fenced` is true, the frame leaves only
  // after the transfers that were posted to the peer before it are complete
  // (paths.h, LongPath::kFenced).
  am::Post Send(Rank peer, Lane lane, const am::Message& message,
                bool fenced = false);
  // Sends a message whose payload is larger than whole(), in one or several
  // calls. `posted` counts the payload bytes that are on their way. The caller
  // sets `posted` to 0 for the first call and keeps it for later calls. If
  // `posted` is null, the message is sent in one call or not at all.
  am::Post SendInFragments(Rank peer, Lane lane, const am::Message& message,
                           size_t* posted);

  // Returns false if the peer's window has no room even for a message of the
  // largest header and no payload.
  bool MayHaveRoom(Rank peer, Lane lane) const {
    const am::Message largest = {.category = am::Category::kLong,
                                 .num_args = am::kMaxArgs,
                                 .payload_sent = true};
    return peers_[peer].send[static_cast<size_t>(lane)].left() >=
           CostOf(am::RecordLayout::Of(kFrameHeaderBytes, largest).end);
  }

  // Take processes a completion. Finish releases the arrival after its handlers
  // have run. If Arrival::messages is 0, there is nothing to handle or finish.
  Arrival Take(const fi_cq_data_entry& entry);
  void Finish(const Arrival& arrival);
  // Takes fragments that waited for room. Returns a message that these
  // fragments have completed. Arrival::messages is 0 if there is no such
  // message.
  Arrival TakeWaiting();
  bool MayTakeWaiting() const { return incoming_.MayTakeWaiting(); }
  // Handles a failed receive. Returns true if it has posted the buffer again.
  // It posts the buffer in two cases. The message was longer than any message
  // of this job, so no rank has sent it. Or the message's sender may have
  // ended.
  bool Refuse(const fi_cq_err_entry& entry);
  // Keeps a request that must not be handled now. Copies the request, to free
  // its buffer. If there is no room for a copy, leaves the request in its
  // buffer.
  void Keep(const Arrival& arrival);
  am::KeptRequests& kept() { return kept_; }
  // Returns a kept request of several frames as an assembly. Returns null if
  // the request is a single frame.
  static am::Assembly* AssemblyOf(am::KeptRequest& request) {
    return request.frame.empty() ? static_cast<am::Assembly*>(&request)
                                 : nullptr;
  }
  void FinishKept(am::KeptRequest& request);

  void Complete(OperationContext& context);
  static std::string Describe(const OperationContext& context);
  static Rank PeerOf(const OperationContext& context);

  // Repeats the posts that the provider has refused.
  void CatchUp() {
    receive_buffers_.PostAgain();
    if (!due_.empty()) [[unlikely]]
      SendDueCredit();
    if (!unsent_.empty()) [[unlikely]]
      PostUnsent();
  }
  // Returns true if there is work that no event will announce. The provider may
  // have refused a post and will not say when it accepts posts again. Or there
  // may be room for waiting fragments.
  bool IsBehind() const {
    return !due_.empty() || receive_buffers_.HasUnposted() || held_up_ > 0 ||
           !unsent_.empty() || MayTakeWaiting();
  }

  // Returns the size of the largest payload that goes in one frame.
  size_t whole() const { return limits_.whole; }
  // Drops fragments that the provider has refused, if they are for ranks that
  // have left.
  template <class Predicate>
  void ForgetUnsentTo(Predicate has_left) {
    std::erase_if(unsent_, [&](SendBuffer* buffer) {
      if (!has_left(buffer->peer)) return false;
      GiveUnsent(*buffer);
      return true;
    });
  }
  // Sends marks behind messages that were injected at least `least_age` seconds
  // ago, to learn that these messages have left. Skips marks that the provider
  // refuses.
  void AskForInjected(uint32_t least_age);

  // Returns the number of sends whose completions are missing, plus the number
  // of peers with injected messages that no mark covers yet.
  size_t under_way() const { return send_buffers_.under_way() + unasked_; }
  // Returns true if anything is under way to a rank for which is_one(rank) is
  // true.
  template <class Predicate>
  bool IsUnderWayTo(Predicate is_one) const {
    if (send_buffers_.IsUnderWayTo(is_one)) return true;
    for (Rank rank = 0; unasked_ > 0 && rank < peers_.size(); ++rank) {
      if (!peers_[rank].injected.IsAsked() && is_one(rank)) return true;
    }
    return false;
  }
  // Returns true if a message is under way, or a peer accepts none.
  bool IsWaiting() const { return under_way() > 0 || refusals_ > 0; }
  // Returns the message that has been under way, or refused, for the longest
  // time.
  std::optional<Waited> Oldest() const;

 private:
  static void Count(std::atomic<uint64_t>& count) {
    count.store(count.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
  }
  // The progress of fragmented messages in a lane to a peer.
  struct Outgoing {
    // identifies the message being sent; null: none
    const size_t* current = nullptr;
    uint32_t number = 0;  // number of the newest message
    uint32_t unsent = 0;  // frames that the provider refused
  };
  struct Peer {
    explicit Peer(am::CreditUnits window)
        : send{am::SendCredit(window), am::SendCredit(window)} {}

    std::array<am::SendCredit, kLanes> send;
    std::array<am::ReceiveCredit, kLanes> receive;
    std::array<Outgoing, kLanes> outgoing;
    Injected injected;
    bool due = false;  // the peer is in due_
    // The time in seconds (waited.h) at which the peer stopped accepting
    // messages, or 0 if it accepts messages. `by_provider` is true if the
    // provider refuses the messages, and false if the peer's window is full.
    uint32_t refused = 0;
    bool by_provider = false;
  };

  enum class How : uint8_t { kSent, kFenced, kInjected };
  // The result of a post. kLost means that the peer may have ended.
  enum class Posted : uint8_t { kPosted, kRefused, kLost };
  // Describes how a message is cut into fragments (message_fragments.cc).
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
  // Posts the buffer. Gives the buffer back and returns false if the post
  // fails.
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
  // Sends a frame without records. Returns false if the frame cannot be sent
  // now.
  bool PostHeader(Rank rank, Lane lane, bool is_mark);
  void Ask(Rank rank);
  void Handled(Rank source, Lane lane, size_t bytes);
  void SendDueCredit();
  bool SendCredit(Rank rank);
  Arrival Read(ReceiveBuffer& buffer, std::span<std::byte> frame);
  // Returns true if a rank of this job may have sent the frame.
  bool IsOfPeer(const FrameHeader& header) const;
  void TakeCredit(const FrameHeader& header);
  void GiveBack(const Arrival& arrival);
  Arrival ReadFragment(const FrameHeader& header, std::span<std::byte> frame);
  Arrival Assembled(const IncomingFragments::Taken& taken);

  OfiEndpoint& endpoint_;
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
  size_t unasked_ = 0;   // peers whose injected messages no mark covers
  size_t refusals_ = 0;  // number of peers that accept no message
  size_t held_up_ = 0;   // number of peers whose messages the provider refuses
  // Any thread may read the counts without the lock. They are relaxed.
  Counts counts_;
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_MESSAGES_H_
