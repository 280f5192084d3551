#include "conduits/ofi/transfers.h"

#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/strings.h"
#include "conduits/ofi/keys.h"

namespace gasnet::ofi {
namespace {

// A put that is not injected, and whose source is wanted back at once, is
// copied up to here; a larger one waits for its completion, which takes little
// longer than the copy.
constexpr size_t kBounceBytes = 65536;
constexpr size_t kBounces = 16;

uint64_t CompletionFlags(const Paths& paths) {
  return FI_COMPLETION | (paths.remote_completion == RemoteCompletion::kDelivery
                              ? FI_DELIVERY_COMPLETE
                              : FI_TRANSMIT_COMPLETE);
}

// Of a post that was not taken: ends the job, unless the peer may be gone. Then
// it is as if there had been no room.
void TakeFailure(Endpoint& endpoint, Rank peer, const std::string& operation,
                 int error) {
  const std::string what =
      StrCat(operation, " failed: ", endpoint.ErrorText(error));
  if (!LostPeers::Explains(error)) Fatal("%s", what.c_str());
  endpoint.lost().Note(peer, what, NowNanos());
}

}  // namespace

Transfers::Transfers(Endpoint& endpoint, const Seconds& clock)
    : endpoint_(endpoint),
      clock_(clock),
      operations_(endpoint.paths().most_posted),
      bounces_(MakeAlignedBytes(kBounces * kBounceBytes)) {
  for (Operation& each : operations_) {
    each.next = std::exchange(free_, &each);
  }
  for (size_t i = 0; i < kBounces; ++i) {
    idle_bounces_.push_back(&bounces_[i * kBounceBytes]);
  }
}

Status Transfers::Start() {
  if (!endpoint_.paths().local_registration) return OkStatus();
  const StatusOr<Registered> registered = endpoint_.Register(
      bounces_.get(), kBounces * kBounceBytes, FI_READ | FI_WRITE, kBounceKey);
  if (!registered.ok()) return registered.status();
  bounce_descriptor_ = registered->descriptor;
  return OkStatus();
}

void Transfers::SetMemory(const Segment& mine, const Registered& registered,
                          std::vector<RemoteMemory> peers) {
  mine_ = mine;
  segment_descriptor_ = registered.descriptor;
  peers_ = std::move(peers);
}

bool Transfers::IsInjected(const rma::Put& put) const {
  return put.sources != nullptr && put.nbytes <= endpoint_.paths().inject_bytes;
}

// False: there is no bounce buffer left.
bool Transfers::FindLocal(const void* address, size_t nbytes, bool must_copy,
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

Transfers::Ends Transfers::EndsOf(const Local& local, Rank peer,
                                  const void* remote) const {
  const RemoteMemory& memory = peers_[peer];
  const uint64_t offset =
      reinterpret_cast<uintptr_t>(remote) - memory.segment.base;
  return {{local.address, local.nbytes},
          local.descriptor,
          {memory.first + offset, local.nbytes, memory.key}};
}

fi_msg_rma Transfers::MessageOf(Operation& operation, Ends& ends) const {
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

Transfers::Operation* Transfers::Take() {
  Operation* const taken = free_;
  if (taken == nullptr) return nullptr;
  free_ = taken->next;
  taken->posted = clock_.now;
  ++under_way_;
  return taken;
}

void Transfers::Give(Operation& operation) {
  if (operation.bounce != nullptr) idle_bounces_.push_back(operation.bounce);
  operation.posted = 0;
  operation.next = std::exchange(free_, &operation);
  --under_way_;
}

rma::Posted Transfers::Refuse(Operation& operation, int error) {
  if (error != FI_EAGAIN) {
    TakeFailure(endpoint_, operation.peer, Describe(operation), error);
  }
  Give(operation);
  return {};
}

rma::Posted Transfers::Post(const rma::Put& put) {
  Operation* const operation = Take();
  if (operation == nullptr) return {};
  const size_t offered = std::min(put.nbytes, endpoint_.paths().most_bytes);
  const bool injected = IsInjected(put);
  const bool copied =
      !injected && put.sources != nullptr && offered <= kBounceBytes;
  Local local = {static_cast<std::byte*>(const_cast<void*>(put.src)), nullptr,
                 offered, nullptr};
  operation->bounce = nullptr;
  if (!injected && !FindLocal(put.src, offered, copied, local)) {
    return Refuse(*operation, FI_EAGAIN);
  }
  operation->bounce = local.bounce;
  if (local.bounce != nullptr) {
    std::memcpy(local.bounce, put.src, local.nbytes);
  }
  operation->is_put = true;
  operation->peer = put.peer;
  operation->nbytes = local.nbytes;
  operation->complete = put.complete;
  operation->sources =
      injected || local.bounce != nullptr ? nullptr : put.sources;
  Ends ends = EndsOf(local, put.peer, put.dest);
  const fi_msg_rma message = MessageOf(*operation, ends);
  const ssize_t posted = fi_writemsg(endpoint_.ep(), &message,
                                     CompletionFlags(endpoint_.paths()) |
                                         (injected ? FI_INJECT : uint64_t{0}));
  held_up_ = posted != 0;
  if (held_up_) return Refuse(*operation, static_cast<int>(-posted));
  put.complete->Begin();
  if (operation->sources != nullptr) operation->sources->Begin();
  return {rma::PostState::kPosted, local.nbytes};
}

rma::Posted Transfers::Post(const rma::Get& get) {
  Operation* const operation = Take();
  if (operation == nullptr) return {};
  Local local;
  operation->bounce = nullptr;
  if (!FindLocal(get.dest, std::min(get.nbytes, endpoint_.paths().most_bytes),
                 false, local)) {
    return Refuse(*operation, FI_EAGAIN);
  }
  operation->bounce = local.bounce;
  operation->is_put = false;
  operation->peer = get.peer;
  operation->nbytes = local.nbytes;
  operation->complete = get.complete;
  operation->sources = nullptr;
  operation->dest = static_cast<std::byte*>(get.dest);
  Ends ends = EndsOf(local, get.peer, get.src);
  const fi_msg_rma message = MessageOf(*operation, ends);
  const ssize_t posted = fi_readmsg(endpoint_.ep(), &message, FI_COMPLETION);
  held_up_ = posted != 0;
  if (held_up_) return Refuse(*operation, static_cast<int>(-posted));
  get.complete->Begin();
  return {rma::PostState::kPosted, local.nbytes};
}

std::string Transfers::Describe(const Context& context) {
  const auto& operation = static_cast<const Operation&>(context);
  return StrCat(operation.is_put ? "put of " : "get of ", operation.nbytes,
                operation.is_put ? " bytes to rank " : " bytes from rank ",
                operation.peer);
}

Rank Transfers::PeerOf(const Context& context) {
  return static_cast<const Operation&>(context).peer;
}

std::optional<Waited> Transfers::Oldest() const {
  const Operation* oldest = nullptr;
  for (const Operation& each : operations_) {
    if (each.posted == 0) continue;
    if (oldest == nullptr || each.posted < oldest->posted) oldest = &each;
  }
  if (oldest == nullptr) return std::nullopt;
  return Waited{oldest->peer, oldest->posted, Describe(*oldest)};
}

void Transfers::Complete(Context& context) {
  auto& operation = static_cast<Operation&>(context);
  if (!operation.is_put && operation.bounce != nullptr) {
    std::memcpy(operation.dest, operation.bounce, operation.nbytes);
  }
  if (operation.sources != nullptr) operation.sources->End();
  operation.complete->End();
  Give(operation);
}

}  // namespace gasnet::ofi
