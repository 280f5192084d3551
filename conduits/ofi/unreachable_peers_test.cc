// Tests which errors may be due to the end of a peer.
#include "conduits/ofi/unreachable_peers.h"

#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

namespace gasnet::ofi {
namespace {

TEST(UnreachablePeersTest, ErrorsOfConnectionsMayBeThePeersEnd) {
  EXPECT_TRUE(UnreachablePeers::Explains(FI_ENOTCONN));
  EXPECT_TRUE(UnreachablePeers::Explains(FI_ECONNRESET));
  EXPECT_TRUE(UnreachablePeers::Explains(FI_ECANCELED));
  EXPECT_FALSE(UnreachablePeers::Explains(FI_EIO));
  EXPECT_FALSE(UnreachablePeers::Explains(FI_ETRUNC));
}

}  // namespace
}  // namespace gasnet::ofi
