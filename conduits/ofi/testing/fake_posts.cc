// The functions that register memory and post operations. They make all checks
// that a strict provider would make.
#include <rdma/fi_errno.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "conduits/ofi/testing/fake_objects.h"
#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"

namespace gasnet::ofi::testing {
namespace {

constexpr fi_addr_t kFirstAddress = 1000;

uint64_t KeysOf(const FakeWorld& world) {
  const size_t bits = 8 * world.options().key_bytes;
  return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
}

int Register(fid* object, const void* buffer, size_t nbytes, uint64_t access,
             uint64_t offset, uint64_t key, uint64_t flags, fid_mr** memory,
             void*) {
  FakeDomain& domain = ObjectOf<FakeDomain, fid_domain>(object);
  FakeWorld& world = *domain.world;
  if (world.Fails("fi_mr_reg")) return -FI_ENOMEM;
  rules::CheckRegistered(world.mr_mode(), buffer, nbytes, access, offset,
                         flags);
  if (world.DemandsMode(FI_MR_PROV_KEY)) {
    key = world.RandomNumber() & KeysOf(world);
  } else if (key > KeysOf(world)) {
    return -FI_EKEYREJECTED;
  }
  for (const FakeMemory& each : domain.memories) {
    if (each.real_key == key) return -FI_ENOKEY;
  }
  FakeMemory& made = domain.memories.emplace_back();
  made.fid = {FI_CLASS_MR, nullptr, ObjectOps()};
  made.world = &world;
  made.domain = &domain;
  made.base = reinterpret_cast<uintptr_t>(buffer);
  made.nbytes = nbytes;
  made.access = access;
  made.real_key = key;
  made.mem_desc = nullptr;
  made.key = FI_KEY_NOTAVAIL;
  if (!world.DemandsMode(FI_MR_ENDPOINT)) made.Enable();
  *memory = &made;
  return 0;
}

FakeEndpoint& PeerOf(const FakeEndpoint& endpoint, fi_addr_t address) {
  const size_t index = address - kFirstAddress;
  if (index >= endpoint.peers->peers.size())
    rules::Violation("no such address");
  return *endpoint.peers->peers[index];
}

ssize_t SendWith(uint64_t flags, fid_ep* handle, const void* buffer,
                 size_t nbytes, void* descriptor, fi_addr_t to, void* context) {
  FakeEndpoint& endpoint = EndpointOf(handle);
  FakeWorld& world = *endpoint.world;
  FakeEndpoint& peer = PeerOf(endpoint, to);
  if (const int refusal = world.RefusalOf(endpoint, &peer)) return refusal;
  if (nbytes > world.options().most_bytes) return -FI_EMSGSIZE;
  world.CheckLocal("a send", endpoint, {const_cast<void*>(buffer), nbytes},
                   descriptor, FI_SEND);
  world.Post({FakeKind::kSend, &endpoint, &peer, context, flags,
              static_cast<std::byte*>(const_cast<void*>(buffer)), nbytes});
  return 0;
}

ssize_t Send(fid_ep* handle, const void* buffer, size_t nbytes,
             void* descriptor, fi_addr_t to, void* context) {
  return SendWith(FI_COMPLETION, handle, buffer, nbytes, descriptor, to,
                  context);
}

ssize_t Inject(fid_ep* handle, const void* buffer, size_t nbytes,
               fi_addr_t to) {
  FakeEndpoint& endpoint = EndpointOf(handle);
  FakeWorld& world = *endpoint.world;
  FakeEndpoint& peer = PeerOf(endpoint, to);
  if (const int refusal = world.RefusalOf(endpoint, &peer)) return refusal;
  if (nbytes > world.options().inject_bytes) return -FI_EMSGSIZE;
  world.Post({FakeKind::kSend, &endpoint, &peer, nullptr, FI_INJECT,
              static_cast<std::byte*>(const_cast<void*>(buffer)), nbytes});
  return 0;
}

ssize_t SendMessage(fid_ep* handle, const fi_msg* message, uint64_t flags) {
  const FakeWorld& world = *EndpointOf(handle).world;
  if ((flags & FI_FENCE) != 0 && !world.options().fence) {
    rules::Violation("FI_FENCE was not granted");
  }
  if (message->iov_count != 1) rules::Violation("a message of several parts");
  const iovec& local = *message->msg_iov;
  return SendWith(flags, handle, local.iov_base, local.iov_len, *message->desc,
                  message->addr, message->context);
}

ssize_t ReceiveMessage(fid_ep* handle, const fi_msg* message, uint64_t flags) {
  FakeEndpoint& endpoint = EndpointOf(handle);
  FakeWorld& world = *endpoint.world;
  if (const int refusal = world.RefusalOf(endpoint, nullptr)) return refusal;
  const bool multiple = (flags & FI_MULTI_RECV) != 0;
  if (multiple && !world.options().multi_receive) {
    rules::Violation("FI_MULTI_RECV was not granted");
  }
  if (message->iov_count != 1) rules::Violation("a buffer of several parts");
  const iovec& memory = *message->msg_iov;
  world.CheckLocal("a receive", endpoint, memory, *message->desc, FI_RECV);
  for (const FakeReceive& each : endpoint.receives) {
    if (each.buffer == memory.iov_base)
      rules::Violation("a buffer is posted twice");
  }
  world.Scribble(message->context);
  endpoint.receives.push_back({static_cast<std::byte*>(memory.iov_base),
                               memory.iov_len, message->context, multiple});
  return 0;
}

ssize_t Transfer(FakeKind kind, FakeEndpoint& endpoint,
                 const fi_msg_rma& message, uint64_t flags) {
  FakeWorld& world = *endpoint.world;
  FakeEndpoint& peer = PeerOf(endpoint, message.addr);
  if (const int refusal = world.RefusalOf(endpoint, &peer)) return refusal;
  if (message.iov_count != 1 || message.rma_iov_count != 1) {
    rules::Violation("a transfer of several parts");
  }
  const iovec& local = *message.msg_iov;
  const fi_rma_iov& remote = *message.rma_iov;
  if (local.iov_len != remote.len)
    rules::Violation("two lengths of a transfer");
  if (local.iov_len > world.options().most_bytes) return -FI_EMSGSIZE;
  if ((flags & FI_COMPLETION) == 0) rules::Violation("nobody is to hear of it");
  const bool injected = (flags & FI_INJECT) != 0;
  if (injected && local.iov_len > world.options().inject_bytes) {
    return -FI_EMSGSIZE;
  }
  const bool reads = kind == FakeKind::kRead;
  if (!injected) {
    world.CheckLocal(reads ? "a read" : "a write", endpoint, local,
                     *message.desc, reads ? FI_READ : FI_WRITE);
  }
  FakeOperation operation = {
      kind,         &endpoint,
      &peer,        message.context,
      flags,        static_cast<std::byte*>(local.iov_base),
      local.iov_len};
  operation.remote =
      world.FindRemote(peer, remote, reads ? FI_REMOTE_READ : FI_REMOTE_WRITE);
  if (operation.remote == nullptr) operation.error = FI_EKEYREJECTED;
  world.Post(std::move(operation));
  return 0;
}

ssize_t WriteMessage(fid_ep* endpoint, const fi_msg_rma* message,
                     uint64_t flags) {
  return Transfer(FakeKind::kWrite, EndpointOf(endpoint), *message, flags);
}

ssize_t ReadMessage(fid_ep* endpoint, const fi_msg_rma* message,
                    uint64_t flags) {
  return Transfer(FakeKind::kRead, EndpointOf(endpoint), *message, flags);
}

}  // namespace

int FakeWorld::RefusalOf(FakeEndpoint& endpoint, const FakeEndpoint* to) {
  if (!endpoint.enabled)
    rules::Violation("a post before the endpoint is enabled");
  if (refusal != 0) return refusal;
  if (Hits(options_.again)) endpoint.again = true;
  const bool full = to != nullptr && endpoint.under_way >= options_.most_posted;
  const bool blocked = to != nullptr && to->blocked;
  if (!endpoint.again && !full && !blocked) return 0;
  ++counts_.again;
  return -FI_EAGAIN;
}

void FakeWorld::CheckLocal(const char* call, const FakeEndpoint& endpoint,
                           const iovec& local, void* descriptor,
                           uint64_t access) const {
  const FakeMemory* found = nullptr;
  for (const FakeMemory& each : endpoint.domain->memories) {
    if (&each == descriptor) found = &each;
  }
  rules::CheckPosted(call, mr_mode(), local.iov_base, local.iov_len, descriptor,
                     found, access);
}

std::byte* FakeWorld::FindRemote(const FakeEndpoint& to, const fi_rma_iov& at,
                                 uint64_t access) const {
  for (const FakeMemory& each : to.domain->memories) {
    if (each.real_key != at.key) continue;
    const bool bound = !DemandsMode(FI_MR_ENDPOINT) || each.bound == &to;
    return bound ? rules::Reach(each, mr_mode(), at.addr, at.len, access)
                 : nullptr;
  }
  return nullptr;
}

void FakeWorld::Post(FakeOperation operation) {
  ++counts_.posts;
  counts_.largest = std::max(counts_.largest, operation.nbytes);
  operation.number = ++numbers_;
  operation.due = Below(options_.late + 1);
  int& error = fail_next[static_cast<size_t>(operation.kind)];
  if (error != 0) operation.error = std::exchange(error, 0);
  if ((operation.flags & FI_INJECT) != 0) {
    ++counts_.injected;
    operation.bytes.assign(operation.local, operation.local + operation.nbytes);
    operation.local = nullptr;
    operation.left = true;
  }
  ++operation.from->under_way;
  if (operation.kind != FakeKind::kRead) {
    operation.OnTheWay(operation.kind).insert(operation.number);
  }
  Scribble(operation.context);
  operations.push_back(std::make_unique<FakeOperation>(std::move(operation)));
}

fi_ops_mr* MemoryOps() {
  static fi_ops_mr table = [] {
    auto made = rules::Without<fi_ops_mr>();
    made.reg = Register;
    return made;
  }();
  return &table;
}

fi_ops_msg* MessageOps() {
  static fi_ops_msg table = [] {
    auto made = rules::Without<fi_ops_msg>();
    made.send = Send;
    made.sendmsg = SendMessage;
    made.recvmsg = ReceiveMessage;
    made.inject = Inject;
    return made;
  }();
  return &table;
}

fi_ops_rma* RmaOps() {
  static fi_ops_rma table = [] {
    auto made = rules::Without<fi_ops_rma>();
    made.writemsg = WriteMessage;
    made.readmsg = ReadMessage;
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::testing
