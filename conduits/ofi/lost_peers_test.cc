// Tests of the errors that the end of a peer may cause.
#include "conduits/ofi/lost_peers.h"

#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

namespace gasnet::ofi {
namespace {

TEST(LostPeersTest, ErrorsOfConnectionsMayBeThePeersEnd) {
  EXPECT_TRUE(LostPeers::Explains(FI_ENOTCONN));
  EXPECT_TRUE(LostPeers::Explains(FI_ECONNRESET));
  EXPECT_TRUE(LostPeers::Explains(FI_ECANCELED));
  EXPECT_FALSE(LostPeers::Explains(FI_EIO));
  EXPECT_FALSE(LostPeers::Explains(FI_ETRUNC));
}

}  // namespace
}  // namespace gasnet::ofi
