// Tests of small messages that the provider injects, over the fake fabric:
// which messages are injected, and how this rank learns that they have left.
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/round_up.h"
#include "conduits/ofi/frame.h"
#include "conduits/ofi/message_limits.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/test_ranks.h"
#include "conduits/ofi/tuning.h"
#include "core/am/records.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::FakeFabricOptions;
using testing::FakeKind;
using testing::Flood;
using testing::MediumOf;
using testing::ShortOf;
using testing::TestRank;
using testing::TestRanks;

constexpr std::array<int32_t, 2> kArgs = {1, 2};

class InjectedMessagesTest : public ::testing::Test {
 protected:
  // The windows have room for more messages than may be injected in a row.
  explicit InjectedMessagesTest(
      const FakeFabricOptions& options = {.order = FI_ORDER_SAS})
      : ranks_(options, 2, MessageLimits(1, {})) {
    ranks_.SetHandler([this](TestRank&, const am::Incoming&) { ++handled_; });
  }

  OfiMessages& messages() { return ranks_[0].messages(); }
  am::Post SendShort(Lane lane = Lane::kRequest) {
    return ranks_[0].Send(1, lane, ShortOf(kArgs));
  }
  void SendShorts(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_EQ(SendShort(), am::Post::kDone) << i;
    }
  }
  uint64_t Injected() { return ranks_.fabric().counts().injected; }
  uint64_t Posts() { return ranks_.fabric().counts().posts; }
  void PollAWhile() {
    for (int i = 0; i < 100; ++i) ranks_.PollAll();
  }

  TestRanks ranks_;
  unsigned handled_ = 0;
};

TEST_F(InjectedMessagesTest, AreThoseWhoseFramesTheProviderInjects) {
  const size_t most = FakeFabricOptions{}.inject_bytes;
  unsigned small = 0;
  for (size_t nbytes = 0; nbytes < 2 * most; ++nbytes) {
    const std::vector<std::byte> payload(nbytes);
    const am::Message message = MediumOf(payload);
    const size_t frame = RoundUp(
        am::RecordLayout::Of(kFrameHeaderBytes, message).end, size_t{16});
    const uint64_t before = Injected();
    ASSERT_EQ(ranks_[0].Send(1, Lane::kRequest, message), am::Post::kDone);
    EXPECT_EQ(Injected() - before, frame <= most ? 1u : 0u) << nbytes;
    small += frame <= most;
    ranks_.Settle();
  }
  EXPECT_GT(small, 8u);
  EXPECT_EQ(handled_, 2 * most);
}

TEST_F(InjectedMessagesTest, NeedNoSendBufferAndNoCompletion) {
  SendShorts(3);
  EXPECT_EQ(Injected(), 3u);
  EXPECT_EQ(messages().under_way(), 1u) << "a peer that is to be asked about";
  PollAWhile();
  EXPECT_EQ(handled_, 3u);
  EXPECT_EQ(messages().under_way(), 1u);
  EXPECT_EQ(Posts(), 3u);
}

// A rank that does not poll does not learn that its messages have left.
TEST_F(InjectedMessagesTest, AreSoManyInARowAndThenOthersUntilTheyHaveLeft) {
  SendShorts(kMaxInjected);
  EXPECT_EQ(Injected(), kMaxInjected);
  SendShorts(10);
  EXPECT_EQ(Injected(), kMaxInjected);
  EXPECT_EQ(messages().under_way(), 10u);
  PollAWhile();
  EXPECT_EQ(messages().under_way(), 0u);
  SendShorts(1);
  EXPECT_EQ(Injected(), kMaxInjected + 1);
  ranks_.Settle();
  EXPECT_EQ(handled_, kMaxInjected + 11);
}

TEST_F(InjectedMessagesTest, AMarkShowsThatTheyHaveLeft) {
  SendShorts(5);
  messages().AskForInjected(0);
  messages().AskForInjected(0);
  EXPECT_EQ(Posts(), 6u) << "one mark for all";
  EXPECT_EQ(messages().under_way(), 1u);
  PollAWhile();
  EXPECT_EQ(messages().under_way(), 0u);
  EXPECT_EQ(handled_, 5u) << "it is no message";
  EXPECT_EQ(ranks_[1].failures, std::vector<std::string>{});
}

TEST_F(InjectedMessagesTest, AnyLaterSendIsAMark) {
  SendShorts(5);
  const std::vector<std::byte> payload(1000);
  ranks_.SendPatiently(ranks_[0], 1, Lane::kReply, MediumOf(payload));
  EXPECT_EQ(messages().under_way(), 1u);
  PollAWhile();
  EXPECT_EQ(messages().under_way(), 0u);
  EXPECT_EQ(Posts(), 6u);
}

TEST_F(InjectedMessagesTest, AreAskedAboutOnceTheNewestIsSoOld) {
  const auto is_to = [](Rank wanted) {
    return [wanted](Rank rank) { return rank == wanted; };
  };
  SendShorts(1);
  ranks_[0].clock().now += 1;
  SendShorts(1);
  ranks_[0].clock().now += 1;
  messages().AskForInjected(2);
  EXPECT_EQ(Posts(), 2u);
  EXPECT_TRUE(messages().IsUnderWayTo(is_to(1)));
  EXPECT_FALSE(messages().IsUnderWayTo(is_to(0)));
  ranks_[0].clock().now += 1;
  messages().AskForInjected(2);
  EXPECT_EQ(Posts(), 3u);
  EXPECT_TRUE(messages().IsUnderWayTo(is_to(1)));
  PollAWhile();
  EXPECT_FALSE(messages().IsUnderWayTo(is_to(1)));
}

// Sends more marks than any window has room for.
TEST(InjectedOverFakeTest, TheCreditOfMarksComesBack) {
  TestRanks ranks({.order = FI_ORDER_SAS}, 2);
  unsigned handled = 0;
  ranks.SetHandler([&](TestRank&, const am::Incoming&) { ++handled; });
  const unsigned rounds = 2u * ranks.limits().window;
  for (unsigned i = 0; i < rounds; ++i) {
    ASSERT_EQ(ranks[0].Send(1, Lane::kRequest, ShortOf(kArgs)), am::Post::kDone)
        << i;
    ranks.Settle();
  }
  EXPECT_EQ(handled, rounds);
  EXPECT_EQ(ranks.fabric().counts().injected, rounds);
  EXPECT_GE(ranks.fabric().counts().posts, 2 * rounds);
  EXPECT_EQ(ranks.fabric().counts().unexpected, 0u);
}

// A mark can be sent regardless of how much of the window is used.
TEST(InjectedOverFakeTest, ThereIsAlwaysCreditForAMark) {
  for (unsigned sent = 1; sent <= 5; ++sent) {
    FakeFabricOptions options = {.order = FI_ORDER_SAS, .multi_receive = false};
    TestRanks ranks(options, 2);  // windows of four frames
    ranks.SetHandler([](TestRank&, const am::Incoming&) {});
    for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
      for (unsigned i = 0; i < sent; ++i) {
        ranks[0].Send(1, lane, ShortOf(kArgs));
      }
      ranks[0].messages().AskForInjected(0);
      const auto polls_alone = [&] {
        for (int i = 0; i < 100; ++i) ranks[0].Poll();
      };
      polls_alone();
      EXPECT_EQ(ranks[0].messages().under_way(), 0u) << sent;
    }
    EXPECT_EQ(ranks.fabric().counts().unexpected, 0u);
  }
}

TEST_F(InjectedMessagesTest, OneThatIsRefusedCostsNothing) {
  const std::string name = ranks_[1].endpoint().name();
  ranks_.fabric().Block(name, true);
  for (size_t i = 0; i < 2 * ranks_.limits().sends + ranks_.limits().window;
       ++i) {
    ASSERT_EQ(SendShort(), am::Post::kRetry);
  }
  EXPECT_TRUE(messages().IsBehind());
  EXPECT_EQ(messages().under_way(), 0u);
  ranks_.fabric().Block(name, false);
  SendShorts(kMaxInjected);
  EXPECT_FALSE(messages().IsBehind());
  EXPECT_EQ(Injected(), kMaxInjected);
}

TEST_F(InjectedMessagesTest, AMarkThatIsRefusedIsSentLater) {
  SendShorts(1);
  const std::string name = ranks_[1].endpoint().name();
  ranks_.fabric().Block(name, true);
  for (unsigned i = 0; i < 2u * ranks_.limits().window; ++i) {
    messages().AskForInjected(0);
  }
  EXPECT_EQ(Posts(), 1u);
  EXPECT_EQ(messages().under_way(), 1u);
  ranks_.fabric().Block(name, false);
  ranks_.Settle();
  EXPECT_EQ(Posts(), 2u);
  EXPECT_EQ(messages().under_way(), 0u);
}

TEST_F(InjectedMessagesTest, ANamelessFailureIsTold) {
  ranks_.fabric().FailNext(FakeKind::kSend, FI_EIO);
  SendShorts(1);
  PollAWhile();
  EXPECT_EQ(ranks_[0].failures,
            std::vector<std::string>{"nobody: Input/output error (the fake was "
                                     "told to)"});
}

// Some providers do not report that an injected message has failed. The mark
// behind the message then fails, and its error names the peer.
TEST(InjectedOverFakeTest, TheMarkBehindAFailureNamesThePeer) {
  TestRanks ranks({.order = FI_ORDER_SAS, .silent_injects = true}, 2);
  ranks.SetHandler([](TestRank&, const am::Incoming&) {});
  ranks.fabric().FailNext(FakeKind::kSend, FI_ECONNRESET);
  ASSERT_EQ(ranks[0].Send(1, Lane::kReply, ShortOf(kArgs)), am::Post::kDone);
  for (int i = 0; i < 100; ++i) ranks.PollAll();
  EXPECT_EQ(ranks[0].failures, std::vector<std::string>{});
  ranks.fabric().FailNext(FakeKind::kSend, FI_ECONNRESET);
  ranks[0].messages().AskForInjected(0);
  for (int i = 0; i < 100; ++i) ranks.PollAll();
  EXPECT_EQ(ranks[0].failures,
            std::vector<std::string>{
                "reply to rank 1: Connection reset by peer (the fake was told "
                "to)"});
}

TEST_F(InjectedMessagesTest, APostThatFailsEndsTheJob) {
  ranks_.fabric().RefusePosts(-FI_EIO);
  EXPECT_DEATH(SendShort(), "request to rank 1 failed: Input/output error");
}

class UninjectedMessagesTest
    : public InjectedMessagesTest,
      public ::testing::WithParamInterface<FakeFabricOptions> {
 protected:
  UninjectedMessagesTest() : InjectedMessagesTest(GetParam()) {}
};

TEST_P(UninjectedMessagesTest, AreAllWhereNothingTellsThatTheyHaveLeft) {
  SendShorts(3);
  EXPECT_EQ(Injected(), 0u);
  EXPECT_EQ(messages().under_way(), 3u);
  messages().AskForInjected(0);
  EXPECT_EQ(Posts(), 3u);
  PollAWhile();
  EXPECT_EQ(messages().under_way(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Providers, UninjectedMessagesTest,
    ::testing::Values(
        FakeFabricOptions{}, FakeFabricOptions{.order = FI_ORDER_SAW},
        FakeFabricOptions{.order = FI_ORDER_SAS, .managed = false},
        FakeFabricOptions{.order = FI_ORDER_SAS, .inject_bytes = 0}));

}  // namespace
}  // namespace gasnet::ofi
