#include "conduits/ofi/unreachable_peers.h"

#include <rdma/fi_errno.h>

namespace gasnet::ofi {

bool UnreachablePeers::Explains(int error) {
  switch (error) {
    case FI_ENOTCONN:
    case FI_ECONNABORTED:
    case FI_ECONNREFUSED:
    case FI_ECONNRESET:
    case FI_ESHUTDOWN:
    case FI_EHOSTDOWN:
    case FI_EHOSTUNREACH:
    case FI_ENETUNREACH:
    case FI_ETIMEDOUT:
    // The operation was under way when another operation failed.
    case FI_ECANCELED:
      return true;
    default:
      return false;
  }
}

}  // namespace gasnet::ofi
