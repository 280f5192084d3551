#include "conduits/ofi/failure.h"

#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/log.h"
#include "conduits/ofi/context.h"
#include "conduits/ofi/transfers.h"
#include "conduits/ofi/unreachable_peers.h"

namespace gasnet::ofi {
namespace {

std::string Describe(const OperationContext& context) {
  switch (context.kind) {
    case OperationContext::Kind::kReceive:
      return "receiving a message";
    case OperationContext::Kind::kSend:
      return OfiMessages::Describe(context);
    case OperationContext::Kind::kTransfer:
      return OfiTransfers::Describe(context);
  }
  return "";
}

// Handles a failure of an operation without a context. The operation's peer is
// unknown. This conduit sends only injected messages without a context. But
// provider shm loses the context of a transfer if the process that owns the
// target memory has ended. It also negates the error.
void TakeFailureOfNobody(OfiEndpoint& endpoint, int error,
                         const std::string& why) {
  const std::string what = absl::StrCat(
      "an operation without a context, such as a small message, failed "
      "over libfabric's provider ",
      endpoint.provider(), ": ", why);
  const bool is_explained =
      UnreachablePeers::Explains(error) || error == -FI_EIO;
  if (!is_explained) Fatal("%s", what.c_str());
  endpoint.lost().Note(UnreachablePeers::kSomebody, what, NowNanos());
}

}  // namespace

void TakeFailure(OfiEndpoint& endpoint, OfiMessages& messages) {
  fi_cq_err_entry entry = {};
  fi_cq_readerr(endpoint.queue(), &entry, 0);
  const std::string why = endpoint.QueueError(entry);
  if (entry.op_context == nullptr) {
    return TakeFailureOfNobody(endpoint, entry.err, why);
  }
  auto& context = *static_cast<OperationContext*>(entry.op_context);
  const bool receives = context.kind == OperationContext::Kind::kReceive;
  // A receive may fail because a sender outside the job began a message and
  // left. Such a failure is ignored. If the sender was a rank, job control
  // reports the rank's end.
  if (receives && messages.Refuse(entry)) return;
  const std::string what =
      absl::StrCat(Describe(context), " failed over libfabric's provider ",
                   endpoint.provider(), ": ", why);
  if (receives || !UnreachablePeers::Explains(entry.err)) {
    Fatal("%s", what.c_str());
  }
  const bool sends = context.kind == OperationContext::Kind::kSend;
  endpoint.lost().Note(
      sends ? OfiMessages::PeerOf(context) : OfiTransfers::PeerOf(context),
      what, NowNanos());
  if (sends) {
    messages.Complete(context);  // nobody waits for this send
  } else {
    OfiTransfers::Lose(context);
  }
}

}  // namespace gasnet::ofi
