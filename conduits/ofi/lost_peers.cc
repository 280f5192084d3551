#include "conduits/ofi/lost_peers.h"

#include <rdma/fi_errno.h>

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace gasnet::ofi {

bool LostPeers::Explains(int error) {
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
    // Of what was under way when another failed.
    case FI_ECANCELED:
      return true;
    default:
      return false;
  }
}

void LostPeers::Note(Rank peer, std::string what, int64_t now) {
  const bool known =
      std::any_of(lost_.begin(), lost_.end(),
                  [&](const Lost& each) { return each.peer == peer; });
  if (!known) lost_.push_back({peer, std::move(what), now});
}

void LostPeers::End(const Lost& lost) { Fatal("%s", lost.what.c_str()); }

}  // namespace gasnet::ofi
