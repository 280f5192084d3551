// Tests lent payloads. They are read in place, as often as necessary, and
// returned when they have arrived.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/testing/cluster.h"
#include "core/datagram/testing/memory_network.h"
#include "core/datagram/testing/memory_port.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;

constexpr uint8_t kHandler = am::kFirstClientHandler;
constexpr size_t kBytes = 60'003;
int handled;

void OnLong(void*, void*, size_t) { ++handled; }

struct Way {
  Cipher cipher;
  bool encrypt;
};

class LendingTest : public ::testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (GetParam().cipher == Cipher::kAes256Gcm && !Seal::HasAes()) {
      GTEST_SKIP() << "this processor has no AES instructions";
    }
    DatagramOptions options;
    options.encrypt = GetParam().encrypt;
    cluster_ =
        std::make_unique<Cluster>(testing::NetworkOptions{}, options,
                                  testing::TestSeal(7, GetParam().cipher));
    cluster_->Register(kHandler, &OnLong);
    handled = 0;
  }

  void Fill(std::byte value) {
    std::fill(source_.begin(), source_.end(), value);
  }

  void SendLent() {
    ASSERT_EQ(cluster_->node(0).Send(1, am::Lane::kRequest,
                                     {.category = am::Category::kLong,
                                      .handler = kHandler,
                                      .payload = source_.data(),
                                      .nbytes = source_.size(),
                                      .dest_addr = cluster_->node(1).segment(),
                                      .loan = &loan_}),
              am::Post::kDone);
  }

  bool HasArrived(std::byte value) {
    const std::byte* const there = cluster_->node(1).segment();
    return std::all_of(there, there + kBytes,
                       [&](std::byte b) { return b == value; }) &&
           there[kBytes] == std::byte{0};
  }

  std::unique_ptr<Cluster> cluster_;
  std::vector<std::byte> source_ = std::vector<std::byte>(kBytes);
  am::Loan loan_;
};

TEST_P(LendingTest, IsGivenBackWhenAllHasArrived) {
  Fill(std::byte{5});
  SendLent();
  EXPECT_FALSE(loan_.IsOver());
  ASSERT_TRUE(cluster_->Run([] { return handled == 1; }));
  EXPECT_TRUE(loan_.IsOver());
  EXPECT_TRUE(HasArrived(std::byte{5}));
}

TEST_P(LendingTest, WhatWasLostIsReadAgainWhereItIs) {
  cluster_->network().SetFaults({.lose = 1});
  Fill(std::byte{5});
  SendLent();
  Fill(std::byte{6});
  EXPECT_FALSE(loan_.IsOver());
  cluster_->network().SetFaults({});
  ASSERT_TRUE(cluster_->Run([] { return handled == 1; }));
  EXPECT_TRUE(HasArrived(std::byte{6}));
  EXPECT_TRUE(loan_.IsOver());
}

TEST_P(LendingTest, WhatIsDamagedIsSentAgain) {
  cluster_->network().SetFaults({.truncate = 0.2, .corrupt = 0.2});
  Fill(std::byte{9});
  for (int i = 1; i <= 20; ++i) {
    SendLent();
    ASSERT_TRUE(cluster_->Run([&] { return handled == i; }));
    EXPECT_TRUE(loan_.IsOver());
  }
  EXPECT_TRUE(HasArrived(std::byte{9}));
  EXPECT_GT(cluster_->network().faults(), 0u);
}

// A port that writes to lent memory just before it is read.
class BusyMemoryPort : public testing::MemoryPort {
 public:
  BusyMemoryPort(testing::MemoryNetwork& network, Rank rank, std::byte& busy)
      : MemoryPort(network, rank), busy_(busy) {}

  size_t Send(Rank peer, std::span<const Outgoing> datagrams) override {
    busy_ = static_cast<std::byte>(++writes_);
    return MemoryPort::Send(peer, datagrams);
  }

 private:
  std::byte& busy_;
  unsigned writes_ = 0;
};

TEST_P(LendingTest, WhatChangesAllTheTimeArrivesToo) {
  DatagramOptions options;
  options.ranks = 2;
  options.encrypt = GetParam().encrypt;
  const Seal seal = testing::TestSeal(7, GetParam().cipher);
  testing::MemoryNetwork network({});
  BusyMemoryPort port(network, 0, source_[kBytes / 2]);
  DatagramEndpoint sender(port, options, seal);
  options.me = 1;
  testing::Node receiver(network, options, seal);
  am::Dispatcher nobody;
  receiver.dispatcher().handlers().RegisterClient(
      kHandler, reinterpret_cast<am::AnyHandler>(&OnLong));
  ASSERT_EQ(sender.Send(1, am::Lane::kRequest,
                        {.category = am::Category::kLong,
                         .handler = kHandler,
                         .payload = source_.data(),
                         .nbytes = source_.size(),
                         .dest_addr = receiver.segment(),
                         .loan = &loan_}),
            am::Post::kDone);
  for (int steps = 0; steps < 10'000 && !loan_.IsOver(); ++steps) {
    sender.Poll(am::Lanes::kAll, nobody);
    sender.ServeTimers();
    receiver.Poll();
    network.AdvanceTo(std::min({network.NextArrival(), sender.NextDeadline(),
                                receiver.endpoint().NextDeadline(),
                                network.Now() + 1'000'000}));
  }
  EXPECT_EQ(handled, 1);
  EXPECT_TRUE(loan_.IsOver());
}

INSTANTIATE_TEST_SUITE_P(
    All, LendingTest,
    ::testing::Values(Way{Cipher::kAes256Gcm, false},
                      Way{Cipher::kAes256Gcm, true},
                      Way{Cipher::kChaCha20Poly1305, false},
                      Way{Cipher::kChaCha20Poly1305, true}));

}  // namespace
}  // namespace gasnet::datagram
