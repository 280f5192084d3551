#include "tools/gasnetrun/remote/start_gate.h"

#include <vector>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

TEST(StartGateTest, OnlySoManyAreInside) {
  StartGate gate;
  size_t begun = 0;
  for (size_t i = 0; i < kStartsAtOnce + 2; ++i) {
    gate.Enter([&] { ++begun; });
  }
  EXPECT_EQ(begun, kStartsAtOnce);
  gate.Leave();
  EXPECT_EQ(begun, kStartsAtOnce + 1);
}

TEST(StartGateTest, InTheOrderTheyCame) {
  StartGate gate;
  std::vector<size_t> order;
  for (size_t i = 0; i < 2 * kStartsAtOnce; ++i) {
    gate.Enter([&, i] { order.push_back(i); });
  }
  for (size_t i = 0; i < kStartsAtOnce; ++i) gate.Leave();
  ASSERT_EQ(order.size(), 2 * kStartsAtOnce);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(StartGateTest, OneThatFailsAtOnceMakesRoomForTheNext) {
  StartGate gate;
  size_t begun = 0;
  for (size_t i = 0; i < 2 * kStartsAtOnce; ++i) {
    gate.Enter([&] {
      ++begun;
      gate.Leave();
    });
  }
  EXPECT_EQ(begun, 2 * kStartsAtOnce);
}

TEST(StartGateTest, NobodyEntersOnceItIsClosed) {
  StartGate gate;
  size_t begun = 0;
  for (size_t i = 0; i < kStartsAtOnce + 1; ++i) {
    gate.Enter([&] { ++begun; });
  }
  gate.Close();
  gate.Leave();
  gate.Enter([&] { ++begun; });
  EXPECT_EQ(begun, kStartsAtOnce);
}

}  // namespace
}  // namespace gasnet::gasnetrun
