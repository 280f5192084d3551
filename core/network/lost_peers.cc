#include "core/network/lost_peers.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace gasnet::network {

void LostPeers::Note(Rank peer, std::string what, int64_t now) {
  const bool known =
      std::any_of(lost_.begin(), lost_.end(),
                  [&](const Lost& each) { return each.peer == peer; });
  if (!known) lost_.push_back({peer, std::move(what), now});
}

void LostPeers::End(const Lost& lost) { Fatal("%s", lost.what.c_str()); }

}  // namespace gasnet::network
