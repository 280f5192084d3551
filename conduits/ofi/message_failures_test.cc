// Tests of messages over a fake fabric whose provider fails.
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

#include <array>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/test_ranks.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::FakeKind;
using testing::ShortOf;
using testing::TestRank;
using testing::TestRanks;

TEST(MessagesDeathTest, APostThatFailsEndsTheJob) {
  TestRanks ranks({}, 2);
  const std::array<int32_t, 2> args = {};
  ranks.fabric().RefusePosts(-FI_EIO);
  EXPECT_DEATH(ranks[0].Send(1, Lane::kRequest, ShortOf(args)),
               "request to rank 1 failed: Input/output error");
  EXPECT_DEATH(ranks[1].Send(0, Lane::kReply, ShortOf(args)),
               "reply to rank 0 failed: Input/output error");
}

// A message larger than the limit ends the job, because no receiver would
// accept it.
TEST(MessagesDeathTest, AMessageThatIsTooLargeEndsTheJob) {
  TestRanks ranks({}, 2);
  const std::vector<std::byte> payload(size_t{4} << 20);
  const auto send = [&](size_t nbytes) {
    return ranks[0].Send(1, Lane::kRequest,
                         {.category = am::Category::kMedium,
                          .payload = payload.data(),
                          .nbytes = nbytes});
  };
  EXPECT_EQ(send(ranks[0].messages().whole()), am::Post::kDone);
  EXPECT_DEATH(send(65'537), "message of 65537 bytes to rank 1: the limit");
  EXPECT_DEATH(send(payload.size()), "message of 4194304 bytes to rank 1");
}

// If a buffer cannot be posted again, messages for this buffer would never be
// received. So the job must end.
TEST(MessagesDeathTest, ABufferThatIsNotTakenBackEndsTheJob) {
  TestRanks ranks({.multi_receive = false}, 2);
  ranks.SetHandler([](TestRank&, const am::Incoming&) {});
  const std::array<int32_t, 2> args = {};
  ranks.SendPatiently(ranks[0], 1, Lane::kRequest, ShortOf(args));
  ranks.fabric().RefusePosts(-FI_EAGAIN);
  ranks.Settle();
  EXPECT_TRUE(ranks[1].messages().IsBehind());
  ranks.fabric().RefusePosts(-FI_EIO);
  EXPECT_DEATH(ranks.Settle(),
               "posting a receive buffer failed over libfabric's provider "
               "fake: Input/output error");
}

TEST(MessagesOverFakeTest, AFailedCompletionIsOfAKnownMessage) {
  TestRanks ranks({}, 2);
  ranks.SetHandler([](TestRank&, const am::Incoming&) {});
  const std::array<int32_t, 2> args = {};
  ranks.fabric().FailNext(FakeKind::kSend, FI_EIO);
  ranks.SendPatiently(ranks[0], 1, Lane::kRequest, ShortOf(args));
  ranks.Settle();
  EXPECT_EQ(ranks[0].failures,
            std::vector<std::string>{"request to rank 1: Input/output error "
                                     "(the fake was told to)"});
  ranks.fabric().FailNext(FakeKind::kReceive, FI_EIO);
  ranks.SendPatiently(ranks[0], 1, Lane::kReply, ShortOf(args));
  ranks.Settle();
  EXPECT_EQ(ranks[1].failures,
            std::vector<std::string>{"receiving: Input/output error "
                                     "(the fake was told to)"});
}

// The receive fails as if the sender's process had ended. The test repeats this
// failure more often than there are buffers.
TEST(MessagesOverFakeTest, ABufferWhoseSenderIsGoneServesAgain) {
  TestRanks ranks({.multi_receive = false}, 2);
  int arrived = 0;
  ranks.SetHandler([&](TestRank&, const am::Incoming&) { ++arrived; });
  const std::array<int32_t, 2> args = {};
  for (int i = 0; i < 3; ++i) {
    ranks.fabric().FailNext(FakeKind::kReceive, FI_ECONNRESET);
    ranks.SendPatiently(ranks[0], 1, Lane::kRequest, ShortOf(args));
    ranks.Settle();
    EXPECT_EQ(arrived, i);
    ranks.SendPatiently(ranks[0], 1, Lane::kRequest, ShortOf(args));
    ranks.Settle();
    EXPECT_EQ(arrived, i + 1);
  }
  EXPECT_TRUE(ranks[1].failures.empty());
}

TEST(MessagesOverFakeTest, StartFailsWhereMemoryIsRefused) {
  testing::FakeFabric fabric({.mr_mode = FI_MR_LOCAL, .fails = "fi_mr_reg"});
  const MessageLimits limits = testing::SmallLimits(2, true);
  TestRank rank(fabric, limits, 0, 2);
  const absl::Status started = rank.messages().Start();
  EXPECT_NE(started.message().find("cannot register"), std::string::npos)
      << started;
}

TEST(MessagesOverFakeTest, StartFailsWhereBuffersAreRefused) {
  testing::FakeFabric fabric({});
  const MessageLimits limits = testing::SmallLimits(2, true);
  TestRank rank(fabric, limits, 0, 2);
  fabric.RefusePosts(-FI_EIO);
  EXPECT_EQ(rank.messages().Start().message(),
            "libfabric takes no receive buffer: Input/output error");
}

}  // namespace
}  // namespace gasnet::ofi
