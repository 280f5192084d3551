#include "conduits/ofi/messages.h"

#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/round_up.h"
#include "base/strings.h"
#include "conduits/ofi/tuning.h"
#include "core/am/check_records.h"
#include "core/am/records.h"

namespace gasnet::ofi {
namespace {

// A frame of one message with that much payload and all arguments.
size_t FrameBytes(size_t medium) {
  const am::RecordLayout layout = am::RecordLayout::Of(
      kFrameHeaderBytes, am::Category::kLong, am::kMaxArgs, medium);
  return RoundUp(layout.end, am::kCreditUnitBytes);
}

bool IsAligned(std::span<const std::byte> frame) {
  return reinterpret_cast<uintptr_t>(frame.data()) % 16 == 0;
}

std::byte* CopyAligned(std::span<const std::byte> frame) {
  AlignedBytes copy = MakeAlignedBytes(RoundUp(frame.size(), kFrameAlignment));
  std::memcpy(copy.get(), frame.data(), frame.size());
  return copy.release();
}

// Frames that give credit back come uncalled: two for each lane at most are on
// their way, since half a window must have been filled between them.
constexpr size_t kCreditFrames = 2 * kLanes + 1;

// How many frames a window may hold, so that those of all ranks are so many;
// but two, or half a window were none.
size_t FramesFor(size_t ranks, size_t all) {
  const size_t each = all / ranks;
  return each <= kCreditFrames
             ? 2
             : std::max<size_t>((each - kCreditFrames) / kLanes, 2);
}

}  // namespace

MessageLimits::MessageLimits(size_t far_ranks, const FrameRules& rules) {
  const size_t ranks = std::max<size_t>(far_ranks, 1);
  const size_t fair = kAllWindowsBytes / (kLanes * ranks);
  // Two frames to a window, so that half of it is one.
  max_medium = kMaxMedium;
  while (max_medium > kLeastMedium &&
         (2 * FrameBytes(max_medium) > fair ||
          FrameBytes(max_medium) > rules.most_bytes)) {
    max_medium /= 2;
  }
  frame_bytes = FrameBytes(max_medium);
  size_t window_bytes = std::max(std::min(kWindowBytes, fair), 2 * frame_bytes);
  if (!rules.multiple) {
    window_bytes =
        std::min(window_bytes, FramesFor(ranks, rules.receives) * frame_bytes);
  }
  window = am::CreditFor(window_bytes);
  least = rules.multiple ? am::CreditUnits{1} : am::CreditFor(frame_bytes);
  if (!rules.managed) {
    const size_t frames = FramesFor(ranks, kQueuedArrivals);
    const auto share =
        static_cast<am::CreditUnits>((window + frames - 1) / frames);
    least = std::max(least,
                     std::min(share, static_cast<am::CreditUnits>(window / 2)));
  }
  sends = kSends;
  const size_t frames = kLanes * (window / least) + kCreditFrames;
  arrivals = ranks * frames;
  if (rules.multiple) {
    const size_t needed =
        ranks * (kLanes * window_bytes + kCreditFrames * am::kCreditUnitBytes);
    // All but one, which a frame may hold, and what is left at their ends.
    buffer_bytes = RoundUp(
        std::max(kLeastBuffer, needed / (kReceiveBuffers - 1) + frame_bytes),
        4096);
    buffers = kReceiveBuffers;
  } else {
    buffer_bytes = frame_bytes;
    buffers = ranks * frames;
  }
}

Messages::Messages(Endpoint& endpoint, const MessageLimits& limits, Rank me,
                   Rank ranks, uint32_t cookie, const Seconds& clock)
    : endpoint_(endpoint),
      limits_(limits),
      me_(me),
      cookie_(cookie),
      send_buffers_(limits.sends, limits.frame_bytes),
      receive_buffers_(limits.buffers, limits.buffer_bytes),
      // A frame of one unit takes another for its place.
      kept_(2 * limits.buffers * limits.buffer_bytes, limits.frame_bytes),
      peers_(ranks, Peer(limits.window)),
      clock_(clock) {
  taken_.max_medium = limits.max_medium;
  due_.reserve(ranks);
}

Status Messages::Start() {
  Status started = send_buffers_.Register(endpoint_);
  if (started.ok()) started = receive_buffers_.Start(endpoint_);
  return started;
}

FrameHeader Messages::HeaderTo(Peer& peer, Lane lane) {
  return {cookie_,
          me_,
          lane,
          {peer.receive[0].TakeOwed(), peer.receive[1].TakeOwed()}};
}

void Messages::TakeBack(Peer& peer, const FrameHeader& header) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    peer.receive[lane].Handled(header.given_back[lane]);
  }
}

ssize_t Messages::PostFenced(Rank rank, SendBuffer& buffer, size_t bytes) {
  const iovec frame = {buffer.frame, bytes};
  void* descriptor = send_buffers_.descriptor();
  fi_msg message = {};
  message.msg_iov = &frame;
  message.desc = &descriptor;
  message.iov_count = 1;
  message.addr = endpoint_.PeerAddress(rank);
  message.context = &buffer.scratch;
  return fi_sendmsg(endpoint_.ep(), &message, FI_COMPLETION | FI_FENCE);
}

bool Messages::Post(Rank rank, SendBuffer& buffer, size_t bytes, bool fenced) {
  buffer.peer = rank;
  buffer.posted = clock_.now;
  const ssize_t posted =
      fenced ? PostFenced(rank, buffer, bytes)
             : fi_send(endpoint_.ep(), buffer.frame, bytes,
                       send_buffers_.descriptor(), endpoint_.PeerAddress(rank),
                       &buffer.scratch);
  if (posted == 0) return true;
  if (posted != -FI_EAGAIN) {
    const auto error = static_cast<int>(-posted);
    const std::string what =
        StrCat(Describe(buffer), " failed: ", endpoint_.ErrorText(error));
    if (!LostPeers::Explains(error)) Fatal("%s", what.c_str());
    endpoint_.lost().Note(rank, what, NowNanos());
  }
  send_buffers_.Give(buffer);
  return false;
}

am::Post Messages::Send(Rank rank, Lane lane, const am::Message& message,
                        bool fenced) {
  Peer& peer = peers_[rank];
  const size_t end = am::RecordLayout::Of(kFrameHeaderBytes, message).end;
  const size_t bytes = RoundUp(end, 16);
  // Only debug builds look at what the client passes.
  if (bytes > limits_.frame_bytes) [[unlikely]] {
    Fatal(
        "active message of %zu bytes to rank %u: the limit of a Medium is %zu",
        message.nbytes, rank, limits_.max_medium);
  }
  am::SendCredit& credit = peer.send[static_cast<size_t>(lane)];
  const am::CreditUnits cost = CostOf(bytes);
  if (!credit.Take(cost)) return Refused(peer, /*by_provider=*/false);
  SendBuffer* const buffer = send_buffers_.Take(lane);
  if (buffer == nullptr) {
    credit.GiveBack(cost, limits_.window);
    return am::Post::kRetry;
  }
  const FrameHeader header = HeaderTo(peer, lane);
  header.Encode(buffer->frame);
  am::EncodeMessage(buffer->frame, kFrameHeaderBytes, message);
  if (end < bytes) {
    StoreNumber(buffer->frame + end, std::to_integer<uint64_t>(am::kPadding));
  }
  if (Post(rank, *buffer, bytes, fenced)) {
    if (peer.refused != 0) [[unlikely]]
      Taken(peer);
    return am::Post::kDone;
  }
  credit.GiveBack(cost, limits_.window);
  TakeBack(peer, header);
  return Refused(peer, /*by_provider=*/true);
}

am::Post Messages::Refused(Peer& peer, bool by_provider) {
  if (peer.refused == 0) {
    peer.refused = clock_.now;
    ++refusals_;
  }
  SetHeldUp(peer, by_provider);
  return am::Post::kRetry;
}

void Messages::Taken(Peer& peer) {
  peer.refused = 0;
  --refusals_;
  SetHeldUp(peer, false);
}

void Messages::SetHeldUp(Peer& peer, bool is_now) {
  held_up_ += is_now;
  held_up_ -= std::exchange(peer.by_provider, is_now);
}

std::optional<Waited> Messages::Oldest() const {
  std::optional<Waited> oldest;
  if (const SendBuffer* const sent = send_buffers_.Oldest()) {
    oldest = Waited{sent->peer, sent->posted, Describe(*sent)};
  }
  for (Rank rank = 0; rank < peers_.size(); ++rank) {
    const Peer& peer = peers_[rank];
    if (peer.refused == 0) continue;
    if (oldest && oldest->since <= peer.refused) continue;
    oldest = {rank, peer.refused,
              StrCat(peer.by_provider ? "a place in the provider's queue"
                                      : "room in the memory",
                     " for a message to rank ", rank)};
  }
  return oldest;
}

bool Messages::IsOfPeer(const FrameHeader& header) const {
  if (header.cookie != cookie_ || header.source >= peers_.size()) return false;
  const Peer& peer = peers_[header.source];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const int taken = limits_.window - peer.send[lane].left();
    if (header.given_back[lane] > taken) return false;
  }
  return true;
}

void Messages::TakeCredit(const FrameHeader& header) {
  Peer& peer = peers_[header.source];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    peer.send[lane].GiveBack(header.given_back[lane], limits_.window);
  }
}

Arrival Messages::Read(ReceiveBuffer& buffer, std::span<std::byte> frame) {
  const std::optional<FrameHeader> header = FrameHeader::Decode(frame);
  if (!header || !IsOfPeer(*header)) {
    ++refused_;
    return {};
  }
  if (frame.size() == kFrameHeaderBytes) {
    TakeCredit(*header);
    return {};
  }
  // All windows fit into all buffers but one. So of the threads that are in
  // handlers, however many, those of one buffer alone may keep it.
  const bool stays = IsAligned(frame) && !receive_buffers_.IsAnotherHeld();
  std::byte* const copy = stays ? nullptr : CopyAligned(frame);
  if (copy != nullptr) frame = {copy, frame.size()};
  const unsigned messages =
      am::CheckRecords(header->source, frame, kFrameHeaderBytes, taken_);
  if (messages == 0) {
    if (copy != nullptr) std::free(copy);
    ++refused_;
    return {};
  }
  TakeCredit(*header);
  return {header->source,
          header->lane,
          messages,
          frame,
          stays ? &buffer : nullptr,
          copy};
}

Arrival Messages::Take(const fi_cq_data_entry& entry) {
  auto& buffer = *static_cast<ReceiveBuffer*>(
      reinterpret_cast<Context*>(entry.op_context));
  const std::span<std::byte> frame = receive_buffers_.Take(buffer, entry);
  if (frame.empty()) return {};
  const Arrival arrival = Read(buffer, frame);
  if (arrival.buffer == nullptr) receive_buffers_.Finish(buffer);
  return arrival;
}

bool Messages::Refuse(const fi_cq_err_entry& entry) {
  const bool truncated = entry.err == FI_ETRUNC;
  if (!truncated && !LostPeers::Explains(entry.err)) return false;
  refused_ += truncated;
  Take({.op_context = entry.op_context,
        .flags = entry.flags & FI_MULTI_RECV,
        .len = 0,
        .buf = nullptr,
        .data = 0});
  return true;
}

void Messages::Finish(const Arrival& arrival) {
  Handled(arrival.source, arrival.lane, arrival.frame.size());
  GiveBack(arrival);
}

void Messages::GiveBack(const Arrival& arrival) {
  if (arrival.copy != nullptr) std::free(arrival.copy);
  if (arrival.buffer != nullptr) receive_buffers_.Finish(*arrival.buffer);
}

void Messages::Keep(const Arrival& arrival) {
  if (kept_.Copy(arrival.source, arrival.messages, arrival.frame)) {
    GiveBack(arrival);
    return;
  }
  // As copies of other sizes happen to lie there is no room of one piece.
  auto* const held = new HeldFrame;
  held->source = arrival.source;
  held->messages = arrival.messages;
  held->frame = arrival.frame;
  held->arrival = arrival;
  kept_.Hold(*held);
}

void Messages::FinishKept(am::KeptRequest& request) {
  if (request.copied) {
    Handled(request.source, Lane::kRequest, request.frame.size());
    kept_.Release(request);
    return;
  }
  auto* const held = static_cast<HeldFrame*>(&request);
  Finish(held->arrival);
  delete held;
}

void Messages::Handled(Rank source, Lane lane, size_t bytes) {
  Peer& peer = peers_[source];
  am::ReceiveCredit& credit = peer.receive[static_cast<size_t>(lane)];
  credit.Handled(CostOf(bytes));
  if (peer.due || !credit.IsDue(limits_.window)) return;
  peer.due = true;
  due_.push_back(source);
}

void Messages::SendDueCredit() {
  // A rank that cannot be reached now keeps it from nobody else.
  std::erase_if(due_, [this](Rank rank) {
    if (!SendCredit(rank)) return false;
    peers_[rank].due = false;
    return true;
  });
}

bool Messages::SendCredit(Rank rank) {
  Peer& peer = peers_[rank];
  // Another frame has taken it along.
  if (peer.receive[0].owed() == 0 && peer.receive[1].owed() == 0) return true;
  SendBuffer* const buffer = send_buffers_.Take(Lane::kReply);
  if (buffer == nullptr) return false;
  const FrameHeader header = HeaderTo(peer, Lane::kReply);
  header.Encode(buffer->frame);
  if (Post(rank, *buffer, kFrameHeaderBytes, false)) return true;
  TakeBack(peer, header);
  return false;
}

void Messages::Complete(Context& context) {
  send_buffers_.Give(static_cast<SendBuffer&>(context));
}

Rank Messages::PeerOf(const Context& context) {
  return static_cast<const SendBuffer&>(context).peer;
}

std::string Messages::Describe(const Context& context) {
  const auto& buffer = static_cast<const SendBuffer&>(context);
  return StrCat(buffer.lane == Lane::kRequest ? "request" : "reply",
                " to rank ", buffer.peer);
}

}  // namespace gasnet::ofi
