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
    case Kind::kTransfer:
      return Transfers::PeerOf(user);
    case Kind::kRequest:
      return Requests::PeerOf(user);
    case Kind::kReply:
      return Replies::PeerOf(user);
    case Kind::kFetch:
      return Fetches::PeerOf(user);
    default:
      return RankOf(user);
  }
}

std::string Describe(void* user) {
  switch (KindOf(user)) {
    case Kind::kTransfer:
      return Transfers::Describe(user);
    case Kind::kRequest:
      return absl::StrCat("a request to rank ", PeerOf(user));
    case Kind::kReply:
    case Kind::kQuietReply:
      return absl::StrCat("a reply to rank ", PeerOf(user));
    case Kind::kFetch:
      return absl::StrCat("a get of a message of rank ", PeerOf(user));
    case Kind::kBarrier:
      return absl::StrCat("a vote in a barrier to rank ", PeerOf(user));
    default:
      return absl::StrCat("a system message to rank ", PeerOf(user));
  }
}

}  // namespace gasnet::portals_conduit
