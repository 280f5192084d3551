#include "conduits/ofi/agreement.h"

#include <gtest/gtest.h>
#include <rdma/fabric.h>

#include <string>
#include <string_view>
#include <vector>

namespace gasnet::ofi {
namespace {

ProviderFindings Of(std::string_view provider, uint16_t window = 100,
                    uint16_t least = 1, uint32_t frame_bytes = 1000) {
  ProviderFindings found = {};
  provider.copy(found.provider.data(), found.provider.size() - 1);
  found.window = window;
  found.least = least;
  found.frame_bytes = frame_bytes;
  found.version = FI_VERSION(1, 17);
  return found;
}

std::string Check(const std::vector<ProviderFindings>& all) {
  return std::string(CheckAlike(all).message());
}

TEST(AgreementTest, TheSameIsFine) {
  EXPECT_EQ(Check({Of("tcp")}), "");
  EXPECT_EQ(Check({Of("tcp"), Of("tcp"), Of("tcp")}), "");
}

TEST(AgreementTest, WhoHasWhatIsListed) {
  EXPECT_EQ(Check({Of("cxi"), Of("tcp;ofi_rxm"), Of("cxi"), Of("psm3")}),
            "the ranks of this job use different providers of libfabric, or "
            "providers that take different messages (rank 0 and 1 more: cxi of "
            "libfabric 1.17; rank 1: tcp;ofi_rxm of libfabric 1.17; "
            "rank 3: psm3 of libfabric 1.17); GASNET_OFI_PROVIDER names one "
            "for all");
}

TEST(AgreementTest, WhoHasNoneHearsWhatOthersHave) {
  EXPECT_EQ(WhatOthersHave(std::vector{Of(""), Of("")}), "");
  EXPECT_EQ(WhatOthersHave(std::vector{Of("cxi"), Of(""), Of("cxi")}),
            "; rank 0 and 1 more: cxi of libfabric 1.17; rank 1: none");
}

// ProviderFindings has members that limit senders. All ranks must have the same
// values of these members.
TEST(AgreementTest, RoomForMessagesIsTheSame) {
  EXPECT_NE(Check({Of("tcp"), Of("tcp", 99)}), "");
  EXPECT_NE(Check({Of("tcp"), Of("tcp", 100, 2)}), "");
  EXPECT_NE(Check({Of("tcp"), Of("tcp", 100, 1, 999)}), "");
}

}  // namespace
}  // namespace gasnet::ofi
