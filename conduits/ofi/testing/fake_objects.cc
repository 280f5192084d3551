// The functions that open, bind and enable the fabric, domain, address vector
// and endpoint of the fake.
#include "conduits/ofi/testing/fake_objects.h"
#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"

#include <rdma/fi_errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace gasnet::ofi::testing {
namespace {

// Marks closed objects: the context of each closed object points here.
int closed_mark;

// The first address of the fabric. It is not 0, to make code fail that uses an
// address as an index.
constexpr fi_addr_t kFirstAddress = 1000;

int OpenDomain(fid_fabric* fabric, fi_info*, fid_domain** domain, void*) {
  FakeWorld& world = *static_cast<FakeFabricObject*>(fabric)->world;
  if (world.Fails("fi_domain")) return -FI_ENOMEM;
  FakeDomain& made = world.domains.emplace_back();
  made.fid = {FI_CLASS_DOMAIN, nullptr, ObjectOps()};
  made.ops = DomainOps();
  made.mr = MemoryOps();
  made.world = &world;
  *domain = &made;
  return 0;
}

int TryWait(fid_fabric* fabric, fid** objects, int count) {
  FakeWorld& world = *static_cast<FakeFabricObject*>(fabric)->world;
  if (world.Fails("fi_trywait")) return -FI_EINVAL;
  for (int i = 0; i < count; ++i) {
    FakeQueue& queue = ObjectOf<FakeQueue, fid_cq>(objects[i]);
    if (!queue.ready.empty() || queue.failed) return -FI_EAGAIN;
    // All completions have been read. The file descriptor must stop being
    // readable.
    eventfd_t told;
    if (queue.fd.valid())
      static_cast<void>(eventfd_read(queue.fd.get(), &told));
  }
  return 0;
}

int OpenQueue(fid_domain* domain, fi_cq_attr* attributes, fid_cq** queue,
              void*) {
  FakeWorld& world = *static_cast<FakeDomain*>(domain)->world;
  if (world.Fails("fi_cq_open")) return -FI_ENOMEM;
  if (attributes->format != FI_CQ_FORMAT_DATA)
    rules::Violation("not FORMAT_DATA");
  const bool waits = attributes->wait_obj == FI_WAIT_FD;
  if (waits && world.options().wait == FakeWait::kNone) return -FI_ENOSYS;
  FakeQueue& made = world.queues.emplace_back();
  made.fid = {FI_CLASS_CQ, nullptr, ObjectOps()};
  made.ops = QueueOps();
  made.world = &world;
  made.size = attributes->size;
  if (waits) made.fd = UniqueFd(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  *queue = &made;
  return 0;
}

int OpenVector(fid_domain* domain, fi_av_attr*, fid_av** vector, void*) {
  FakeWorld& world = *static_cast<FakeDomain*>(domain)->world;
  if (world.Fails("fi_av_open")) return -FI_ENOMEM;
  FakeVector& made = world.vectors.emplace_back();
  made.fid = {FI_CLASS_AV, nullptr, ObjectOps()};
  made.ops = VectorOps();
  made.world = &world;
  *vector = &made;
  return 0;
}

int Insert(fid_av* vector, const void* address, size_t count,
           fi_addr_t* inserted, uint64_t, void*) {
  FakeVector& peers = *static_cast<FakeVector*>(vector);
  if (peers.world->Fails("fi_av_insert")) return 0;
  if (count != 1) rules::Violation("more than one address at once");
  peers.peers.push_back(&peers.world->Named(static_cast<const char*>(address)));
  *inserted = kFirstAddress + peers.peers.size() - 1;
  return 1;
}

int OpenEndpoint(fid_domain* domain, fi_info*, fid_ep** endpoint, void*) {
  FakeWorld& world = *static_cast<FakeDomain*>(domain)->world;
  if (world.Fails("fi_endpoint")) return -FI_ENOMEM;
  FakeEndpoint& made = world.endpoints.emplace_back();
  made.fid = {FI_CLASS_EP, nullptr, ObjectOps()};
  made.ops = EndpointOps();
  made.cm = NameOps();
  made.msg = MessageOps();
  made.rma = RmaOps();
  made.world = &world;
  made.domain = static_cast<FakeDomain*>(domain);
  made.name = "endpoint " + std::to_string(world.endpoints.size());
  *endpoint = &made;
  return 0;
}

int GetName(fid_t object, void* address, size_t* size) {
  const FakeEndpoint& endpoint = ObjectOf<FakeEndpoint, fid_ep>(object);
  if (endpoint.world->Fails("fi_getname")) return -FI_ETOOSMALL;
  const size_t needed = endpoint.name.size() + 1;
  if (*size < needed) return -FI_ETOOSMALL;
  std::memcpy(address, endpoint.name.c_str(), needed);
  *size = needed;
  return 0;
}

int SetOption(fid_t object, int, int option, const void* value, size_t size) {
  FakeEndpoint& endpoint = ObjectOf<FakeEndpoint, fid_ep>(object);
  if (endpoint.world->Fails("fi_setopt")) return -FI_ENOPROTOOPT;
  if (option != FI_OPT_MIN_MULTI_RECV || size != sizeof(size_t)) {
    rules::Violation("an option that it does not have");
  }
  // Provider shm of libfabric 1.17 accepts options only after the endpoint is
  // enabled. All other providers accept them only before that.
  const bool wants_it_enabled = endpoint.world->options().provider == "shm";
  if (endpoint.enabled != wants_it_enabled)
    rules::Violation("an option out of turn");
  std::memcpy(&endpoint.least_room, value, size);
  return 0;
}

int BindEndpoint(FakeEndpoint& endpoint, fid* other, uint64_t flags) {
  if (endpoint.world->Fails("fi_ep_bind")) return -FI_EINVAL;
  if (other->fclass == FI_CLASS_AV) {
    endpoint.peers = &ObjectOf<FakeVector, fid_av>(other);
  } else if (flags == (FI_TRANSMIT | FI_RECV)) {
    endpoint.queue = &ObjectOf<FakeQueue, fid_cq>(other);
  } else {
    rules::Violation("a queue for less than everything");
  }
  return 0;
}

int Bind(fid* object, fid* other, uint64_t flags) {
  if (object->fclass == FI_CLASS_EP) {
    return BindEndpoint(ObjectOf<FakeEndpoint, fid_ep>(object), other, flags);
  }
  if (object->fclass != FI_CLASS_MR)
    rules::Violation("fi_bind of something else");
  FakeMemory& memory = ObjectOf<FakeMemory, fid_mr>(object);
  if (memory.world->Fails("fi_mr_bind")) return -FI_EINVAL;
  memory.bound = &ObjectOf<FakeEndpoint, fid_ep>(other);
  return 0;
}

// Marks an object as closed. Objects live as long as their world. The fabric is
// never closed, because all ranks share it.
int Close(fid* object) {
  if (object->fclass == FI_CLASS_FABRIC) return 0;
  if (object->context == &closed_mark)
    rules::Violation("an object is closed twice");
  object->context = &closed_mark;
  return 0;
}

int Enable(fid* object) {
  if (object->fclass == FI_CLASS_EP) {
    FakeEndpoint& endpoint = ObjectOf<FakeEndpoint, fid_ep>(object);
    if (endpoint.world->Fails("fi_enable")) return -FI_ENOMEM;
    if (endpoint.queue == nullptr || endpoint.peers == nullptr) {
      rules::Violation("an endpoint is enabled before it is bound");
    }
    endpoint.enabled = true;
    return 0;
  }
  FakeMemory& memory = ObjectOf<FakeMemory, fid_mr>(object);
  if (memory.world->Fails("fi_mr_enable")) return -FI_ENOMEM;
  if (memory.bound == nullptr)
    rules::Violation("memory is enabled before it is bound");
  memory.Enable();
  return 0;
}

int Control(fid* object, int command, void* argument) {
  if (command == FI_ENABLE) return Enable(object);
  if (command != FI_GETWAIT || object->fclass != FI_CLASS_CQ) {
    rules::Violation("fi_control of something else");
  }
  const FakeQueue& queue = ObjectOf<FakeQueue, fid_cq>(object);
  if (queue.world->options().wait != FakeWait::kDescriptor) return -FI_ENOSYS;
  *static_cast<int*>(argument) = queue.fd.get();
  return 0;
}

}  // namespace

fi_ops* ObjectOps() {
  static fi_ops table = [] {
    auto made = rules::Without<fi_ops>();
    made.bind = Bind;
    made.control = Control;
    made.close = Close;
    return made;
  }();
  return &table;
}

fi_ops_fabric* FabricOps() {
  static fi_ops_fabric table = [] {
    auto made = rules::Without<fi_ops_fabric>();
    made.domain = OpenDomain;
    made.trywait = TryWait;
    return made;
  }();
  return &table;
}

fi_ops_domain* DomainOps() {
  static fi_ops_domain table = [] {
    auto made = rules::Without<fi_ops_domain>();
    made.av_open = OpenVector;
    made.cq_open = OpenQueue;
    made.endpoint = OpenEndpoint;
    return made;
  }();
  return &table;
}

fi_ops_av* VectorOps() {
  static fi_ops_av table = [] {
    auto made = rules::Without<fi_ops_av>();
    made.insert = Insert;
    return made;
  }();
  return &table;
}

fi_ops_ep* EndpointOps() {
  static fi_ops_ep table = [] {
    auto made = rules::Without<fi_ops_ep>();
    made.setopt = SetOption;
    return made;
  }();
  return &table;
}

fi_ops_cm* NameOps() {
  static fi_ops_cm table = [] {
    auto made = rules::Without<fi_ops_cm>();
    made.getname = GetName;
    return made;
  }();
  return &table;
}

}  // namespace gasnet::ofi::testing
