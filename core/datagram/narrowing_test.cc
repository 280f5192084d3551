// Tests paths whose size limit shrinks without notice. Packets in flight must
// arrive nevertheless, and sizes must be proven again.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "core/datagram/testing/traffic.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;
using testing::Faults;
using testing::MemoryNetwork;
using testing::Traffic;

constexpr size_t kSure = 1200;
constexpr size_t kEthernet = 1440;
constexpr size_t kJumbo = 8928;
constexpr size_t kLongBytes = 60'000;
constexpr uint8_t kShort = am::kFirstClientHandler;
constexpr uint8_t kLong = kShort + 1;
constexpr int64_t kMilli = 1'000'000;

int shorts, longs;
void OnShort(void*) { ++shorts; }
void OnLong(void*, void*, size_t) { ++longs; }

// Watches the traffic. Checks that no nonce is used twice, in any datagram.
class Watch {
 public:
  enum class Keep { kNothing, kAll };

  Watch(Cluster& cluster, Keep keep) {
    cluster.network().Tap([=, this](Rank from, Rank to, ConstBytes datagram) {
      if (from == 0 && to == 1) sizes_.push_back(datagram.size());
      if (keep == Keep::kAll) {
        datagrams_.emplace_back(
            to, MemoryNetwork::Datagram(datagram.begin(), datagram.end()));
      }
      std::array<std::byte, 12> nonce;
      std::memcpy(nonce.data(), datagram.data() + kTagBytes, nonce.size());
      EXPECT_TRUE(nonces_.insert(nonce).second) << "a nonce was used twice";
    });
  }

  // Returns the sizes of all datagrams from rank 0 to rank 1.
  const std::vector<size_t>& sizes() const { return sizes_; }
  bool AnyLongerThan(size_t bytes, size_t from = 0) const {
    return std::any_of(sizes_.begin() + static_cast<std::ptrdiff_t>(from),
                       sizes_.end(), [=](size_t s) { return s > bytes; });
  }
  // Returns all datagrams and their targets, if Keep::kAll was given.
  const std::vector<std::pair<Rank, MemoryNetwork::Datagram>>& all() const {
    return datagrams_;
  }

 private:
  std::vector<size_t> sizes_;
  std::set<std::array<std::byte, 12>> nonces_;
  std::vector<std::pair<Rank, MemoryNetwork::Datagram>> datagrams_;
};

class NarrowingTest : public ::testing::TestWithParam<bool> {
 protected:
  void Make(testing::NetworkOptions network = {},
            DatagramOptions options = {}) {
    network.max_datagram = kJumbo;
    options.sure_datagram = kSure;
    options.encrypt = GetParam();
    options.on_narrow = [this](Rank, size_t bytes) { told_.push_back(bytes); };
    cluster_ = std::make_unique<Cluster>(network, options);
    cluster_->Register(kShort, &OnShort);
    cluster_->Register(kLong, &OnLong);
    watch_ = std::make_unique<Watch>(*cluster_, Watch::Keep::kAll);
    shorts = longs = 0;
    for (const Rank rank : {0u, 1u}) SendShort(rank);
    ASSERT_TRUE(cluster_->Run([] { return shorts == 2; }));
    SendShort(0);
    ASSERT_TRUE(cluster_->Run([] { return shorts == 3; }));
    ASSERT_EQ(Size(0), kJumbo);
    ASSERT_EQ(Size(1), kJumbo);
    shorts = 0;
  }

  MemoryNetwork& network() { return cluster_->network(); }
  size_t Size(Rank rank) {
    return cluster_->node(rank).endpoint().DatagramTo(1 - rank);
  }

  void SendShort(Rank from) {
    ASSERT_EQ(cluster_->node(from).Send(1 - from, am::Lane::kRequest,
                                        {.handler = kShort}),
              am::Post::kDone);
  }
  // Sends a Long to part `place` of the segment.
  void SendLong(Rank from, unsigned place, std::byte value) {
    sources_.push_back(std::make_unique<Source>(value));
    Source& source = *sources_.back();
    const bool lent = place % 2 == 0;
    ASSERT_EQ(
        cluster_->node(from).Send(1 - from, am::Lane::kRequest,
                                  {.category = am::Category::kLong,
                                   .handler = kLong,
                                   .payload = source.bytes.data(),
                                   .nbytes = kLongBytes,
                                   .dest_addr = PlaceAt(1 - from, place),
                                   .loan = lent ? &source.loan : nullptr}),
        am::Post::kDone);
  }
  bool HasArrived(Rank at, unsigned place, std::byte value) {
    const std::byte* const there = PlaceAt(at, place);
    return std::count(there, there + kLongBytes, value) ==
           static_cast<std::ptrdiff_t>(kLongBytes);
  }
  void SendShortsOneByOne(int count) {
    for (int i = 0; i < count; ++i) {
      const int before = shorts;
      SendShort(0);
      ASSERT_TRUE(cluster_->Run([&] { return shorts == before + 1; }));
    }
  }

  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Watch> watch_;
  std::vector<size_t> told_;

 private:
  struct Source {
    explicit Source(std::byte value) : bytes(kLongBytes, value) {}
    std::vector<std::byte> bytes;
    am::Loan loan;
  };

  std::byte* PlaceAt(Rank rank, unsigned place) {
    return cluster_->node(rank).segment() + size_t{65536} * place;
  }

  std::vector<std::unique_ptr<Source>> sources_;
};

TEST_P(NarrowingTest, WhatIsUnderWayArrivesInPieces) {
  for (const size_t path : {size_t{1472}, kSure}) {
    Make();
    for (unsigned place = 0; place < 6; ++place) {
      SendLong(0, place, static_cast<std::byte>(place + 1));
    }
    // Some of the datagrams have been sent, and some of those have arrived.
    network().AdvanceTo(network().NextArrival());
    cluster_->node(1).Poll();
    EXPECT_TRUE(watch_->AnyLongerThan(1472));
    EXPECT_EQ(longs, 0);
    network().SetPathBytes(path);
    ASSERT_TRUE(cluster_->Run([] { return longs == 6; })) << path;
    EXPECT_LT(Size(0), kJumbo) << "the rest had no difficulty";
    for (unsigned place = 0; place < 6; ++place) {
      EXPECT_TRUE(HasArrived(1, place, static_cast<std::byte>(place + 1)));
    }
  }
}

TEST_P(NarrowingTest, WhatStillPassesIsFoundAndTheRestIsToldOfOnce) {
  for (const size_t path : {size_t{1472}, kSure}) {
    told_.clear();
    Make();
    network().SetPathBytes(path);
    SendLong(0, 0, std::byte{3});
    ASSERT_TRUE(cluster_->Run([] { return longs == 1; }));
    SendShortsOneByOne(60);
    EXPECT_EQ(Size(0), path == kSure ? kSure : kEthernet);
    EXPECT_EQ(told_, std::vector<size_t>{kJumbo});
    const size_t before = watch_->sizes().size();
    SendLong(0, 1, std::byte{4});
    ASSERT_TRUE(cluster_->Run([] { return longs == 2; }));
    EXPECT_FALSE(watch_->AnyLongerThan(path, before));
    EXPECT_TRUE(HasArrived(1, 1, std::byte{4}));
  }
}

TEST_P(NarrowingTest, BothDirectionsAtOnce) {
  Make();
  for (unsigned place = 0; place < 6; ++place) {
    for (const Rank from : {0u, 1u}) {
      SendLong(from, place, static_cast<std::byte>(place + 1));
    }
  }
  network().SetPathBytes(1472);
  ASSERT_TRUE(cluster_->Run([] { return longs == 12; }));
  for (unsigned place = 0; place < 6; ++place) {
    for (const Rank at : {0u, 1u}) {
      EXPECT_TRUE(HasArrived(at, place, static_cast<std::byte>(place + 1)));
    }
  }
}

// Acknowledgements arrive continuously, so no timer ever expires.
TEST_P(NarrowingTest, SmallMessagesDoNotHideIt) {
  Make();
  network().SetPathBytes(1472);
  SendLong(0, 0, std::byte{5});
  int sent = 0;
  ASSERT_TRUE(cluster_->Run([&] {
    if (longs == 0 && sent - shorts < 4) {
      SendShort(0);
      ++sent;
    }
    return longs == 1 && shorts == sent;
  }));
  EXPECT_GT(sent, 10);
  EXPECT_TRUE(HasArrived(1, 0, std::byte{5}));
}

// Sends small messages that leave in one large packet.
TEST_P(NarrowingTest, MessagesThatShareAPacketAreHandledOnce) {
  Make();
  int sent = 0;
  const auto send_many = [&] {
    while (sent < 3000 &&
           cluster_->node(0).Send(1, am::Lane::kRequest, {.handler = kShort}) ==
               am::Post::kDone) {
      ++sent;
    }
  };
  network().SetPathBytes(kEthernet);
  send_many();
  EXPECT_TRUE(watch_->AnyLongerThan(kEthernet));
  ASSERT_TRUE(cluster_->Run([&] {
    send_many();
    return sent == 3000 && shorts == sent;
  }));
}

TEST_P(NarrowingTest, AfterAPeerHasComputedAllIsAsBefore) {
  Make();
  for (unsigned round = 0; round < 3; ++round) {
    cluster_->SetAsleep(1, true);
    SendLong(0, round, std::byte{6});
    const int64_t awake = network().Now() + 300 * kMilli;
    while (network().Now() < awake) {
      cluster_->PollAll();
      ASSERT_TRUE(cluster_->PassTime(awake));
    }
    EXPECT_EQ(Size(0), kSure) << "it might be the path";
    cluster_->SetAsleep(1, false);
    ASSERT_TRUE(cluster_->Run([&] { return longs == int(round) + 1; }));
    EXPECT_TRUE(HasArrived(1, round, std::byte{6}));
    SendShortsOneByOne(2);
    EXPECT_EQ(Size(0), kJumbo);
  }
  EXPECT_TRUE(told_.empty());
}

TEST_P(NarrowingTest, WhatAStrangerSendsAgainProvesNothing) {
  Make();
  SendLong(0, 0, std::byte{7});
  SendLong(1, 0, std::byte{7});
  ASSERT_TRUE(cluster_->Run([] { return longs == 2; }));
  const auto before = watch_->all();
  network().SetPathBytes(1472);
  SendLong(0, 1, std::byte{8});
  const auto inject_all = [&] {
    for (const auto& [to, datagram] : before) network().Inject(to, datagram);
  };
  // Injects only when time has advanced. Injected datagrams arrive at once, so
  // without this condition time would never advance.
  int64_t next = network().Now();
  ASSERT_TRUE(cluster_->Run([&] {
    if (network().Now() >= next) {
      inject_all();
      next = network().Now() + kMilli;
    }
    return longs == 3;
  }));
  for (int i = 0; i < 60; ++i) {
    inject_all();
    SendShortsOneByOne(1);
    EXPECT_LT(Size(0), kJumbo);
  }
  EXPECT_EQ(Size(0), kEthernet);
  EXPECT_EQ(shorts, 60);
  EXPECT_EQ(longs, 3);
}

TEST_P(NarrowingTest, WhoLeavesDrainsInTime) {
  Make();
  network().SetPathBytes(kSure);
  SendLong(0, 0, std::byte{9});
  SendLong(0, 1, std::byte{9});
  EXPECT_TRUE(
      cluster_->node(0).endpoint().Drain(network().Now() + 250 * kMilli, [&] {
        network().AdvanceTo(network().Now() + kMilli / 10);
        cluster_->node(1).Poll();
      }));
  EXPECT_EQ(longs, 2);
  EXPECT_TRUE(HasArrived(1, 1, std::byte{9}));
}

// A receiver that leaves takes in a packet in pieces, but runs no handlers of
// its messages. No rank is delayed.
TEST_P(NarrowingTest, WhoLeavesTakesPieces) {
  Make();
  network().SetPathBytes(kSure);
  SendLong(0, 0, std::byte{9});
  const int64_t give_up = network().Now() + 250 * kMilli;
  while (!cluster_->node(0).endpoint().Quiet()) {
    ASSERT_LT(network().Now(), give_up);
    network().AdvanceTo(network().Now() + kMilli / 10);
    cluster_->node(0).Poll();
    cluster_->node(1).endpoint().DrainStep();
  }
  EXPECT_EQ(longs, 0);
}

INSTANTIATE_TEST_SUITE_P(Encrypted, NarrowingTest, ::testing::Bool());

// Sends many messages of all sizes among three ranks, with every kind of fault
// and very little memory.
TEST(NarrowingTraffic, EveryMessageArrivesOnce) {
  unsigned doubted = 0;
  for (const size_t max_datagram : {size_t{1472}, kJumbo, size_t{64000}}) {
    for (const Faults& faults : {Faults{}, Faults{.refuse = 0.5},
                                 Faults{0.05, 0.1, 0.1, 0.02, 0.02, 0.1}}) {
      for (const int64_t when : {kMilli, 5 * kMilli}) {
        DatagramOptions options;
        options.sure_datagram = kSure;
        options.encrypt = when > kMilli;
        if (faults.lose > 0) {
          options.pool_bytes = options.kept_bytes = options.assembly_bytes = 1;
          options.piece_bytes = 1;
        }
        Cluster cluster({.ranks = 3,
                         .seed = 8,
                         .faults = faults,
                         .max_datagram = max_datagram},
                        options);
        const Watch watch(cluster, Watch::Keep::kNothing);
        const size_t path = max_datagram == 64000 ? 1472 : kSure;
        cluster.network().SetPathBytes(path, cluster.network().Now() + when);
        Traffic(cluster, {.seed = 8,
                          .messages = 3000,
                          .one_large_in = 4,
                          .naps = when > kMilli})
            .Run();
        ASSERT_FALSE(::testing::Test::HasFailure())
            << max_datagram << " at " << when;
        for (const Rank from : {0u, 1u, 2u}) {
          for (const Rank to : {0u, 1u, 2u}) {
            if (from == to) continue;
            doubted +=
                cluster.node(from).endpoint().DatagramTo(to) < max_datagram;
          }
        }
      }
    }
  }
  EXPECT_GT(doubted, 80u) << "of 108 directions";
}

}  // namespace
}  // namespace gasnet::datagram
