#include "conduits/ofi/transfers.h"

#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/log.h"
#include "conduits/ofi/keys.h"
#include "conduits/ofi/tuning.h"

namespace gasnet::ofi {
namespace {

// The size of the buffer for reads behind puts, and the buffer's position in
// the memory of the bounce buffers. The contents of the buffer are not used.
constexpr size_t kFlushBytes = 8;
constexpr size_t kFlushAt = kBounces * kBounceBytes;
constexpr size_t kOwnBytes = kFlushAt + 64;

// Handles a failed post. If the peer may have ended, records this, and the post
// counts as refused for now. If the peer cannot have ended, ends the job.
void TakeFailure(OfiEndpoint& endpoint, Rank peer, const std::string& operation,
                 int error) {
  const std::string what =
      absl::StrCat(operation, " failed: ", endpoint.ErrorText(error));
  if (!UnreachablePeers::Explains(error)) Fatal("%s", what.c_str());
  endpoint.lost().Note(peer, what, NowNanos());
}

}  // namespace

OfiTransfers::OfiTransfers(OfiEndpoint& endpoint, const Seconds& clock)
    : endpoint_(endpoint),
      clock_(clock),
      bounces_(MakeAlignedBytes(kOwnBytes)) {
  for (size_t i = 0; i < endpoint.paths().most_posted; ++i) AddOperation();
  for (size_t i = 0; i < kBounces; ++i) {
    idle_bounces_.push_back(&bounces_[i * kBounceBytes]);
  }
}

absl::Status OfiTransfers::Start() {
  if (!endpoint_.paths().local_registration) return absl::OkStatus();
  const absl::StatusOr<Registered> registered = endpoint_.Register(
      bounces_.get(), kOwnBytes, FI_READ | FI_WRITE, kBounceKey);
  if (!registered.ok()) return registered.status();
  bounce_descriptor_ = registered->descriptor;
  return absl::OkStatus();
}

void OfiTransfers::SetMemory(const Segment& mine, const Registered& registered,
                             std::vector<RemoteMemory> peers) {
  mine_ = mine;
  segment_descriptor_ = registered.descriptor;
  peers_ = std::move(peers);
  if (endpoint_.paths().remote_completion == RemoteCompletion::kRead) {
    unflushed_.resize(peers_.size());
  }
}

uint64_t OfiTransfers::CompletionFlags(bool flushed) const {
  const bool left = flushed || endpoint_.paths().remote_completion ==
                                   RemoteCompletion::kTransmit;
  return FI_COMPLETION | (left ? FI_TRANSMIT_COMPLETE : FI_DELIVERY_COMPLETE);
}

bool OfiTransfers::IsInjected(const rma::Put& put) const {
  return put.sources != nullptr && put.nbytes <= endpoint_.paths().inject_bytes;
}

// Finds the memory at this end of a transfer: the client's memory, or a bounce
// buffer. Returns false if a bounce buffer is needed and none is free.
bool OfiTransfers::FindLocal(const void* address, size_t nbytes, bool must_copy,
                             Local& local) {
  auto* const own = static_cast<std::byte*>(const_cast<void*>(address));
  if (!must_copy && !MustBounce(address, nbytes)) {
    local = {own, IsMine(address, nbytes) ? segment_descriptor_ : nullptr,
             nbytes, nullptr};
    return true;
  }
  if (idle_bounces_.empty()) return false;
  local = {idle_bounces_.back(), bounce_descriptor_,
           std::min(nbytes, kBounceBytes), idle_bounces_.back()};
  idle_bounces_.pop_back();
  return true;
}

OfiTransfers::Ends OfiTransfers::EndsOf(const Local& local, Rank peer,
                                        const void* remote) const {
  const RemoteMemory& memory = peers_[peer];
  const uint64_t offset =
      reinterpret_cast<uintptr_t>(remote) - memory.segment.base;
  return {{local.address, local.nbytes},
          local.descriptor,
          {memory.first + offset, local.nbytes, memory.key}};
}

fi_msg_rma OfiTransfers::MessageOf(Operation& operation, Ends& ends) const {
  fi_msg_rma message = {};
  message.msg_iov = &ends.local;
  message.desc = &ends.descriptor;
  message.iov_count = 1;
  message.addr = endpoint_.PeerAddress(operation.peer);
  message.rma_iov = &ends.remote;
  message.rma_iov_count = 1;
  message.context = &operation.scratch;
  return message;
}

void OfiTransfers::AddOperation() {
  Operation& added = operations_.emplace_back();
  added.next = std::exchange(free_, &added);
}

OfiTransfers::Operation* OfiTransfers::Take(Does does) {
  Operation* const taken = free_;
  if (taken == nullptr) return nullptr;
  const bool is_kept = does != Does::kFlush && !unflushed_.empty();
  if (is_kept && taken->next == nullptr) return nullptr;
  free_ = taken->next;
  taken->does = does;
  taken->awaited = 1;
  taken->bounce = nullptr;
  taken->posted = clock_.now;
  ++under_way_;
  return taken;
}

void OfiTransfers::Give(Operation& operation) {
  if (operation.bounce != nullptr) idle_bounces_.push_back(operation.bounce);
  operation.posted = 0;
  operation.lost = operation.given_up = false;
  operation.next = std::exchange(free_, &operation);
  --under_way_;
}

rma::Posted OfiTransfers::Refuse(Operation& operation, int error) {
  if (error != FI_EAGAIN) {
    TakeFailure(endpoint_, operation.peer, Describe(operation), error);
  }
  held_up_ = true;
  NoteRefusal(operation);
  Give(operation);
  return {};
}

void OfiTransfers::NoteRefusal(const Operation& operation) {
  if (!IsRefused()) {
    refusal_ = {operation.peer, operation.does, operation.nbytes, clock_.now,
                clock_.now};
  } else if (refusal_.peer == operation.peer) {
    refusal_.last = clock_.now;
  }
}

rma::Posted OfiTransfers::Post(const rma::Put& put) {
  if (IsGone(put.peer)) [[unlikely]]
    return {};
  Operation* const operation = Take(Does::kPut);
  if (operation == nullptr) return {};
  const size_t offered = std::min(put.nbytes, endpoint_.paths().most_bytes);
  const bool injected = IsInjected(put);
  const bool copied =
      !injected && put.sources != nullptr && offered <= kBounceBytes;
  Local local = {static_cast<std::byte*>(const_cast<void*>(put.src)), nullptr,
                 offered, nullptr};
  if (!injected && !FindLocal(put.src, offered, copied, local)) {
    Give(*operation);
    return {};
  }
  operation->bounce = local.bounce;
  if (local.bounce != nullptr) {
    std::memcpy(local.bounce, put.src, local.nbytes);
  }
  operation->peer = put.peer;
  operation->nbytes = local.nbytes;
  operation->sources =
      injected || local.bounce != nullptr ? nullptr : put.sources;
  Ends ends = EndsOf(local, put.peer, put.dest);
  const fi_msg_rma message = MessageOf(*operation, ends);
  const bool flushed = MustFlush(local.nbytes);
  const ssize_t posted = fi_writemsg(
      endpoint_.ep(), &message,
      CompletionFlags(flushed) | (injected ? FI_INJECT : uint64_t{0}));
  if (posted != 0) return Refuse(*operation, static_cast<int>(-posted));
  Taken(put.peer);
  operation->completion.Begin(put.complete, rma::TransferKind::kPut, put.peer,
                              local.nbytes);
  if (operation->sources != nullptr) operation->sources->Begin();
  if (flushed) AwaitFlush(*operation, ends.remote);
  return {rma::PostState::kPosted, local.nbytes};
}

rma::Posted OfiTransfers::Post(const rma::Get& get) {
  if (IsGone(get.peer)) [[unlikely]]
    return {};
  Operation* const operation = Take(Does::kGet);
  if (operation == nullptr) return {};
  Local local;
  if (!FindLocal(get.dest, std::min(get.nbytes, endpoint_.paths().most_bytes),
                 false, local)) {
    Give(*operation);
    return {};
  }
  operation->bounce = local.bounce;
  operation->peer = get.peer;
  operation->nbytes = local.nbytes;
  operation->sources = nullptr;
  operation->dest = static_cast<std::byte*>(get.dest);
  Ends ends = EndsOf(local, get.peer, get.src);
  const fi_msg_rma message = MessageOf(*operation, ends);
  const ssize_t posted = fi_readmsg(endpoint_.ep(), &message, FI_COMPLETION);
  if (posted != 0) return Refuse(*operation, static_cast<int>(-posted));
  Taken(get.peer);
  operation->completion.Begin(get.complete, rma::TransferKind::kGet, get.peer,
                              local.nbytes);
  return {rma::PostState::kPosted, local.nbytes};
}

std::string OfiTransfers::Describe(const OperationContext& context) {
  const auto& operation = static_cast<const Operation&>(context);
  return Describe(operation.does, operation.nbytes, operation.peer);
}

std::string OfiTransfers::Describe(Does does, size_t nbytes, Rank peer) {
  if (does == Does::kFlush)
    return absl::StrCat("read behind puts to rank ", peer);
  const bool is_put = does == Does::kPut;
  return absl::StrCat(is_put ? "put of " : "get of ", nbytes,
                      is_put ? " bytes to rank " : " bytes from rank ", peer);
}

void OfiTransfers::Lose(OperationContext& context) {
  static_cast<Operation&>(context).lost = true;
}

Rank OfiTransfers::PeerOf(const OperationContext& context) {
  return static_cast<const Operation&>(context).peer;
}

std::optional<Waited> OfiTransfers::Oldest() const {
  const Operation* oldest = nullptr;
  for (const Operation& each : operations_) {
    if (each.posted == 0 || each.given_up) continue;
    if (oldest == nullptr || each.posted < oldest->posted) oldest = &each;
  }
  if (IsRefused() && (oldest == nullptr || refusal_.since < oldest->posted)) {
    return Waited{
        refusal_.peer, refusal_.since,
        absl::StrCat("a place in the provider's queue for a ",
                     Describe(refusal_.does, refusal_.nbytes, refusal_.peer))};
  }
  if (oldest == nullptr) return std::nullopt;
  return Waited{oldest->peer, oldest->posted, Describe(*oldest)};
}

void OfiTransfers::EndWithout(Rank peer, size_t nbytes) {
  Fatal("%s cannot be done: the rank has left the job",
        Describe(Does::kGet, nbytes, peer).c_str());
}

void OfiTransfers::GiveUp(Operation& operation) {
  if (operation.does == Does::kGet) {
    EndWithout(operation.peer, operation.nbytes);
  }
  operation.given_up = true;
  gone_.resize(peers_.size());
  gone_[operation.peer] = true;
  if (operation.sources != nullptr) operation.sources->End();
  operation.sources = nullptr;
  operation.completion.End();
}

void OfiTransfers::Complete(OperationContext& context) {
  auto& operation = static_cast<Operation&>(context);
  if (operation.does == Does::kFlush) return Flushed(operation);
  if (operation.does == Does::kGet && operation.bounce != nullptr) {
    std::memcpy(operation.dest, operation.bounce, operation.nbytes);
  }
  if (operation.sources != nullptr) operation.sources->End();
  CountDown(operation);
}

void OfiTransfers::CountDown(Operation& operation) {
  if (--operation.awaited > 0) return;
  if (!operation.given_up) operation.completion.End();
  Give(operation);
}

// --- Reads behind puts ---

void OfiTransfers::CountDownAll(Operation* puts) {
  while (puts != nullptr) {
    Operation& put = *puts;
    puts = put.next;
    CountDown(put);
  }
}

void OfiTransfers::AwaitFlush(Operation& put, const fi_rma_iov& remote) {
  put.awaited = 2;
  put.remote = remote;
  Unflushed& puts = unflushed_[put.peer];
  put.next = std::exchange(puts.newest, &put);
  if (puts.state == Unflushed::State::kIdle) Flush(put.peer);
}

void OfiTransfers::Flush(Rank peer) {
  Unflushed& puts = unflushed_[peer];
  Operation* const flush = Take(Does::kFlush);
  int error = FI_EAGAIN;
  if (flush != nullptr) {
    flush->peer = peer;
    error = PostFlush(*flush, *puts.newest);
    if (error != 0) Refuse(*flush, error);
  }
  if (error != 0) {
    puts.state = Unflushed::State::kRefused;
    refused_.push_back(peer);
    return;
  }
  Taken(peer);
  puts.state = Unflushed::State::kUnderWay;
  flush->covered = std::exchange(puts.newest, nullptr);
}

// Posts the read behind puts. It reads from the destination of the newest put,
// because this memory certainly exists. Returns 0, or an error.
int OfiTransfers::PostFlush(Operation& flush, const Operation& newest) {
  fi_rma_iov remote = newest.remote;
  remote.len = std::min<size_t>(remote.len, kFlushBytes);
  Ends ends = {{&bounces_[kFlushAt], remote.len}, bounce_descriptor_, remote};
  const fi_msg_rma message = MessageOf(flush, ends);
  return static_cast<int>(-fi_readmsg(endpoint_.ep(), &message, FI_COMPLETION));
}

void OfiTransfers::Flushed(Operation& flush) {
  const Rank peer = flush.peer;
  CountDownAll(flush.covered);
  Give(flush);
  Unflushed& puts = unflushed_[peer];
  puts.state = Unflushed::State::kIdle;
  if (puts.newest != nullptr) Flush(peer);
}

void OfiTransfers::EndUnflushed(Rank peer) {
  Unflushed& puts = unflushed_[peer];
  puts.state = Unflushed::State::kIdle;
  CountDownAll(std::exchange(puts.newest, nullptr));
}

void OfiTransfers::FlushRefused() {
  for (const Rank peer : std::exchange(refused_, {})) Flush(peer);
}

}  // namespace gasnet::ofi
