// Tests single posts over the fake fabric: when sources are reusable, when
// posts have to wait, and the error messages.
#include <gtest/gtest.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_errno.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/ofi/failure.h"
#include "conduits/ofi/testing/fake_fabric.h"
#include "conduits/ofi/testing/transfer_ranks.h"
#include "conduits/ofi/transfers.h"

namespace gasnet::ofi {
namespace {

using am::Lane;
using testing::FakeKind;
using testing::TestRank;
using testing::TransferRanks;

rma::Put PutOf(TransferRanks& ranks, const void* source, size_t nbytes,
               rma::PendingCount* complete, rma::PendingCount* sources) {
  return {1, ranks.Memory(1), source, nbytes, complete, sources};
}

TEST(TransfersOverFakeTest, SmallSourcesAreInjected) {
  TransferRanks ranks({.inject_bytes = 100}, 2);
  std::vector<std::byte> source(101);
  rma::PendingCount complete, sources;
  ranks.PostAll(0, PutOf(ranks, source.data(), 100, &complete, &sources));
  EXPECT_TRUE(sources.IsOver());
  EXPECT_FALSE(complete.IsOver());
  EXPECT_EQ(ranks.fabric().counts().injected, 1u);
  ranks.PostAll(0, PutOf(ranks, source.data(), 101, &complete, &sources));
  EXPECT_TRUE(sources.IsOver()) << "copied";
  ranks.PostAll(0, PutOf(ranks, source.data(), 8, &complete, nullptr));
  EXPECT_EQ(ranks.fabric().counts().injected, 1u);
  ranks.Await(complete);
}

TEST(TransfersOverFakeTest, LargeSourcesAreTheCallersUntilTheyAreRead) {
  TransferRanks ranks({}, 2);
  std::vector<std::byte> source(65537);
  rma::PendingCount complete, sources;
  ranks.PostAll(0, PutOf(ranks, source.data(), 65537, &complete, &sources));
  EXPECT_FALSE(sources.IsOver());
  ranks.Await(complete);
  EXPECT_TRUE(sources.IsOver());
}

TEST(TransfersOverFakeTest, PostsWaitForBounceBuffers) {
  TransferRanks ranks({.mr_mode = FI_MR_LOCAL, .inject_bytes = 0}, 2);
  std::vector<std::byte> source(64), dest(64);
  rma::PendingCount complete;
  unsigned posted = 0;
  const rma::Put put = PutOf(ranks, source.data(), 64, &complete, nullptr);
  while (ranks[0].Post(put).state == rma::PostState::kPosted) ++posted;
  EXPECT_GE(posted, 4u);
  EXPECT_EQ(ranks[0].under_way(), posted);
  const rma::Get get = {1, dest.data(), ranks.Memory(1), 64, &complete};
  EXPECT_EQ(ranks[0].Post(get).state, rma::PostState::kRetry);
  // A transfer that needs no bounce buffer is accepted.
  const rma::Put own = PutOf(ranks, ranks.Memory(0), 64, &complete, nullptr);
  EXPECT_EQ(ranks[0].Post(own).state, rma::PostState::kPosted);
  ranks.Await(complete);
  EXPECT_EQ(ranks[0].Post(get).state, rma::PostState::kPosted);
  ranks.Await(complete);
  EXPECT_EQ(ranks[0].under_way(), 0u);
}

TEST(TransfersOverFakeTest, PostsWaitForDescriptors) {
  TransferRanks ranks({.most_posted = 5}, 2);
  rma::PendingCount complete;
  const rma::Put put = PutOf(ranks, ranks.Memory(0), 64, &complete, nullptr);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ranks[0].Post(put).state, rma::PostState::kPosted);
  }
  EXPECT_EQ(ranks[0].Post(put).state, rma::PostState::kRetry);
  EXPECT_EQ(ranks[0].under_way(), 5u);
  ranks.Await(complete);
}

// A refused post keeps no resource.
TEST(TransfersOverFakeTest, RefusedPostsKeepNothing) {
  TransferRanks ranks({.mr_mode = FI_MR_LOCAL}, 2);
  std::vector<std::byte> other(4096);
  rma::PendingCount complete, sources;
  ranks.fabric().RefusePosts(-FI_EAGAIN);
  for (int i = 0; i < 2000; ++i) {
    const size_t nbytes = i % 3 == 0 ? 8 : 4096;
    EXPECT_EQ(ranks[0]
                  .Post(PutOf(ranks, other.data(), nbytes, &complete, &sources))
                  .state,
              rma::PostState::kRetry);
    EXPECT_EQ(
        ranks[0]
            .Post(rma::Get{1, other.data(), ranks.Memory(1), 4096, &complete})
            .state,
        rma::PostState::kRetry);
  }
  EXPECT_TRUE(complete.IsOver());
  EXPECT_TRUE(sources.IsOver());
  EXPECT_EQ(ranks[0].under_way(), 0u);
  // A waiting thread must not sleep, because no event would wake it.
  EXPECT_TRUE(ranks[0].IsBehind());
  ranks.fabric().RefusePosts(0);
  ranks.PostAll(0, PutOf(ranks, other.data(), 4096, &complete, &sources));
  EXPECT_FALSE(ranks[0].IsBehind());
  ranks.Await(complete);
}

TEST(TransfersOverFakeTest, OnlySegmentsAreReached) {
  TransferRanks ranks({}, 2);
  EXPECT_TRUE(ranks[0].Reaches(1));
  EXPECT_FALSE(ranks[0].Reaches(2));
  OfiTransfers without(ranks.ranks()[0].endpoint(), ranks.ranks()[0].clock());
  EXPECT_FALSE(without.Reaches(0));
  without.SetMemory({}, {}, std::vector<RemoteMemory>(2));
  EXPECT_FALSE(without.Reaches(1));
}

// Sends headers whose payloads go ahead as puts, in many trials. Returns the
// number of trials in which the payload is missing when the header is handled.
int CountLate(const testing::FakeFabricOptions& options, size_t nbytes) {
  TransferRanks ranks(options, 2);
  std::vector<std::byte> payload(nbytes);
  int late = 0, handled = 0;
  ranks.ranks().SetHandler([&](TestRank& at, const am::Incoming& message) {
    ++handled;
    EXPECT_EQ(message.nbytes, nbytes);
    late += std::memcmp(at.memory().data(), payload.data(), nbytes) != 0;
  });
  for (int round = 1; round <= 50; ++round) {
    std::memset(payload.data(), round, nbytes);
    rma::PendingCount complete;
    ranks.PostAll(0, rma::Put{1, ranks.Memory(1), payload.data(), nbytes,
                              &complete, nullptr});
    const am::Message header = {.category = am::Category::kLong,
                                .handler = testing::kTestHandler,
                                .payload_sent = true,
                                .payload = payload.data(),
                                .nbytes = nbytes,
                                .dest_addr = ranks.Memory(1)};
    ranks.ranks().SendPatiently(ranks.ranks()[0], 1, Lane::kRequest, header);
    ranks.ranks().Settle();
    EXPECT_TRUE(complete.IsOver());
    EXPECT_EQ(handled, round);
  }
  return late;
}

// The smaller payload takes one transfer, and the larger payload several.
TEST(TransfersOverFakeTest, AHeaderStaysBehindItsPayloadWhereThatIsGranted) {
  for (const size_t nbytes : {1000, 100000}) {
    testing::FakeFabricOptions options = {
        .late = 8, .again = 5, .most_bytes = 30000};
    EXPECT_GT(CountLate(options, nbytes), 0) << "the fake keeps no order";
    options.order = FI_ORDER_SAW;
    EXPECT_EQ(CountLate(options, nbytes), 0);
  }
}

// Verifies that the fake reveals code that takes transmission for delivery.
// This code is right only for some providers.
TEST(TransfersOverFakeTest, TransmissionIsLessThanDelivery) {
  testing::FakeFabric fabric({.late = 10});
  Info info = fabric.info();
  const Paths paths(*info, {.remote_completion = RemoteCompletion::kTransmit});
  const auto opened =
      OfiEndpoint::Open(fabric.library(), std::move(info), paths,
                        {.queue = 64, .frame_bytes = 256});
  ASSERT_TRUE(opened.ok());
  OfiEndpoint& endpoint = **opened;
  const std::vector<std::string> names = {endpoint.name()};
  ASSERT_TRUE(endpoint.SetPeers(names).ok());
  std::vector<std::byte> memory(2048);
  const Segment segment = {reinterpret_cast<uintptr_t>(memory.data()),
                           memory.size()};
  const absl::StatusOr<Registered> made = endpoint.RegisterSegment(segment);
  ASSERT_TRUE(made.ok());
  const Seconds clock;
  OfiTransfers transfers(endpoint, clock);
  transfers.SetMemory(segment, *made, {{made->key, 0, segment}});
  rma::PendingCount complete;
  for (int i = 0; i < 50; ++i) {
    const rma::Put put = {0, &memory[1024], memory.data(),
                          8, &complete,     nullptr};
    ASSERT_EQ(transfers.Post(put).state, rma::PostState::kPosted);
    fi_cq_data_entry entry;
    while (!complete.IsOver() || fabric.under_way() > 0) {
      if (fi_cq_read(endpoint.queue(), &entry, 1) == 1) {
        transfers.Complete(*static_cast<OperationContext*>(entry.op_context));
      }
    }
  }
  EXPECT_GT(fabric.counts().late_writes, 0u);
}

// Some providers never report a put to a rank that has left. Other providers
// report it later, when nothing waits for it any more.
TEST(LeftTest, APutToARankThatHasLeftIsOverAfterAWhile) {
  TransferRanks ranks({.late = 1000, .most_posted = 2}, 3);
  const auto has_left = [](Rank peer) { return peer == 1; };
  rma::PendingCount lost;
  rma::PendingCount kept;
  rma::Put put = PutOf(ranks, ranks.Memory(0), 9, &lost, nullptr);
  ASSERT_EQ(ranks[0].Post(put).state, rma::PostState::kPosted);
  rma::Put other = put;
  other.peer = 2;
  other.dest = ranks.Memory(2);
  other.complete = &kept;
  ASSERT_EQ(ranks[0].Post(other).state, rma::PostState::kPosted);
  EXPECT_EQ(ranks[0].EndLeft(has_left), 0u) << "a completion takes a moment";
  ranks.ranks()[0].clock().now += kPatienceWithLeft;
  EXPECT_EQ(ranks[0].EndLeft(has_left), 1u);
  EXPECT_TRUE(lost.IsOver());
  EXPECT_FALSE(kept.IsOver());
  EXPECT_EQ(ranks[0].EndLeft(has_left), 0u) << "once";
  EXPECT_EQ(ranks[0].Post(put).state, rma::PostState::kRetry);
  // This rank has a new descriptor, but the provider still holds the first
  // operation. So the post reaches the provider's own limit.
  EXPECT_EQ(ranks[0].Post(other).state, rma::PostState::kRetry);
  EXPECT_TRUE(ranks[0].IsBehind());
  ranks.PostAll(0, other);
  ranks.Await(kept);
  for (int i = 0; i < 2000; ++i) ranks.PollAll();
  EXPECT_EQ(ranks[0].under_way(), 0u);
  EXPECT_TRUE(lost.IsOver());
}

TEST(LeftDeathTest, AGetFromARankThatHasLeftEndsTheJob) {
  TransferRanks ranks({.late = 1000}, 2);
  rma::PendingCount complete;
  ranks[0].Post(rma::Get{1, ranks.Memory(0), ranks.Memory(1), 7, &complete});
  ranks.ranks()[0].clock().now += kPatienceWithLeft;
  EXPECT_DEATH(ranks[0].EndLeft([](Rank) { return true; }),
               "get of 7 bytes from rank 1 cannot be done: the rank has left");
}

TEST(TransfersDeathTest, APostThatFailsEndsTheJob) {
  TransferRanks ranks({}, 2);
  rma::PendingCount complete;
  ranks.fabric().RefusePosts(-FI_EIO);
  EXPECT_DEATH(
      ranks[0].Post(PutOf(ranks, ranks.Memory(0), 9, &complete, nullptr)),
      "put of 9 bytes to rank 1 failed: Input/output error");
  EXPECT_DEATH(ranks[0].Post(
                   rma::Get{1, ranks.Memory(0), ranks.Memory(1), 7, &complete}),
               "get of 7 bytes from rank 1 failed: Input/output error");
}

class FailureDeathTest : public ::testing::Test {
 protected:
  explicit FailureDeathTest(const testing::FakeFabricOptions& options = {})
      : ranks_(options, 2) {}

  // Waits for the next failure and handles it.
  void Take() {
    OfiEndpoint& endpoint = ranks_.ranks()[0].endpoint();
    fi_cq_data_entry entry;
    while (fi_cq_read(endpoint.queue(), &entry, 1) != -FI_EAVAIL) {
    }
    TakeFailure(endpoint, ranks_.ranks()[0].messages());
  }

  TransferRanks ranks_;
  rma::PendingCount complete_;
};

TEST_F(FailureDeathTest, OfAPutNamesIt) {
  ranks_.fabric().FailNext(FakeKind::kWrite, FI_EIO);
  ranks_[0].Post(PutOf(ranks_, ranks_.Memory(0), 9, &complete_, nullptr));
  EXPECT_DEATH(Take(),
               "put of 9 bytes to rank 1 failed over libfabric's provider "
               "fake: Input/output error \\(the fake was told to\\)");
}

class FlushFailureDeathTest : public FailureDeathTest {
 protected:
  FlushFailureDeathTest()
      : FailureDeathTest(
            {.order = FI_ORDER_RMA_RAW,
             .wishes = {.remote_completion = RemoteCompletion::kRead}}) {}
};

TEST_F(FlushFailureDeathTest, OfAReadBehindPutsNamesIt) {
  ranks_.fabric().FailNext(FakeKind::kRead, FI_EIO);
  ranks_[0].Post(PutOf(ranks_, ranks_.Memory(0), 9, &complete_, nullptr));
  EXPECT_DEATH(Take(), "read behind puts to rank 1 failed .*: Input/output");
}

TEST_F(FailureDeathTest, OfAGetNamesIt) {
  std::vector<RemoteMemory> peers(2);
  peers[1] = {4711, 0, ranks_.SegmentOf(1)};  // an invalid key
  ranks_[0].SetMemory({}, {}, peers);
  ranks_[0].Post(
      rma::Get{1, ranks_.Memory(0), ranks_.Memory(1), 7, &complete_});
  EXPECT_DEATH(Take(), "get of 7 bytes from rank 1 failed .*: Key rejected");
}

TEST_F(FailureDeathTest, OfAMessageNamesIt) {
  for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
    ranks_.fabric().FailNext(FakeKind::kSend, FI_EIO);
    ranks_.ranks().SendPatiently(ranks_.ranks()[0], 1, lane,
                                 testing::ShortOf({}));
    EXPECT_DEATH(Take(), lane == Lane::kRequest
                             ? "request to rank 1 failed .*: Input/output"
                             : "reply to rank 1 failed .*: Input/output");
    // Waits for all completions. The next completion to arrive is then the
    // failed one.
    ranks_.ranks().Settle();
  }
}

TEST_F(FailureDeathTest, OfAReceiveEndsTheJob) {
  ranks_.fabric().FailNext(FakeKind::kReceive, FI_EIO);
  ranks_.ranks().SendPatiently(ranks_.ranks()[1], 0, Lane::kRequest,
                               testing::ShortOf({}));
  EXPECT_DEATH(Take(), "receiving a message failed .*: Input/output");
}

TEST_F(FailureDeathTest, OfNothingKnownIsToldToo) {
  EXPECT_DEATH(
      TakeFailure(ranks_.ranks()[0].endpoint(), ranks_.ranks()[0].messages()),
      "an operation without a context, such as a small message, failed over "
      "libfabric's provider fake");
}

class InjectedFailureDeathTest : public FailureDeathTest {
 protected:
  InjectedFailureDeathTest() : FailureDeathTest({.order = FI_ORDER_SAS}) {}

  void FailOne(int error) {
    ranks_.fabric().FailNext(FakeKind::kSend, error);
    ranks_.ranks().SendPatiently(ranks_.ranks()[0], 1, Lane::kRequest,
                                 testing::ShortOf({}));
    ASSERT_EQ(ranks_.fabric().counts().injected, 1u);
  }
};

TEST_F(InjectedFailureDeathTest, EndsTheJob) {
  FailOne(FI_EIO);
  EXPECT_DEATH(Take(), "such as a small message, failed .*: Input/output");
}

// The failure names no peer. Job control knows which ranks have ended.
TEST_F(InjectedFailureDeathTest, MayBeTheEndOfAPeer) {
  FailOne(FI_ECONNRESET);
  Take();
  UnreachablePeers& lost = ranks_.ranks()[0].endpoint().lost();
  EXPECT_FALSE(lost.IsEmpty());
  lost.Look([](Rank peer) { return peer == UnreachablePeers::kSomebody; }, 0);
  EXPECT_TRUE(lost.IsEmpty());
}

// A receive fails in this way when a sender outside the job begins a message
// and leaves. If a rank leaves, job control reports this.
TEST_F(FailureDeathTest, OfAMessageThatBreaksOffEndsNoJob) {
  for (const int error : {FI_ECONNRESET, FI_ECANCELED, FI_ENOTCONN}) {
    ranks_.fabric().FailNext(FakeKind::kReceive, error);
    ranks_.fabric().Intrude(ranks_.ranks()[0].endpoint().name(),
                            std::vector<std::byte>(64));
    Take();
    EXPECT_TRUE(ranks_.ranks()[0].endpoint().lost().IsEmpty());
  }
}

TEST_F(FailureDeathTest, OfAStrangersMessageEndsNoJob) {
  const std::vector<std::byte> huge(ranks_.ranks().limits().buffer_bytes + 1);
  ranks_.fabric().Intrude(ranks_.ranks()[0].endpoint().name(), huge);
  Take();
  EXPECT_EQ(ranks_.fabric().under_way(), 0u);
}

}  // namespace
}  // namespace gasnet::ofi
