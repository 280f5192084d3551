// A failure that a completion queue reports.
#ifndef CONDUITS_OFI_FAILURE_H_
#define CONDUITS_OFI_FAILURE_H_

#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/messages.h"

namespace gasnet::ofi {

// When a read of the queue has answered -FI_EAVAIL: ends the job with a message
// that names what has failed, the peer, and what the provider says of it.
// Returns where a stranger can have done it, as of a message that broke off,
// and where the peer may be gone: it is lost then (lost_peers.h).
void TakeFailure(Endpoint& endpoint, Messages& messages);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_FAILURE_H_
