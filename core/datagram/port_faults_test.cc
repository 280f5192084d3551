#include "core/datagram/port_faults.h"

#include <gtest/gtest.h>

#include <cstring>

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

// The outcomes of a thousand datagrams, by how often each came out.
struct Outcome {
  unsigned lost = 0;
  unsigned twice = 0;
  unsigned out_of_order = 0;
  unsigned damaged = 0;
};

Outcome Inject(const Faults& faults) {
  constexpr unsigned kCount = 1000;
  FaultInjector injector(faults, 3);
  std::vector<unsigned> seen(kCount);
  Outcome outcome;
  unsigned last = 0;
  const auto take = [&](Rank, const datagram::Outgoing& out) {
    FaultInjector::Datagram bytes(out.size());
    out.CopyTo(bytes.data());
    unsigned number = kCount;
    if (bytes.size() == 8) std::memcpy(&number, bytes.data(), 4);
    unsigned check = 0;
    if (bytes.size() == 8) std::memcpy(&check, bytes.data() + 4, 4);
    if (number >= kCount || check != ~number) {
      ++outcome.damaged;
      return;
    }
    if (number < last) ++outcome.out_of_order;
    last = number;
    if (++seen[number] == 2) ++outcome.twice;
  };
  for (unsigned i = 0; i < kCount; ++i) {
    const unsigned words[2] = {i, ~i};
    const auto bytes = std::as_bytes(std::span(words));
    injector.Pass(1, {bytes.first(i % 9), bytes.subspan(i % 9)}, take);
  }
  for (const unsigned times : seen) outcome.lost += times == 0 ? 1 : 0;
  return outcome;
}

TEST(FaultsTest, DoesWhatItIsToldAndNothingElse) {
  const Outcome dropped = Inject({.drop = 10});
  EXPECT_NEAR(dropped.lost, 100, 50);
  EXPECT_EQ(dropped.twice + dropped.out_of_order + dropped.damaged, 0u);
  const Outcome doubled = Inject({.duplicate = 10});
  EXPECT_NEAR(doubled.twice, 100, 50);
  EXPECT_EQ(doubled.lost + doubled.damaged, 0u);
  const Outcome late = Inject({.reorder = 10});
  EXPECT_NEAR(late.out_of_order, 90, 50);
  EXPECT_EQ(late.twice + late.damaged, 0u);
  EXPECT_LE(late.lost, 1u);  // the last may still be waiting
  const Outcome corrupt = Inject({.corrupt = 10});
  EXPECT_NEAR(corrupt.damaged, 100, 50);
  EXPECT_EQ(corrupt.lost, corrupt.damaged);
}

TEST(FaultsTest, TheSeedDecides) {
  EXPECT_EQ(Inject({.drop = 20, .seed = 5}).lost,
            Inject({.drop = 20, .seed = 5}).lost);
}

}  // namespace
}  // namespace gasnet::datagram
