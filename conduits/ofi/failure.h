// Failures that a completion queue reports.
#ifndef CONDUITS_OFI_FAILURE_H_
#define CONDUITS_OFI_FAILURE_H_

#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/messages.h"

namespace gasnet::ofi {

// Handles a failure, after a read of the queue has returned -FI_EAVAIL. Ends
// the job with a message that names the operation, the peer, and the provider's
// reason. Returns in two cases only:
//
// - A sender outside the job may have caused the failure, for example by an
//   incomplete message.
// - The peer may have ended. This peer is recorded as lost
//   (unreachable_peers.h).
void TakeFailure(OfiEndpoint& endpoint, OfiMessages& messages);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_FAILURE_H_
