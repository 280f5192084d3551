// Tests that a datagram which is not a packet of this job for this rank is
// dropped and counted, and changes nothing else.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/am/fragment.h"
#include "core/am/records.h"
#include "core/am/tuning.h"
#include "core/datagram/packet.h"
#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;
using testing::MemoryNetwork;
using testing::TestSeal;

int handled;
void OnMessage(void*) { ++handled; }
constexpr uint8_t kHandler = 200;

class StrangersTest : public ::testing::Test {
 protected:
  StrangersTest() {
    handled = 0;
    cluster_.Register(kHandler, &OnMessage);
  }

  // Makes a packet with one message, from rank 1 to rank 0.
  static MemoryNetwork::Datagram Make(
      PacketHeader header, const am::Message& message = {.handler = kHandler},
      const Seal& seal = TestSeal()) {
    MemoryNetwork::Datagram datagram(512);
    header.counter = 1'000'000;
    EncodeHeader(header, datagram.data());
    datagram.resize(am::EncodeMessage(datagram.data(), kHeaderBytes, message));
    seal.Sign(datagram);
    return datagram;
  }
  static PacketHeader Good(uint64_t sequence = 1) {
    return {.source = 1, .target = 0, .sequence = sequence};
  }

  // Injects the datagram at rank 0, and checks that only `reason` was counted.
  ::testing::AssertionResult Drops(MemoryNetwork::Datagram datagram,
                                   Drop reason) {
    DatagramEndpoint& endpoint = cluster_.node(0).endpoint();
    DatagramStatistics expected = endpoint.statistics();
    expected.Count(reason);
    const int before = handled;
    cluster_.network().Inject(0, std::move(datagram));
    cluster_.node(0).Poll();
    if (handled != before) return ::testing::AssertionFailure() << "handled";
    if (endpoint.statistics().dropped != expected.dropped) {
      return ::testing::AssertionFailure() << "not counted, or wrongly";
    }
    return ::testing::AssertionSuccess();
  }

  Cluster cluster_{testing::NetworkOptions{.ranks = 3}};
};

TEST_F(StrangersTest, AGoodPacketIsTaken) {
  cluster_.network().Inject(0, Make(Good()));
  EXPECT_EQ(cluster_.node(0).Poll(), 1u);
  EXPECT_EQ(handled, 1);
}

TEST_F(StrangersTest, WrongSizes) {
  EXPECT_TRUE(Drops({}, Drop::kSize)) << "empty";
  for (size_t size = 1; size < kHeaderBytes; ++size) {
    EXPECT_TRUE(Drops(MemoryNetwork::Datagram(size), Drop::kSize)) << size;
  }
  EXPECT_TRUE(Drops(MemoryNetwork::Datagram(1473), Drop::kSize));
  EXPECT_TRUE(Drops(MemoryNetwork::Datagram(60'000), Drop::kSize));
}

TEST_F(StrangersTest, ForgedAndDamaged) {
  EXPECT_TRUE(Drops(MemoryNetwork::Datagram(1472), Drop::kForged));
  EXPECT_TRUE(
      Drops(Make(Good(), {.handler = kHandler}, TestSeal(8)), Drop::kForged));
  for (size_t size = kHeaderBytes; size < Make(Good()).size(); ++size) {
    auto truncated = Make(Good());
    truncated.resize(size);
    EXPECT_TRUE(Drops(std::move(truncated), Drop::kForged)) << size;
  }
  for (size_t at = 0; at < Make(Good()).size(); ++at) {
    auto damaged = Make(Good());
    damaged[at] ^= std::byte{0x10};
    EXPECT_TRUE(Drops(std::move(damaged), Drop::kForged)) << at;
  }
  EXPECT_EQ(cluster_.node(0).endpoint().channels(), 0u)
      << "strangers cost no memory";
}

TEST_F(StrangersTest, AuthenticButWrong) {
  PacketHeader header = Good();
  header.target = 2;
  EXPECT_TRUE(Drops(Make(header), Drop::kTarget));
  header = Good();
  header.source = 3;
  EXPECT_TRUE(Drops(Make(header), Drop::kSource)) << "of 3 ranks";
  header.source = 0;
  EXPECT_TRUE(Drops(Make(header), Drop::kSource)) << "oneself";
  header = Good();
  header.flags = 0x80;
  EXPECT_TRUE(Drops(Make(header), Drop::kHeader));
}

TEST_F(StrangersTest, MalformedRecords) {
  auto datagram = Make(Good());
  datagram[kHeaderBytes + 2] = std::byte{17};
  TestSeal().Sign(datagram);
  EXPECT_TRUE(Drops(std::move(datagram), Drop::kMalformed)) << "17 arguments";
  // The sequence number of the refused packet was not registered, so the real
  // packet is still accepted.
  cluster_.network().Inject(0, Make(Good()));
  EXPECT_EQ(cluster_.node(0).Poll(), 1u);
}

TEST_F(StrangersTest, PiecesThatNobodyCuts) {
  const std::vector<std::byte> bytes(400, std::byte{0xff});
  const auto make = [&](uint32_t total, uint32_t offset, size_t length) {
    MemoryNetwork::Datagram datagram(kPieceHeadBytes + length);
    EncodeHeader(Good(), datagram.data());
    EncodePieceHead({total, offset, {}}, datagram.data());
    std::copy_n(bytes.begin(), length, datagram.data() + kPieceHeadBytes);
    TestSeal().Sign(datagram);
    return datagram;
  };
  // There is only one datagram size here, so a packet has only one piece. Each
  // datagram claims to hold that piece.
  EXPECT_TRUE(Drops(make(500, 0, 400), Drop::kMalformed)) << "too short";
  EXPECT_TRUE(Drops(make(400, 16, 384), Drop::kMalformed)) << "wrong place";
  EXPECT_TRUE(Drops(make(1'000'000, 0, 400), Drop::kMalformed)) << "too large";
  EXPECT_TRUE(Drops(make(400, 0, 400), Drop::kMalformed)) << "no records";
  auto nested = make(400, 0, 400);
  EncodePieceHead({384, 0, {}}, nested.data() + 16);
  TestSeal().Sign(nested);
  EXPECT_TRUE(Drops(std::move(nested), Drop::kMalformed)) << "of a piece";
  cluster_.network().Inject(0, Make(Good()));
  EXPECT_EQ(cluster_.node(0).Poll(), 1u);
}

TEST_F(StrangersTest, FragmentsThatDoNotBelongTogether) {
  static const char payload[200] = {};
  const auto make = [&](uint64_t sequence, uint32_t nbytes, uint32_t offset) {
    MemoryNetwork::Datagram datagram(512);
    EncodeHeader(Good(sequence), datagram.data());
    datagram.resize(
        am::EncodeFragment(datagram.data(), kHeaderBytes,
                           {.category = am::Category::kMedium,
                            .handler = kHandler,
                            .payload = payload,
                            .nbytes = nbytes},
                           {.number = 1, .offset = offset, .length = 100}));
    TestSeal().Sign(datagram);
    return datagram;
  };
  cluster_.network().Inject(0, make(1, 150, 0));
  EXPECT_EQ(cluster_.node(0).Poll(), 0u);
  EXPECT_TRUE(Drops(make(2, 151, 50), Drop::kMalformed)) << "another length";
  EXPECT_TRUE(Drops(make(2, 150, 50), Drop::kMalformed)) << "they overlap";
}

TEST_F(StrangersTest, ReplayedAndTooFarAhead) {
  cluster_.network().Inject(0, Make(Good()));
  cluster_.node(0).Poll();
  ASSERT_EQ(handled, 1);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(Drops(Make(Good()), Drop::kDuplicate));
  }
  EXPECT_TRUE(Drops(Make(Good(1 + kWindow + 1)), Drop::kTooFar));
  EXPECT_TRUE(Drops(Make(Good(~uint64_t{0})), Drop::kTooFar));
}

// An attacker finally replays everything that was ever sent.
TEST_F(StrangersTest, AReplayedConversationChangesNothing) {
  std::vector<std::pair<Rank, MemoryNetwork::Datagram>> heard;
  cluster_.network().Tap([&](Rank, Rank to, ConstBytes datagram) {
    heard.emplace_back(
        to, MemoryNetwork::Datagram(datagram.begin(), datagram.end()));
  });
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(
        cluster_.node(0).Send(1, am::Lane::kRequest, {.handler = kHandler}),
        am::Post::kDone);
    cluster_.PollAll();
  }
  ASSERT_TRUE(cluster_.Run([] { return handled == 500; }));
  cluster_.network().Tap(nullptr);
  for (auto& [to, datagram] : heard) cluster_.network().Inject(to, datagram);
  ASSERT_TRUE(cluster_.Run([] { return true; }));
  EXPECT_EQ(handled, 500);
  ASSERT_EQ(cluster_.node(0).Send(1, am::Lane::kRequest, {.handler = kHandler}),
            am::Post::kDone);
  ASSERT_TRUE(cluster_.Run([] { return handled == 501; }));
}

TEST_F(StrangersTest, AReplayIsNoSenderThatWouldNeedAShareOfTheWindow) {
  std::vector<MemoryNetwork::Datagram> old;
  uint16_t offered = 0;
  cluster_.network().Tap([&](Rank from, Rank to, ConstBytes datagram) {
    PacketHeader header;
    ASSERT_TRUE(DecodeHeader(datagram, header));
    if (from == 2) old.emplace_back(datagram.begin(), datagram.end());
    if (from == 0 && to == 1) offered = header.window;
  });
  const auto send = [&](Rank from) {
    const int expected = handled + 1;
    ASSERT_EQ(
        cluster_.node(from).Send(0, am::Lane::kRequest, {.handler = kHandler}),
        am::Post::kDone);
    ASSERT_TRUE(cluster_.Run([&] { return handled == expected; }));
  };
  send(2);
  ASSERT_FALSE(old.empty());
  // From here on, rank 2 counts as silent.
  cluster_.network().AdvanceTo(cluster_.network().Now() + 1'000'000'000);
  send(1);
  const uint16_t alone = offered;
  for (const auto& datagram : old) cluster_.network().Inject(0, datagram);
  send(1);
  EXPECT_EQ(offered, alone);
}

using StrangersDeathTest = StrangersTest;

TEST_F(StrangersDeathTest, ALongOutsideTheSegmentEndsTheJob) {
  static const char payload[100] = {};
  std::byte* const end =
      cluster_.node(0).segment() + testing::Node::kSegmentBytes;
  const am::Message message{.category = am::Category::kLong,
                            .handler = kHandler,
                            .payload = payload,
                            .nbytes = 100,
                            .dest_addr = end - 99};
  cluster_.network().Inject(0, Make(Good(), message));
  EXPECT_DEATH(cluster_.node(0).Poll(),
               "Long active message from rank 1: destination .* is outside");
}

TEST_F(StrangersDeathTest, SoDoesOneInFragments) {
  static const char payload[100] = {};
  std::byte* const end =
      cluster_.node(0).segment() + testing::Node::kSegmentBytes;
  MemoryNetwork::Datagram datagram(512);
  EncodeHeader(Good(), datagram.data());
  datagram.resize(
      am::EncodeFragment(datagram.data(), kHeaderBytes,
                         {.category = am::Category::kLong,
                          .handler = kHandler,
                          .payload = payload,
                          .nbytes = 200,
                          .dest_addr = end - 199},
                         {.number = 1, .offset = 0, .length = 100}));
  TestSeal().Sign(datagram);
  cluster_.network().Inject(0, std::move(datagram));
  EXPECT_DEATH(cluster_.node(0).Poll(),
               "Long active message from rank 1: destination .* is outside");
}

TEST_F(StrangersDeathTest, AMessageBeyondTheLimitIsNamed) {
  const am::Message message{.category = am::Category::kMedium,
                            .handler = kHandler,
                            .nbytes = am::kMaxMedium + 1};
  EXPECT_DEATH(cluster_.node(0).Send(1, am::Lane::kRequest, message),
               "Medium active message of 65537 bytes to rank 1: the limit is "
               "65536");
}

}  // namespace
}  // namespace gasnet::datagram
