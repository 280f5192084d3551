// Memory, and what is posted: all that a strict provider would look at.
#include <rdma/fi_errno.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "conduits/ofi/testing/fake_objects.h"

namespace gasnet::ofi::testing {
namespace {

constexpr fi_addr_t kFirstAddress = 1000;

// Whether each page of it is in memory.
bool IsThere(const void* memory, size_t nbytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(memory) / page * page;
  const auto end = reinterpret_cast<uintptr_t>(memory) + nbytes;
  std::vector<unsigned char> there((end - begin + page - 1) / page);
  if (mincore(reinterpret_cast<void*>(begin), end - begin, there.data()) != 0) {
    return false;
  }
  return std::all_of(there.begin(), there.end(),
                     [](unsigned char page_is) { return (page_is & 1) != 0; });
}

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
  if (offset != 0 || flags != 0) Complain("memory with an offset or flags");
  if (world.DemandsMode(FI_MR_ALLOCATED) && !IsThere(buffer, nbytes)) {
    Complain("memory is registered that is not allocated");
  }
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
  made.base = static_cast<std::byte*>(const_cast<void*>(buffer));
  made.nbytes = nbytes;
  made.access = access;
  made.real_key = key;
  made.enabled = !world.DemandsMode(FI_MR_ENDPOINT);
  made.mem_desc = made.enabled ? &made : nullptr;
  made.key = made.enabled ? key : FI_KEY_NOTAVAIL;
  *memory = &made;
  return 0;
}

FakeEndpoint& PeerOf(const FakeEndpoint& endpoint, fi_addr_t address) {
  const size_t index = address - kFirstAddress;
  if (index >= endpoint.peers->peers.size()) Complain("no such address");
  return *endpoint.peers->peers[index];
}

ssize_t SendWith(uint64_t flags, fid_ep* handle, const void* buffer,
                 size_t nbytes, void* descriptor, fi_addr_t to, void* context) {
  FakeEndpoint& endpoint = EndpointOf(handle);
  FakeWorld& world = *endpoint.world;
  FakeEndpoint& peer = PeerOf(endpoint, to);
  if (const int refusal = world.RefusalOf(endpoint, &peer)) return refusal;
  if (nbytes > world.options().most_bytes) return -FI_EMSGSIZE;
  world.CheckLocal(endpoint, buffer, nbytes, descriptor, FI_SEND);
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
    Complain("FI_FENCE was not granted");
  }
  if (message->iov_count != 1) Complain("a message of several parts");
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
    Complain("FI_MULTI_RECV was not granted");
  }
  if (message->iov_count != 1) Complain("a buffer of several parts");
  const iovec& memory = *message->msg_iov;
  world.CheckLocal(endpoint, memory.iov_base, memory.iov_len, *message->desc,
                   FI_RECV);
  for (const FakeReceive& each : endpoint.receives) {
    if (each.buffer == memory.iov_base) Complain("a buffer is posted twice");
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
    Complain("a transfer of several parts");
  }
  const iovec& local = *message.msg_iov;
  const fi_rma_iov& remote = *message.rma_iov;
  if (local.iov_len != remote.len) Complain("two lengths of a transfer");
  if (local.iov_len > world.options().most_bytes) return -FI_EMSGSIZE;
  if ((flags & FI_COMPLETION) == 0) Complain("nobody is to hear of it");
  const bool injected = (flags & FI_INJECT) != 0;
  if (injected && local.iov_len > world.options().inject_bytes) {
    return -FI_EMSGSIZE;
  }
  const bool reads = kind == FakeKind::kRead;
  if (!injected) {
    world.CheckLocal(endpoint, local.iov_base, local.iov_len, *message.desc,
                     reads ? FI_READ : FI_WRITE);
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
  if (!endpoint.enabled) Complain("a post before the endpoint is enabled");
  if (refusal != 0) return refusal;
  if (Hits(options_.again)) endpoint.again = true;
  const bool full = to != nullptr && endpoint.under_way >= options_.most_posted;
  const bool blocked = to != nullptr && to->blocked;
  if (!endpoint.again && !full && !blocked) return 0;
  ++counts_.again;
  return -FI_EAGAIN;
}

void FakeWorld::CheckLocal(const FakeEndpoint& endpoint, const void* address,
                           size_t nbytes, void* descriptor,
                           uint64_t access) const {
  if (descriptor == nullptr) {
    if (DemandsMode(FI_MR_LOCAL)) Complain("local memory is not registered");
    return;
  }
  for (const FakeMemory& each : endpoint.domain->memories) {
    if (&each != descriptor) continue;
    if (!each.enabled) Complain("a descriptor of memory that is not enabled");
    if (!each.Covers(address, nbytes)) Complain("a descriptor of other memory");
    if ((each.access & access) == 0) Complain("memory is not for that access");
    return;
  }
  Complain("a descriptor that it has not given out");
}

std::byte* FakeWorld::FindRemote(const FakeEndpoint& to, const fi_rma_iov& at,
                                 uint64_t access) const {
  for (const FakeMemory& each : to.domain->memories) {
    if (each.real_key != at.key) continue;
    std::byte* const place = DemandsMode(FI_MR_VIRT_ADDR)
                                 ? reinterpret_cast<std::byte*>(at.addr)
                                 : each.base + at.addr;
    const bool bound = !DemandsMode(FI_MR_ENDPOINT) || each.bound == &to;
    const bool right = each.enabled && bound && (each.access & access) != 0 &&
                       each.Covers(place, at.len);
    return right ? place : nullptr;
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
    fi_ops_mr made = {};
    made.size = sizeof made;
    made.reg = Register;
    Without<"fi_mr_regv">(made.regv);
    Without<"fi_mr_regattr">(made.regattr);
    return made;
  }();
  return &table;
}

fi_ops_msg* MessageOps() {
  static fi_ops_msg table = [] {
    fi_ops_msg made = {};
    made.size = sizeof made;
    made.send = Send;
    made.sendmsg = SendMessage;
    made.recvmsg = ReceiveMessage;
    made.inject = Inject;
    Without<"fi_recv">(made.recv);
    Without<"fi_recvv">(made.recvv);
    Without<"fi_sendv">(made.sendv);
    Without<"fi_senddata">(made.senddata);
    Without<"fi_injectdata">(made.injectdata);
    return made;
  }();
  return &table;
}

fi_ops_rma* RmaOps() {
  static fi_ops_rma table = [] {
    fi_ops_rma made = {};
    made.size = sizeof made;
    made.writemsg = WriteMessage;
    made.readmsg = ReadMessage;
    Without<"fi_read">(made.read);
    Without<"fi_readv">(made.readv);
    Without<"fi_write">(made.write);
    Without<"fi_writev">(made.writev);
    Without<"fi_inject_write">(made.inject);
    Without<"fi_writedata">(made.writedata);
    Without<"fi_inject_writedata">(made.injectdata);
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::testing
