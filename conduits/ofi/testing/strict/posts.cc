// The functions that post operations. They check all arguments before they
// accept a post or refuse it for now.
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include <utility>

#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"

namespace gasnet::ofi::strict {
namespace {

Endpoint& EndpointOf(fid_ep* handle, const char* call) {
  auto& endpoint = *static_cast<Endpoint*>(handle);
  if (!endpoint.enabled)
    rules::Violation("%s before the endpoint is enabled", call);
  return endpoint;
}

// Returns -FI_EAGAIN if the post is refused until the user reads the queue.
// Returns 0 if the post is accepted.
int RefusalOf(Domain& domain, const char* call, bool full, bool& refused) {
  const unsigned again = domain.options.again;
  if (full && !domain.options.manages) {
    rules::Violation("%s finds no room in the endpoint's queue", call);
  }
  refused |= full || (again > 0 && domain.Below(again) == 0);
  return refused ? -FI_EAGAIN : 0;
}

uint64_t LocalAccess(Kind kind) {
  switch (kind) {
    case Kind::kSend:
      return FI_SEND;
    case Kind::kWrite:
      return FI_WRITE;
    case Kind::kRead:
      return FI_READ;
    default:
      return FI_RECV;
  }
}

void CheckFlags(const Domain& domain, const char* call,
                const Operation& operation) {
  constexpr uint64_t kKnown = FI_COMPLETION | FI_INJECT | FI_MORE | FI_FENCE |
                              FI_INJECT_COMPLETE | FI_TRANSMIT_COMPLETE |
                              FI_DELIVERY_COMPLETE;
  if ((operation.flags & ~kKnown) != 0) {
    rules::Violation("%s has flags 0x%zx, which it cannot have", call,
                     static_cast<size_t>(operation.flags & ~kKnown));
  }
  if ((operation.flags & FI_FENCE) != 0 && !domain.options.fence) {
    rules::Violation("%s is fenced, and fences are not granted", call);
  }
  if (operation.kind == Kind::kRead && (operation.flags & FI_INJECT) != 0) {
    rules::Violation("%s is injected, and brings data", call);
  }
}

ssize_t Post(fid_ep* handle, const char* call, Operation operation,
             void* descriptor) {
  Endpoint& endpoint = EndpointOf(handle, call);
  Domain& domain = *endpoint.domain;
  const Options& options = domain.options;
  CheckFlags(domain, call, operation);
  if (operation.peer >= domain.peers.size()) {
    rules::Violation("%s to no address of the vector", call);
  }
  if (operation.nbytes > options.most) {
    rules::Violation("%s of %zu bytes; the most is %zu", call, operation.nbytes,
                     options.most);
  }
  const bool injected = (operation.flags & FI_INJECT) != 0;
  if (injected && operation.nbytes > options.inject) {
    rules::Violation("%s injects %zu bytes; the most is %zu", call,
                     operation.nbytes, options.inject);
  }
  if (!injected) {
    domain.CheckLocal(call, operation.local, operation.nbytes, descriptor,
                      LocalAccess(operation.kind));
  }
  const bool full = endpoint.initiator.under_way() >= options.transmits;
  if (const int refusal = RefusalOf(domain, call, full, endpoint.sends_again)) {
    return refusal;
  }
  if (operation.reports) domain.Claim(operation.context);
  endpoint.initiator.Post(std::move(operation));
  return 0;
}

// Returns true if an operation with these flags has a completion.
bool Reports(fid_ep* handle, uint64_t flags) {
  return !static_cast<Endpoint*>(handle)->selective ||
         (flags & FI_COMPLETION) != 0;
}

std::byte* BytesOf(const void* memory) {
  return static_cast<std::byte*>(const_cast<void*>(memory));
}

void CheckVectors(const char* call, size_t local, size_t remote) {
  if (local == 1 && remote == 1) return;
  rules::Violation("%s has %zu pieces here and %zu there, not one", call, local,
                   remote);
}

ssize_t PostReceive(fid_ep* handle, const char* call, const iovec& memory,
                    void* descriptor, void* context, uint64_t flags) {
  Endpoint& endpoint = EndpointOf(handle, call);
  Domain& domain = *endpoint.domain;
  const bool multiple = (flags & FI_MULTI_RECV) != 0;
  if ((flags & ~(FI_MULTI_RECV | FI_COMPLETION | FI_MORE)) != 0) {
    rules::Violation("%s has flags that it cannot have", call);
  }
  if (multiple && !domain.options.multi_receive) {
    rules::Violation("%s of a buffer for many messages, which are not granted",
                     call);
  }
  domain.CheckLocal(call, memory.iov_base, memory.iov_len, descriptor, FI_RECV);
  const bool full = endpoint.target.posted() >= domain.options.receives;
  if (const int refusal =
          RefusalOf(domain, call, full, endpoint.receives_again)) {
    return refusal;
  }
  domain.Claim(context);
  endpoint.target.Post(
      {BytesOf(memory.iov_base), memory.iov_len, context, multiple});
  return 0;
}

ssize_t Receive1(fid_ep* handle, void* buffer, size_t nbytes, void* descriptor,
                 fi_addr_t, void* context) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, "fi_recv");
  return PostReceive(handle, "fi_recv", {buffer, nbytes}, descriptor, context,
                     0);
}

ssize_t ReceiveMessage(fid_ep* handle, const fi_msg* message, uint64_t flags) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, "fi_recvmsg");
  CheckVectors("fi_recvmsg", message->iov_count, 1);
  return PostReceive(handle, "fi_recvmsg", *message->msg_iov,
                     message->desc == nullptr ? nullptr : *message->desc,
                     message->context, flags);
}

ssize_t Send(fid_ep* handle, const void* buffer, size_t nbytes,
             void* descriptor, fi_addr_t to, void* context) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, "fi_send");
  return Post(handle, "fi_send",
              {.kind = Kind::kSend,
               .peer = to,
               .context = context,
               .flags = 0,
               .local = BytesOf(buffer),
               .nbytes = nbytes,
               .reports = Reports(handle, FI_COMPLETION)},
              descriptor);
}

ssize_t SendMessage(fid_ep* handle, const fi_msg* message, uint64_t flags) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, "fi_sendmsg");
  CheckVectors("fi_sendmsg", message->iov_count, 1);
  return Post(handle, "fi_sendmsg",
              {.kind = Kind::kSend,
               .peer = message->addr,
               .context = message->context,
               .flags = flags,
               .local = BytesOf(message->msg_iov->iov_base),
               .nbytes = message->msg_iov->iov_len,
               .reports = Reports(handle, flags)},
              message->desc == nullptr ? nullptr : *message->desc);
}

ssize_t InjectSend(fid_ep* handle, const void* buffer, size_t nbytes,
                   fi_addr_t to) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, "fi_inject");
  return Post(handle, "fi_inject",
              {.kind = Kind::kSend,
               .peer = to,
               .context = nullptr,
               .flags = FI_INJECT,
               .local = BytesOf(buffer),
               .nbytes = nbytes,
               .reports = false},
              nullptr);
}

ssize_t Transfer(fid_ep* handle, const char* call, Kind kind,
                 const fi_msg_rma& message, uint64_t flags) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, call);
  CheckVectors(call, message.iov_count, message.rma_iov_count);
  if (message.msg_iov->iov_len != message.rma_iov->len) {
    rules::Violation("%s of %zu bytes here and %zu there", call,
                     message.msg_iov->iov_len, message.rma_iov->len);
  }
  return Post(handle, call,
              {.kind = kind,
               .peer = message.addr,
               .context = message.context,
               .flags = flags,
               .local = BytesOf(message.msg_iov->iov_base),
               .nbytes = message.msg_iov->iov_len,
               .address = message.rma_iov->addr,
               .key = message.rma_iov->key,
               .reports = Reports(handle, flags)},
              message.desc == nullptr ? nullptr : *message.desc);
}

ssize_t WriteMessage(fid_ep* handle, const fi_msg_rma* message,
                     uint64_t flags) {
  return Transfer(handle, "fi_writemsg", Kind::kWrite, *message, flags);
}

ssize_t ReadMessage(fid_ep* handle, const fi_msg_rma* message, uint64_t flags) {
  return Transfer(handle, "fi_readmsg", Kind::kRead, *message, flags);
}

ssize_t TransferOne(fid_ep* handle, const char* call, Kind kind,
                    const iovec& local, void* descriptor, fi_addr_t peer,
                    const fi_rma_iov& remote, void* context) {
  return Transfer(handle, call, kind,
                  {.msg_iov = &local,
                   .desc = &descriptor,
                   .iov_count = 1,
                   .addr = peer,
                   .rma_iov = &remote,
                   .rma_iov_count = 1,
                   .context = context,
                   .data = 0},
                  FI_COMPLETION);
}

ssize_t Write(fid_ep* handle, const void* buffer, size_t nbytes,
              void* descriptor, fi_addr_t peer, uint64_t address, uint64_t key,
              void* context) {
  return TransferOne(handle, "fi_write", Kind::kWrite,
                     {BytesOf(buffer), nbytes}, descriptor, peer,
                     {address, nbytes, key}, context);
}

ssize_t Read(fid_ep* handle, void* buffer, size_t nbytes, void* descriptor,
             fi_addr_t peer, uint64_t address, uint64_t key, void* context) {
  return TransferOne(handle, "fi_read", Kind::kRead, {buffer, nbytes},
                     descriptor, peer, {address, nbytes, key}, context);
}

ssize_t InjectWrite(fid_ep* handle, const void* buffer, size_t nbytes,
                    fi_addr_t peer, uint64_t address, uint64_t key) {
  const Entry entry(*static_cast<Endpoint*>(handle)->domain, "fi_inject_write");
  return Post(handle, "fi_inject_write",
              {.kind = Kind::kWrite,
               .peer = peer,
               .context = nullptr,
               .flags = FI_INJECT,
               .local = BytesOf(buffer),
               .nbytes = nbytes,
               .address = address,
               .key = key,
               .reports = false},
              nullptr);
}

}  // namespace

fi_ops_msg* MessageOps() {
  static fi_ops_msg table = [] {
    auto made = rules::Without<fi_ops_msg>();
    made.recv = Receive1;
    made.recvmsg = ReceiveMessage;
    made.send = Send;
    made.sendmsg = SendMessage;
    made.inject = InjectSend;
    return made;
  }();
  return &table;
}

fi_ops_rma* RmaOps() {
  static fi_ops_rma table = [] {
    auto made = rules::Without<fi_ops_rma>();
    made.read = Read;
    made.readmsg = ReadMessage;
    made.write = Write;
    made.writemsg = WriteMessage;
    made.inject = InjectWrite;
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::strict
