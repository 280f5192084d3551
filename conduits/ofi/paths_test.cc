// Tests of the decisions that follow from a provider's guarantees.
#include "conduits/ofi/paths.h"

#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <string>

#include "conduits/ofi/library.h"

namespace gasnet::ofi {
namespace {

class PathsTest : public ::testing::Test {
 protected:
  PathsTest() {
    info_.tx_attr = &tx_;
    info_.rx_attr = &rx_;
    info_.ep_attr = &ep_;
    info_.domain_attr = &domain_;
    info_.fabric_attr = &fabric_;
    fabric_.prov_name = name_;
    tx_.size = 100;
    tx_.inject_size = 64;
    ep_.max_msg_size = 4096;
    domain_.resource_mgmt = FI_RM_ENABLED;
  }
  Paths Make(const Wishes& wishes = {}) const { return Paths(info_, wishes); }
  // Returns the registration demands that follow from a mode, in a fixed order.
  std::string Demands(int mr_mode) {
    domain_.mr_mode = mr_mode;
    const Paths paths = Make();
    return std::string(paths.local_registration ? "L" : "") +
           (paths.virtual_addresses ? "V" : "") +
           (paths.provider_keys ? "K" : "") +
           (paths.endpoint_registration ? "E" : "") +
           (paths.allocated ? "A" : "");
  }

  fi_info info_ = {};
  fi_tx_attr tx_ = {};
  fi_rx_attr rx_ = {};
  fi_ep_attr ep_ = {};
  fi_domain_attr domain_ = {};
  fi_fabric_attr fabric_ = {};
  char name_[4] = "tcp";
  char bad_[4] = "net";
};

TEST_F(PathsTest, EachDemandOfRegistrationIsSeen) {
  EXPECT_EQ(Demands(0), "");
  EXPECT_EQ(Demands(FI_MR_LOCAL), "L");
  EXPECT_EQ(Demands(FI_MR_VIRT_ADDR), "V");
  EXPECT_EQ(Demands(FI_MR_PROV_KEY), "K");
  EXPECT_EQ(Demands(FI_MR_ENDPOINT), "E");
  EXPECT_EQ(Demands(FI_MR_ALLOCATED), "A");
  EXPECT_EQ(Demands(FI_MR_LOCAL | FI_MR_ENDPOINT), "LE");
}

TEST_F(PathsTest, BasicStandsForThreeDemands) {
  EXPECT_EQ(Demands(kBasicRegistration), "VKA");
  // The value of FI_MR_SCALABLE, a name that old headers use.
  constexpr int kScalable = 1 << 1;
  EXPECT_EQ(Demands(kScalable), "");
}

TEST_F(PathsTest, BuffersTakeManyMessagesWhereThatIsGranted) {
  EXPECT_FALSE(Make().frames.multiple);
  info_.caps = FI_MULTI_RECV;
  EXPECT_TRUE(Make().frames.multiple);
}

TEST_F(PathsTest, LongsGoBehindTheirPayloadsWhereBothSidesKeepTheOrder) {
  tx_.msg_order = FI_ORDER_SAW;
  EXPECT_EQ(Make().long_path, LongPath::kInTwoSteps);
  rx_.msg_order = FI_ORDER_SAW | FI_ORDER_SAS;
  EXPECT_EQ(Make().long_path, LongPath::kOrdered);
  tx_.msg_order = FI_ORDER_SAS;
  EXPECT_EQ(Make().long_path, LongPath::kInTwoSteps);
}

TEST_F(PathsTest, FencesCountWhereThereIsNoOrder) {
  info_.caps = FI_FENCE;
  EXPECT_EQ(Make().long_path, LongPath::kFenced);
  tx_.msg_order = rx_.msg_order = FI_ORDER_SAW;
  EXPECT_EQ(Make().long_path, LongPath::kOrdered);
}

TEST_F(PathsTest, LimitsAreTheProviders) {
  EXPECT_EQ(Make().inject_bytes, 64u);
  EXPECT_EQ(Make().most_bytes, 4096u);
  EXPECT_EQ(Make().most_posted, 100u);
  tx_.size = size_t{1} << 20;
  EXPECT_EQ(Make().most_posted, 1024u);
}

TEST_F(PathsTest, MessagesKeepToWhatTheProviderTakes) {
  EXPECT_EQ(Make().frames.most_bytes, 4096u);
  EXPECT_EQ(Make().frames.receives, SIZE_MAX) << "it does not say";
  rx_.size = 77;
  EXPECT_EQ(Make().frames.receives, 77u);
  EXPECT_TRUE(Make().frames.managed);
  domain_.resource_mgmt = FI_RM_DISABLED;
  EXPECT_FALSE(Make().frames.managed);
  EXPECT_NE(Make().ToString().find("queues kept from"), std::string::npos);
}

// If a provider does not manage resources, it need not refuse a post when the
// queue is full.
TEST_F(PathsTest, SendsAndTransfersShareAQueueThatIsNotManaged) {
  EXPECT_EQ(Make().frames.sends, SIZE_MAX);
  domain_.resource_mgmt = FI_RM_DISABLED;
  EXPECT_EQ(Make().frames.sends, 50u);
  EXPECT_EQ(Make().most_posted, 50u);
  tx_.size = 1200;
  EXPECT_EQ(Make().frames.sends, 512u);
  EXPECT_EQ(Make().most_posted, 688u);
}

TEST_F(PathsTest, MessagesAreInjectedWhereBothSidesKeepTheirOrder) {
  EXPECT_EQ(Make().frames.inject_bytes, 0u);
  tx_.msg_order = FI_ORDER_SAS;
  EXPECT_EQ(Make().frames.inject_bytes, 0u);
  rx_.msg_order = FI_ORDER_SAS | FI_ORDER_SAW;
  EXPECT_EQ(Make().frames.inject_bytes, 64u);
  EXPECT_NE(Make().ToString().find("inject 64 bytes, of messages too;"),
            std::string::npos);
  domain_.resource_mgmt = FI_RM_DISABLED;
  EXPECT_EQ(Make().frames.inject_bytes, 0u);
  EXPECT_EQ(Make().inject_bytes, 64u) << "of puts";
}

TEST_F(PathsTest, PutsAreCompleteAsTheProviderDoesItBest) {
  EXPECT_EQ(Make().remote_completion, RemoteCompletion::kDelivery);
  char verbs[] = "verbs;ofi_rxm";
  fabric_.prov_name = verbs;
  EXPECT_EQ(Make().remote_completion, RemoteCompletion::kTransmit);
  EXPECT_EQ(Make({.remote_completion = RemoteCompletion::kDelivery})
                .remote_completion,
            RemoteCompletion::kDelivery);
}

TEST_F(PathsTest, TheWishForPutsIsFollowed) {
  EXPECT_EQ(Make({.remote_completion = RemoteCompletion::kDelivery})
                .remote_completion,
            RemoteCompletion::kDelivery);
  EXPECT_EQ(Make({.remote_completion = RemoteCompletion::kTransmit})
                .remote_completion,
            RemoteCompletion::kTransmit);
}

// A provider that keeps reads behind puts must report the maximum size of puts
// for which it does so.
TEST_F(PathsTest, ReadsShowThatPutsAreCompleteWhereTheyStayBehindThem) {
  ep_.max_order_raw_size = 1000;
  EXPECT_EQ(Make().flushed_bytes, 0u);
  for (const uint64_t order :
       {uint64_t{FI_ORDER_RMA_RAW}, uint64_t{FI_ORDER_RAW}}) {
    tx_.msg_order = order;
    rx_.msg_order = FI_ORDER_SAS;
    EXPECT_EQ(Make().flushed_bytes, 0u);
    rx_.msg_order = order;
    const Paths paths = Make({.remote_completion = RemoteCompletion::kRead});
    EXPECT_EQ(paths.flushed_bytes, 1000u);
    EXPECT_EQ(paths.remote_completion, RemoteCompletion::kRead);
    EXPECT_NE(paths.ToString().find("complete by a read behind them"),
              std::string::npos);
  }
}

TEST_F(PathsTest, SleepersUseTheDescriptorUnlessItIsBadOrNotWished) {
  EXPECT_TRUE(Make().descriptor);
  EXPECT_FALSE(Make({.waiting = WaitStrategy::kNaps}).descriptor);
  fabric_.prov_name = bad_;
  EXPECT_FALSE(Make().descriptor);
}

TEST_F(PathsTest, AllOfItIsTold) {
  EXPECT_EQ(Make().ToString(),
            "puts complete by delivery; Longs in two steps; single receive "
            "buffers; inject 64 bytes; largest 4096; memory");
  info_.caps = FI_MULTI_RECV | FI_FENCE;
  domain_.mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED |
                    FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  EXPECT_EQ(Make({.remote_completion = RemoteCompletion::kTransmit}).ToString(),
            "puts complete by transmission; Longs fenced; multiple receive "
            "buffers; inject 64 bytes; largest 4096; memory local virtual "
            "provider-keys allocated endpoint");
  tx_.msg_order = rx_.msg_order = FI_ORDER_SAW;
  EXPECT_NE(Make().ToString().find("Longs ordered"), std::string::npos);
}

}  // namespace
}  // namespace gasnet::ofi
