#include "conduits/ofi/messages.h"

#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/round_up.h"
#include "conduits/ofi/tuning.h"
#include "core/am/check_records.h"
#include "core/am/records.h"
#include "core/am/tuning.h"

namespace gasnet::ofi {
OfiMessages::OfiMessages(OfiEndpoint& endpoint, const MessageLimits& limits,
                         Rank me, Rank ranks, uint32_t cookie,
                         const Seconds& clock)
    : endpoint_(endpoint),
      limits_(limits),
      me_(me),
      cookie_(cookie),
      send_buffers_(limits.sends, limits.frame_bytes),
      receive_buffers_(limits.buffers, limits.buffer_bytes),
      incoming_(ranks, am::kAssemblyBytes),
      // The memory for kept requests is twice the size of all buffers, because
      // a kept frame of one credit unit needs another unit for its bookkeeping.
      kept_(2 * limits.buffers * limits.buffer_bytes, limits.frame_bytes),
      peers_(ranks, Peer(limits.window)),
      clock_(clock) {
  taken_.max_medium = limits.whole;
  due_.reserve(ranks);
}

OfiMessages::~OfiMessages() {
  while (!kept_.Empty()) {
    am::Assembly* const assembly = AssemblyOf(kept_.Next());
    if (assembly != nullptr) incoming_.Release(*assembly);
  }
}

absl::Status OfiMessages::Start() {
  absl::Status started = send_buffers_.Register(endpoint_);
  if (started.ok()) started = receive_buffers_.Start(endpoint_);
  return started;
}

FrameHeader OfiMessages::HeaderTo(Peer& peer, Lane lane) {
  return {cookie_,
          me_,
          lane,
          {peer.receive[0].TakeOwed(), peer.receive[1].TakeOwed()}};
}

void OfiMessages::TakeBack(Peer& peer, const FrameHeader& header) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    peer.receive[lane].Handled(header.given_back[lane]);
  }
}

// Posts a frame behind a fence, which waits until earlier puts are in place. It
// would wait only until they have left without FI_DELIVERY_COMPLETE.
ssize_t OfiMessages::PostFenced(Rank rank, SendBuffer& buffer, size_t bytes) {
  const iovec frame = {buffer.frame, bytes};
  void* descriptor = send_buffers_.descriptor();
  fi_msg message = {};
  message.msg_iov = &frame;
  message.desc = &descriptor;
  message.iov_count = 1;
  message.addr = endpoint_.PeerAddress(rank);
  message.context = &buffer.scratch;
  return fi_sendmsg(endpoint_.ep(), &message,
                    FI_COMPLETION | FI_FENCE | FI_DELIVERY_COMPLETE);
}

ssize_t OfiMessages::PostBy(How how, Rank rank, SendBuffer& buffer,
                            size_t bytes) {
  switch (how) {
    case How::kFenced:
      return PostFenced(rank, buffer, bytes);
    case How::kInjected:
      return fi_inject(endpoint_.ep(), buffer.frame, bytes,
                       endpoint_.PeerAddress(rank));
    case How::kSent:
      break;
  }
  return fi_send(endpoint_.ep(), buffer.frame, bytes,
                 send_buffers_.descriptor(), endpoint_.PeerAddress(rank),
                 &buffer.scratch);
}

void OfiMessages::NotePosted(Peer& peer, SendBuffer& buffer, How how) {
  Injected& injected = peer.injected;
  const bool was_asked = injected.IsAsked();
  if (how == How::kInjected) {
    injected.Add(buffer.lane, clock_.now);
    unasked_ += was_asked;
    send_buffers_.Give(buffer);
  } else {
    buffer.mark = injected.Ask();
    unasked_ -= !was_asked;
  }
}

bool OfiMessages::Post(Rank rank, SendBuffer& buffer, size_t bytes, How how) {
  if (TryPost(rank, buffer, bytes, how) == Posted::kPosted) return true;
  send_buffers_.Give(buffer);
  return false;
}

OfiMessages::Posted OfiMessages::TryPost(Rank rank, SendBuffer& buffer,
                                         size_t bytes, How how) {
  buffer.peer = rank;
  buffer.posted = clock_.now;
  const ssize_t posted = PostBy(how, rank, buffer, bytes);
  if (posted == 0) {
    NotePosted(peers_[rank], buffer, how);
    return Posted::kPosted;
  }
  if (posted == -FI_EAGAIN) return Posted::kRefused;
  const auto error = static_cast<int>(-posted);
  const std::string what =
      absl::StrCat(Describe(buffer), " failed: ", endpoint_.ErrorText(error));
  if (!UnreachablePeers::Explains(error)) Fatal("%s", what.c_str());
  endpoint_.lost().Note(rank, what, NowNanos());
  return Posted::kLost;
}

bool OfiMessages::MayInject(const Peer& peer, const am::SendCredit& credit,
                            size_t bytes) const {
  return bytes <= endpoint_.paths().frames.inject_bytes &&
         peer.injected.HasRoom() && credit.left() >= limits_.least;
}

am::Post OfiMessages::Send(Rank rank, Lane lane, const am::Message& message,
                           bool fenced) {
  Peer& peer = peers_[rank];
  const size_t end = am::RecordLayout::Of(kFrameHeaderBytes, message).end;
  const size_t bytes = RoundUp(end, 16);
  // Longer messages must be sent in fragments.
  if (bytes > limits_.frame_bytes) [[unlikely]] {
    Fatal("active message of %zu bytes to rank %u: the limit of a frame is %zu",
          message.nbytes, rank, limits_.whole);
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
  const How how = fenced                           ? How::kFenced
                  : MayInject(peer, credit, bytes) ? How::kInjected
                                                   : How::kSent;
  if (Post(rank, *buffer, bytes, how)) {
    if (peer.refused != 0) [[unlikely]]
      Taken(peer);
    return am::Post::kDone;
  }
  credit.GiveBack(cost, limits_.window);
  TakeBack(peer, header);
  return Refused(peer, /*by_provider=*/true);
}

am::Post OfiMessages::Refused(Peer& peer, bool by_provider) {
  if (peer.refused == 0) {
    peer.refused = clock_.now;
    ++refusals_;
    Count(by_provider ? counts_.waits_for_provider : counts_.waits_for_credit);
  }
  SetHeldUp(peer, by_provider);
  return am::Post::kRetry;
}

void OfiMessages::Taken(Peer& peer) {
  peer.refused = 0;
  --refusals_;
  SetHeldUp(peer, false);
}

void OfiMessages::SetHeldUp(Peer& peer, bool is_now) {
  held_up_ += is_now;
  held_up_ -= std::exchange(peer.by_provider, is_now);
}

std::optional<Waited> OfiMessages::Oldest() const {
  std::optional<Waited> oldest;
  if (const SendBuffer* const sent = send_buffers_.Oldest()) {
    oldest = Waited{sent->peer, sent->posted, Describe(*sent)};
  }
  for (Rank rank = 0; rank < peers_.size(); ++rank) {
    const Peer& peer = peers_[rank];
    if (peer.refused == 0) continue;
    if (oldest && oldest->since <= peer.refused) continue;
    oldest = {rank, peer.refused,
              absl::StrCat(peer.by_provider ? "a place in the provider's queue"
                                            : "room in the memory",
                           " for a message to rank ", rank)};
  }
  return oldest;
}

bool OfiMessages::IsOfPeer(const FrameHeader& header) const {
  if (header.cookie != cookie_ || header.source >= peers_.size()) return false;
  const Peer& peer = peers_[header.source];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const int taken = limits_.window - peer.send[lane].left();
    if (header.given_back[lane] > taken) return false;
  }
  return true;
}

void OfiMessages::TakeCredit(const FrameHeader& header) {
  Peer& peer = peers_[header.source];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    peer.send[lane].GiveBack(header.given_back[lane], limits_.window);
  }
}

Arrival OfiMessages::Read(ReceiveBuffer& buffer, std::span<std::byte> frame) {
  const std::optional<FrameHeader> header = FrameHeader::Decode(frame);
  if (!header || !IsOfPeer(*header)) {
    Count(counts_.frames_dropped);
    return {};
  }
  if (frame.size() == kFrameHeaderBytes) {
    TakeCredit(*header);
    if (header->is_mark) Handled(header->source, header->lane, frame.size());
    return {};
  }
  if (am::IsFragment(frame, kFrameHeaderBytes)) [[unlikely]]
    return ReadFragment(*header, frame);
  // All windows fit all buffers but one, so frames in place may hold only one.
  const bool stays = IsAligned(frame) && !receive_buffers_.IsAnotherHeld();
  std::byte* const copy = stays ? nullptr : CopyAligned(frame).release();
  if (copy != nullptr) frame = {copy, frame.size()};
  const unsigned messages =
      am::CheckRecords(header->source, frame, kFrameHeaderBytes, taken_);
  if (messages == 0) {
    if (copy != nullptr) std::free(copy);
    Count(counts_.frames_dropped);
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

Arrival OfiMessages::Take(const fi_cq_data_entry& entry) {
  auto& buffer = *static_cast<ReceiveBuffer*>(
      reinterpret_cast<OperationContext*>(entry.op_context));
  const std::span<std::byte> frame = receive_buffers_.Take(buffer, entry);
  if (frame.empty()) return {};
  const Arrival arrival = Read(buffer, frame);
  if (arrival.buffer == nullptr) receive_buffers_.Finish(buffer);
  return arrival;
}

bool OfiMessages::Refuse(const fi_cq_err_entry& entry) {
  const bool truncated = entry.err == FI_ETRUNC;
  if (!truncated && !UnreachablePeers::Explains(entry.err)) return false;
  if (truncated) Count(counts_.frames_dropped);
  Take({.op_context = entry.op_context,
        .flags = entry.flags & FI_MULTI_RECV,
        .len = 0,
        .buf = nullptr,
        .data = 0});
  return true;
}

void OfiMessages::Finish(const Arrival& arrival) {
  if (arrival.assembly != nullptr) return incoming_.Release(*arrival.assembly);
  Handled(arrival.source, arrival.lane, arrival.frame.size());
  GiveBack(arrival);
}

void OfiMessages::GiveBack(const Arrival& arrival) {
  if (arrival.copy != nullptr) std::free(arrival.copy);
  if (arrival.buffer != nullptr) receive_buffers_.Finish(*arrival.buffer);
}

void OfiMessages::Keep(const Arrival& arrival) {
  if (arrival.assembly != nullptr) return kept_.Hold(*arrival.assembly);
  if (kept_.Copy(arrival.source, arrival.messages, arrival.frame)) {
    GiveBack(arrival);
    return;
  }
  // No room: copies may have fragmented the memory. The frame stays in place.
  auto* const held = new HeldFrame;
  held->source = arrival.source;
  held->messages = arrival.messages;
  held->frame = arrival.frame;
  held->arrival = arrival;
  kept_.Hold(*held);
}

void OfiMessages::FinishKept(am::KeptRequest& request) {
  if (am::Assembly* const assembly = AssemblyOf(request)) {
    return incoming_.Release(*assembly);
  }
  if (request.copied) {
    Handled(request.source, Lane::kRequest, request.frame.size());
    kept_.Release(request);
    return;
  }
  auto* const held = static_cast<HeldFrame*>(&request);
  Finish(held->arrival);
  delete held;
}

void OfiMessages::Handled(Rank source, Lane lane, size_t bytes) {
  Peer& peer = peers_[source];
  am::ReceiveCredit& credit = peer.receive[static_cast<size_t>(lane)];
  credit.Handled(CostOf(bytes));
  if (peer.due || !credit.IsDue(limits_.window)) return;
  peer.due = true;
  due_.push_back(source);
}

void OfiMessages::SendDueCredit() {
  // Tries each rank. A rank that cannot be reached now must not delay the
  // credit of other ranks.
  std::erase_if(due_, [this](Rank rank) {
    if (!SendCredit(rank)) return false;
    peers_[rank].due = false;
    return true;
  });
}

bool OfiMessages::SendCredit(Rank rank) {
  Peer& peer = peers_[rank];
  if (peer.receive[0].owed() == 0 && peer.receive[1].owed() == 0) return true;
  return PostHeader(rank, Lane::kReply, /*is_mark=*/false);
}

bool OfiMessages::PostHeader(Rank rank, Lane lane, bool is_mark) {
  Peer& peer = peers_[rank];
  SendBuffer* const buffer = send_buffers_.Take(lane);
  if (buffer == nullptr) return false;
  FrameHeader header = HeaderTo(peer, lane);
  header.is_mark = is_mark;
  header.Encode(buffer->frame);
  if (Post(rank, *buffer, kFrameHeaderBytes, How::kSent)) return true;
  TakeBack(peer, header);
  return false;
}

void OfiMessages::AskForInjected(uint32_t least_age) {
  for (Rank rank = 0; unasked_ > 0 && rank < peers_.size(); ++rank) {
    const Injected& injected = peers_[rank].injected;
    if (!injected.IsAsked() && injected.Age(clock_.now) >= least_age) Ask(rank);
  }
}

// Sends a mark behind the injected messages. MayInject always leaves credit for
// a mark.
void OfiMessages::Ask(Rank rank) {
  Peer& peer = peers_[rank];
  const Lane lane = peer.injected.lane();
  am::SendCredit& credit = peer.send[static_cast<size_t>(lane)];
  const am::CreditUnits cost = CostOf(kFrameHeaderBytes);
  if (!credit.Take(cost)) return;
  if (!PostHeader(rank, lane, /*is_mark=*/true)) {
    credit.GiveBack(cost, limits_.window);
  }
}

void OfiMessages::Complete(OperationContext& context) {
  auto& buffer = static_cast<SendBuffer&>(context);
  peers_[buffer.peer].injected.HaveLeft(buffer.mark);
  send_buffers_.Give(buffer);
}

Rank OfiMessages::PeerOf(const OperationContext& context) {
  return static_cast<const SendBuffer&>(context).peer;
}

std::string OfiMessages::Describe(const OperationContext& context) {
  const auto& buffer = static_cast<const SendBuffer&>(context);
  return absl::StrCat(buffer.lane == Lane::kRequest ? "request" : "reply",
                      " to rank ", buffer.peer);
}

}  // namespace gasnet::ofi
