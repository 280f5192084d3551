#include "conduits/ofi/failure.h"

#include <rdma/fi_eq.h>

#include <string>

#include "base/log.h"
#include "conduits/ofi/context.h"
#include "conduits/ofi/transfers.h"

namespace gasnet::ofi {
namespace {

std::string Describe(const Context& context) {
  switch (context.kind) {
    case Context::Kind::kReceive:
      return "receiving a message";
    case Context::Kind::kSend:
      return Messages::Describe(context);
    case Context::Kind::kTransfer:
      return Transfers::Describe(context);
  }
  return "";
}

}  // namespace

void TakeFailure(Endpoint& endpoint, Messages& messages) {
  fi_cq_err_entry entry = {};
  fi_cq_readerr(endpoint.queue(), &entry, 0);
  const std::string why = endpoint.QueueError(entry);
  if (entry.op_context == nullptr) {
    Fatal("libfabric's provider %s reports a failure: %s", endpoint.provider(),
          why.c_str());
  }
  const auto& context = *static_cast<Context*>(entry.op_context);
  if (context.kind == Context::Kind::kReceive && messages.Refuse(entry)) return;
  Fatal("%s failed over libfabric's provider %s: %s", Describe(context).c_str(),
        endpoint.provider(), why.c_str());
}

}  // namespace gasnet::ofi
