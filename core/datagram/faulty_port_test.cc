#include "core/datagram/faulty_port.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/datagram/faults.h"
#include "core/datagram/port.h"
#include "core/rank.h"

namespace gasnet::datagram {
namespace {

TEST(FaultsTest, ReadsAList) {
  const auto faults =
      Faults::Parse("drop=5,duplicate=2.5,reorder=10,corrupt=1,seed=7");
  ASSERT_TRUE(faults.has_value());
  EXPECT_EQ(faults->drop, 5);
  EXPECT_EQ(faults->duplicate, 2.5);
  EXPECT_EQ(faults->reorder, 10);
  EXPECT_EQ(faults->corrupt, 1);
  EXPECT_EQ(faults->seed, 7u);
  EXPECT_FALSE(Faults{}.any());
  EXPECT_TRUE(faults->any());
}

TEST(FaultsTest, RefusesWhatIsNoList) {
  for (const char* text : {"", "drop", "drop=", "drop=-1", "drop=101", "lose=1",
                           "seed=-1", "drop=1,", "drop=1 corrupt=1"}) {
    EXPECT_FALSE(Faults::Parse(text).has_value()) << text;
  }
}

// The number of datagrams with each outcome, out of a thousand sent.
struct Outcome {
  unsigned lost = 0;
  unsigned twice = 0;
  unsigned out_of_order = 0;
  unsigned damaged = 0;
};

// A port that records what becomes of numbered datagrams.
class NotingPort final : public Port {
 public:
  static constexpr unsigned kCount = 1000;

  int64_t Now() const override { return 0; }
  size_t MaxDatagram() const override { return 8; }
  size_t Send(Rank, std::span<const Outgoing> datagrams) override {
    for (const Outgoing& datagram : datagrams) Note(datagram);
    return datagrams.size();
  }
  Batch* Receive() override { return nullptr; }
  Batch* ReceiveSpare() override { return nullptr; }
  void Release(Batch*) override {}

  Outcome outcome() const {
    Outcome outcome = outcome_;
    for (const unsigned times : seen_) outcome.lost += times == 0 ? 1 : 0;
    return outcome;
  }

 private:
  void Note(const Outgoing& datagram) {
    std::vector<std::byte> bytes(datagram.size());
    datagram.CopyTo(bytes.data());
    unsigned number = kCount;
    if (bytes.size() == 8) std::memcpy(&number, bytes.data(), 4);
    unsigned check = 0;
    if (bytes.size() == 8) std::memcpy(&check, bytes.data() + 4, 4);
    if (number >= kCount || check != ~number) {
      ++outcome_.damaged;
      return;
    }
    if (number < last_) ++outcome_.out_of_order;
    last_ = number;
    if (++seen_[number] == 2) ++outcome_.twice;
  }

  Outcome outcome_;
  std::vector<unsigned> seen_ = std::vector<unsigned>(kCount);
  unsigned last_ = 0;
};

Outcome Inject(const Faults& faults) {
  NotingPort network;
  FaultyPort port(network, faults, 3);
  for (unsigned i = 0; i < NotingPort::kCount; ++i) {
    const unsigned words[2] = {i, ~i};
    const auto bytes = std::as_bytes(std::span(words));
    const Outgoing datagram{bytes.first(i % 9), bytes.subspan(i % 9)};
    EXPECT_EQ(port.Send(1, {&datagram, 1}), 1u);
  }
  return network.outcome();
}

TEST(FaultyPortTest, DoesWhatItIsToldAndNothingElse) {
  const Outcome dropped = Inject({.drop = 10});
  EXPECT_NEAR(dropped.lost, 100, 50);
  EXPECT_EQ(dropped.twice + dropped.out_of_order + dropped.damaged, 0u);
  const Outcome doubled = Inject({.duplicate = 10});
  EXPECT_NEAR(doubled.twice, 100, 50);
  EXPECT_EQ(doubled.lost + doubled.damaged, 0u);
  const Outcome late = Inject({.reorder = 10});
  EXPECT_NEAR(late.out_of_order, 90, 50);
  EXPECT_EQ(late.twice + late.damaged, 0u);
  EXPECT_LE(late.lost, 1u);  // the last datagram may still be delayed
  const Outcome corrupt = Inject({.corrupt = 10});
  EXPECT_NEAR(corrupt.damaged, 100, 50);
  EXPECT_EQ(corrupt.lost, corrupt.damaged);
}

TEST(FaultyPortTest, TheSeedDecides) {
  EXPECT_EQ(Inject({.drop = 20, .seed = 5}).lost,
            Inject({.drop = 20, .seed = 5}).lost);
}

}  // namespace
}  // namespace gasnet::datagram
