// Tests puts over the fake fabric. A read is posted behind the puts. They are
// complete when the read is answered.
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

#include <memory>
#include <vector>

#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/transfer_ranks.h"
#include "conduits/ofi/transfers.h"

namespace gasnet::ofi {
namespace {

using testing::FakeFabricOptions;
using testing::TransferRanks;

FakeFabricOptions Flushing(FakeFabricOptions options = {}) {
  options.order = FI_ORDER_RMA_RAW;
  options.wishes.remote_completion = RemoteCompletion::kRead;
  return options;
}

class FlushesTest : public ::testing::Test {
 protected:
  void Make(const FakeFabricOptions& options, Rank ranks = 2) {
    ranks_ = std::make_unique<TransferRanks>(options, ranks);
  }
  rma::PostState Put(Rank to, size_t nbytes = 8) {
    return (*ranks_)[0]
        .Post(rma::Put{to, ranks_->Memory(to), ranks_->Memory(0), nbytes,
                       &complete_, nullptr})
        .state;
  }
  uint64_t posts() { return ranks_->fabric().counts().posts; }

  std::unique_ptr<TransferRanks> ranks_;
  rma::PendingCount complete_;
};

TEST_F(FlushesTest, OneReadIsOfManyPuts) {
  Make(Flushing());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Put(1), rma::PostState::kPosted);
  // The first put has its own read. That read is under way.
  EXPECT_EQ(posts(), 101u);
  ranks_->Await(complete_);
  EXPECT_EQ(posts(), 102u);
  EXPECT_EQ((*ranks_)[0].under_way(), 0u);
}

TEST_F(FlushesTest, EachPeerHasItsOwn) {
  constexpr Rank kRanks = 5;
  Make(Flushing(), kRanks);
  for (int i = 0; i < 10; ++i) {
    for (Rank to = 1; to < kRanks; ++to) {
      ASSERT_EQ(Put(to), rma::PostState::kPosted);
    }
  }
  EXPECT_EQ(posts(), 10u * (kRanks - 1) + (kRanks - 1));
  ranks_->Await(complete_);
  EXPECT_EQ((*ranks_)[0].under_way(), 0u);
}

// One descriptor is kept for reads. Otherwise puts to several peers could use
// all descriptors before any of their reads is posted, and wait forever.
TEST_F(FlushesTest, ADescriptorIsKeptForTheRead) {
  constexpr Rank kRanks = 5;
  Make(Flushing({.most_posted = 3}), kRanks);
  for (int round = 0; round < 1000; ++round) {
    const Rank to = 1 + static_cast<Rank>(round) % (kRanks - 1);
    if (Put(to) == rma::PostState::kRetry && round % 8 == 0) {
      ranks_->ranks().PollAll();
    }
  }
  ranks_->Await(complete_);
  EXPECT_EQ((*ranks_)[0].under_way(), 0u);
}

TEST_F(FlushesTest, ARefusedReadIsPostedLater) {
  Make(Flushing({.late = 0}));
  ASSERT_EQ(Put(1), rma::PostState::kPosted);
  ASSERT_EQ(Put(1), rma::PostState::kPosted);
  ranks_->fabric().RefusePosts(-FI_EAGAIN);
  for (int i = 0; i < 100; ++i) ranks_->PollAll();
  EXPECT_FALSE(complete_.IsOver());
  // A waiting thread must not sleep, because no event would wake it.
  EXPECT_TRUE((*ranks_)[0].IsBehind());
  ranks_->fabric().RefusePosts(0);
  ranks_->Await(complete_);
  EXPECT_FALSE((*ranks_)[0].IsBehind());
}

TEST_F(FlushesTest, PutsToAPeerThatHasLeftEndThoughTheReadIsRefused) {
  Make(Flushing({.late = 0}));
  ASSERT_EQ(Put(1), rma::PostState::kPosted);
  ASSERT_EQ(Put(1), rma::PostState::kPosted);
  ranks_->fabric().RefusePosts(-FI_EAGAIN);
  for (int i = 0; i < 100; ++i) ranks_->PollAll();
  OfiTransfers& mine = (*ranks_)[0];
  EXPECT_EQ(mine.EndLost([](Rank) { return false; }), 0u);
  EXPECT_FALSE(complete_.IsOver());
  EXPECT_EQ(mine.EndLost([](Rank peer) { return peer == 1; }), 1u);
  EXPECT_TRUE(complete_.IsOver());
  EXPECT_EQ(mine.under_way(), 0u);
  EXPECT_FALSE(mine.HasRefused());
}

// The put and the read behind it fail one after the other. Descriptors are used
// in turn, so either error may come first.
TEST_F(FlushesTest, ALostPutEndsOnce) {
  Make(Flushing({.late = 0}));
  OfiTransfers& mine = (*ranks_)[0];
  ranks_->ranks()[0].on_transfer = [&mine](OperationContext& context) {
    OfiTransfers::Lose(context);
    EXPECT_EQ(mine.EndLost([](Rank) { return true; }), 1u);
  };
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(Put(1), rma::PostState::kPosted);
    EXPECT_FALSE(complete_.IsOver());
    ranks_->Await(complete_);
    EXPECT_EQ(mine.under_way(), 0u);
  }
}

TEST_F(FlushesTest, LargerPutsThanAReadShowsAreComplete) {
  Make(Flushing({.raw_bytes = 1000}));
  ASSERT_EQ(Put(1, 1001), rma::PostState::kPosted);
  EXPECT_EQ(posts(), 1u);
  ASSERT_EQ(Put(1, 1000), rma::PostState::kPosted);
  EXPECT_EQ(posts(), 3u);
  ranks_->Await(complete_);
}

}  // namespace
}  // namespace gasnet::ofi
