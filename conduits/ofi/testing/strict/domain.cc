// The functions of the domain and of its address vector, and the function that
// moves all operations by a step.
#include <rdma/fi_errno.h>
#include <sched.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>
#include <utility>

#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"
#include "conduits/ofi/testing/strict/packet.h"

namespace gasnet::ofi::strict {
namespace {

int CloseDomain(fid* object) {
  Domain& domain = ObjectOf<Domain, fid_domain>(object);
  if (domain.endpoint != nullptr || domain.queue != nullptr ||
      domain.vector != nullptr || !domain.memories.empty()) {
    return -FI_EBUSY;
  }
  delete &domain;
  return 0;
}

int CloseVector(fid* object) {
  Domain& domain = *ObjectOf<Vector, fid_av>(object).domain;
  const Entry entry(domain, "fi_close");
  if (domain.endpoint != nullptr) return -FI_EBUSY;
  domain.vector.reset();
  return 0;
}

int Insert(fid_av* vector, const void* addresses, size_t count,
           fi_addr_t* inserted, uint64_t, void*) {
  Domain& domain = *static_cast<Vector*>(vector)->domain;
  const Entry entry(domain, "fi_av_insert");
  const auto* name = static_cast<const char*>(addresses);
  const size_t size = domain.core->name_size();
  for (size_t i = 0; i < count; ++i, name += size) {
    if (inserted != nullptr) inserted[i] = domain.peers.size();
    domain.peers.emplace_back(name, size);
    if (domain.endpoint != nullptr) domain.endpoint->initiator.AddPeer();
  }
  return static_cast<int>(count);
}

fi_ops_av* VectorOps() {
  static fi_ops_av table = [] {
    auto made = rules::Without<fi_ops_av>();
    made.insert = Insert;
    return made;
  }();
  return &table;
}

int OpenVector(fid_domain* handle, fi_av_attr* attributes, fid_av** vector,
               void* context) {
  Domain& domain = *static_cast<Domain*>(handle);
  const Entry entry(domain, "fi_av_open");
  static fi_ops ops = [] {
    auto made = rules::Without<fi_ops>();
    made.close = CloseVector;
    return made;
  }();
  if (domain.vector != nullptr) return -FI_ENOSPC;
  if (attributes->type == FI_AV_MAP) return -FI_ENOSYS;
  domain.vector = std::make_unique<Vector>();
  domain.vector->fid = {FI_CLASS_AV, context, &ops};
  domain.vector->ops = VectorOps();
  domain.vector->domain = &domain;
  *vector = domain.vector.get();
  return 0;
}

// Changes the process in ways of some real providers: binds the thread and
// handles a signal.
void Meddle() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&cpus) > 1; ++cpu) {
    CPU_CLR(cpu, &cpus);
  }
  sched_setaffinity(0, sizeof cpus, &cpus);
  std::signal(SIGWINCH, [](int) {});
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

}  // namespace

Entry::Entry(Domain& domain, const char* call) : domain_(domain) {
  if (domain_.occupied.exchange(true, std::memory_order_relaxed)) {
    rules::Violation("%s is called while another thread is in the domain",
                     call);
  }
}

int OpenDomain(fi_info* core_info, fid_domain** domain) {
  static fi_ops ops = [] {
    auto made = rules::Without<fi_ops>();
    made.close = CloseDomain;
    return made;
  }();
  auto made = std::make_unique<Domain>(OptionsFromEnvironment());
  if (made->options.meddles) Meddle();
  const int error =
      Core::Open(core_info, sizeof(Header) + made->options.most, made->core);
  if (error != 0) return error;
  // Makes the seed differ between processes.
  made->random.seed(made->options.seed ^
                    std::hash<std::string>()(made->core->name()));
  made->fid = {FI_CLASS_DOMAIN, nullptr, &ops};
  made->ops = DomainOps();
  made->mr = MemoryOps();
  *domain = made.release();
  return 0;
}

void Domain::Claim(void* context) {
  if (context == nullptr) rules::Violation("an operation has no context");
  if (!contexts.insert(context).second) {
    rules::Violation("an operation has the context of one that is under way");
  }
  Scribble(context);
}

void Domain::Scribble(void* context) {
  if (!DemandsContexts() || !contexts.contains(context)) return;
  uint64_t garbage[sizeof(fi_context2) / sizeof(uint64_t)];
  for (uint64_t& each : garbage) each = random();
  std::memcpy(context, garbage, sizeof garbage);
}

void Domain::Step() {
  core->Progress(*this);
  if (endpoint != nullptr) {
    endpoint->initiator.Step();
    endpoint->target.Step();
  }
  ReportDue();
  core->Progress(*this);
}

bool Domain::IsQuiet() const {
  return queue->late.empty() && queue->ready.empty() &&
         (endpoint == nullptr ||
          (endpoint->initiator.IsQuiet() && endpoint->target.IsQuiet()));
}

fi_addr_t Domain::AddressOf(const std::string& name) {
  const auto found = addresses.find(name);
  if (found != addresses.end()) return found->second;
  return addresses[name] = core->Insert(name);
}

void Domain::Send(fi_addr_t to, Header& header,
                  std::span<const std::byte> bytes) {
  const std::string& name = core->name();
  header.name_size = static_cast<uint32_t>(name.size());
  std::copy(name.begin(), name.end(), header.name.begin());
  std::vector<std::byte> packet(sizeof header + bytes.size());
  std::memcpy(packet.data(), &header, sizeof header);
  std::copy(bytes.begin(), bytes.end(), packet.begin() + sizeof header);
  const bool answers =
      header.kind == PacketKind::kDone || header.kind == PacketKind::kData;
  core->Send(to, std::move(packet), answers ? 0 : header.operation);
}

void Domain::Sent(const Outgoing& packet, int error) {
  if (packet.operation != 0 && endpoint != nullptr) {
    endpoint->initiator.Sent(packet.operation, error);
  }
}

void Domain::Received(std::span<const std::byte> packet) {
  Header header;
  if (packet.size() < sizeof header || endpoint == nullptr) return;
  std::memcpy(&header, packet.data(), sizeof header);
  if (header.magic != kMagic || header.name_size > kMaxName) return;
  const std::span<const std::byte> bytes = packet.subspan(sizeof header);
  switch (header.kind) {
    case PacketKind::kDone:
      endpoint->initiator.Done(header.operation);
      return;
    case PacketKind::kData:
      endpoint->initiator.Data(header.operation, bytes);
      return;
    default:
      endpoint->target.Arrived(header, bytes);
  }
}

}  // namespace gasnet::ofi::strict
