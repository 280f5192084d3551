// The functions of the endpoint, from opening to enabling.
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>

#include <cstring>

#include "conduits/ofi/testing/rules/tables.h"
#include "conduits/ofi/testing/rules/violation.h"
#include "conduits/ofi/testing/strict/objects.h"

namespace gasnet::ofi::strict {
namespace {

int Close(fid* object) {
  Domain& domain = *ObjectOf<Endpoint, fid_ep>(object).domain;
  const Entry entry(domain, "fi_close");
  domain.endpoint.reset();
  return 0;
}

int Bind(fid* object, fid* other, uint64_t flags) {
  Endpoint& endpoint = ObjectOf<Endpoint, fid_ep>(object);
  const Entry entry(*endpoint.domain, "fi_ep_bind");
  if (endpoint.enabled) rules::Violation("an enabled endpoint is bound");
  if (other->fclass == FI_CLASS_AV) {
    endpoint.vector = &ObjectOf<Vector, fid_av>(other);
    return 0;
  }
  constexpr uint64_t kBoth = FI_TRANSMIT | FI_RECV;
  if (other->fclass != FI_CLASS_CQ || (flags & kBoth) != kBoth) {
    return -FI_ENOSYS;
  }
  endpoint.queue = &ObjectOf<Queue, fid_cq>(other);
  endpoint.selective = (flags & FI_SELECTIVE_COMPLETION) != 0;
  return 0;
}

int Control(fid* object, int command, void*) {
  Endpoint& endpoint = ObjectOf<Endpoint, fid_ep>(object);
  const Entry entry(*endpoint.domain, "fi_enable");
  if (command != FI_ENABLE) return -FI_ENOSYS;
  if (endpoint.queue == nullptr || endpoint.vector == nullptr) {
    rules::Violation("an endpoint is enabled that lacks its queue or vector");
  }
  endpoint.enabled = true;
  return 0;
}

int GetName(fid_t object, void* address, size_t* size) {
  Endpoint& endpoint = ObjectOf<Endpoint, fid_ep>(object);
  const Entry entry(*endpoint.domain, "fi_getname");
  if (!endpoint.enabled)
    rules::Violation("an endpoint has no name before its enabling");
  const std::string& name = endpoint.domain->core->name();
  const bool fits = *size >= name.size();
  *size = name.size();
  if (!fits) return -FI_ETOOSMALL;
  std::memcpy(address, name.data(), name.size());
  return 0;
}

int SetOption(fid_t object, int, int option, const void* value, size_t size) {
  Endpoint& endpoint = ObjectOf<Endpoint, fid_ep>(object);
  const Entry entry(*endpoint.domain, "fi_setopt");
  if (option != FI_OPT_MIN_MULTI_RECV || size != sizeof(size_t)) {
    return -FI_ENOPROTOOPT;
  }
  if (endpoint.enabled) rules::Violation("an option is set after the enabling");
  size_t least;
  std::memcpy(&least, value, size);
  endpoint.target.SetLeastRoom(least);
  return 0;
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

}  // namespace

Endpoint::Endpoint(Domain& of)
    : fid_ep{}, domain(&of), initiator(of), target(of) {
  for (size_t i = 0; i < of.peers.size(); ++i) initiator.AddPeer();
}

int OpenEndpoint(fid_domain* handle, fi_info*, fid_ep** endpoint,
                 void* context) {
  static fi_ops ops = [] {
    auto made = rules::Without<fi_ops>();
    made.close = Close;
    made.bind = Bind;
    made.control = Control;
    return made;
  }();
  Domain& domain = *static_cast<Domain*>(handle);
  const Entry entry(domain, "fi_endpoint");
  if (domain.endpoint != nullptr) return -FI_ENOSPC;
  domain.endpoint = std::make_unique<Endpoint>(domain);
  domain.endpoint->fid = {FI_CLASS_EP, context, &ops};
  domain.endpoint->ops = EndpointOps();
  domain.endpoint->cm = NameOps();
  domain.endpoint->msg = MessageOps();
  domain.endpoint->rma = RmaOps();
  *endpoint = domain.endpoint.get();
  return 0;
}

}  // namespace gasnet::ofi::strict
