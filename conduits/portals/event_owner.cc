#include "conduits/portals/event_owner.h"

#include "absl/strings/str_cat.h"
#include "conduits/portals/fetches.h"
#include "conduits/portals/replies.h"
#include "conduits/portals/requests.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/transfers.h"

namespace gasnet::portals_conduit {

Rank PeerOf(void* user) {
  switch (KindOf(user)) {
    case TagKind::kTransfer:
      return PortalsTransfers::PeerOf(user);
    case TagKind::kRequest:
      return Requests::PeerOf(user);
    case TagKind::kReply:
      return Replies::PeerOf(user);
    case TagKind::kFetch:
      return Fetches::PeerOf(user);
    default:
      return RankOf(user);
  }
}

std::string Describe(void* user) {
  switch (KindOf(user)) {
    case TagKind::kTransfer:
      return PortalsTransfers::Describe(user);
    case TagKind::kRequest:
      return absl::StrCat("a request to rank ", PeerOf(user));
    case TagKind::kReply:
    case TagKind::kQuietReply:
      return absl::StrCat("a reply to rank ", PeerOf(user));
    case TagKind::kFetch:
      return absl::StrCat("a get of a message of rank ", PeerOf(user));
    case TagKind::kBarrier:
      return absl::StrCat("a vote in a barrier to rank ", PeerOf(user));
    default:
      return absl::StrCat("a system message to rank ", PeerOf(user));
  }
}

}  // namespace gasnet::portals_conduit
