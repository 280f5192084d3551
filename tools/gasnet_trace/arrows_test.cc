// Tests of the matching of messages with handlers.
#include "tools/gasnet_trace/arrows.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gasnet::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

// Returns the times of both ends of all arrows.
Pairs Match(Arrows& arrows) {
  Pairs pairs;
  arrows.Match([&pairs](const ArrowEnd& sent, const ArrowEnd& run) {
    EXPECT_EQ(sent.from, run.from);
    EXPECT_EQ(sent.to, run.to);
    EXPECT_EQ(sent.handler, run.handler);
    pairs.emplace_back(sent.nanos, run.nanos);
  });
  return pairs;
}

TEST(Arrows, TheOrderOfTimeDecides) {
  Arrows arrows;
  // Two threads send. Their rings are read one after the other.
  arrows.AddSent({1, 2, 200, 0, 10});
  arrows.AddSent({1, 2, 200, 0, 30});
  arrows.AddSent({1, 2, 200, 1, 20});
  arrows.AddRun({1, 2, 200, 1, 25});
  arrows.AddRun({1, 2, 200, 0, 15});
  arrows.AddRun({1, 2, 200, 0, 35});
  EXPECT_THAT(Match(arrows),
              ElementsAre(Pair(10, 15), Pair(20, 25), Pair(30, 35)));
}

TEST(Arrows, EachPairOfRanksAndHandlerIsByItself) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 0, 10});
  arrows.AddSent({2, 1, 200, 0, 11});
  arrows.AddSent({1, 3, 200, 0, 12});
  arrows.AddSent({1, 2, 201, 0, 13});
  arrows.AddRun({1, 2, 201, 0, 20});
  arrows.AddRun({1, 3, 200, 0, 21});
  arrows.AddRun({1, 2, 200, 0, 22});
  arrows.AddRun({2, 1, 200, 0, 23});
  EXPECT_THAT(Match(arrows),
              testing::UnorderedElementsAre(Pair(10, 22), Pair(11, 23),
                                            Pair(12, 21), Pair(13, 20)));
}

TEST(Arrows, AnEndWithoutAPartnerIsLeftOut) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 0, 10});
  arrows.AddSent({1, 2, 200, 0, 11});
  arrows.AddRun({1, 2, 200, 0, 20});
  arrows.AddRun({0, 2, 200, 0, 21});
  arrows.AddRun({1, 2, 199, 0, 22});
  arrows.AddSent({1, 3, 200, 0, 12});
  arrows.AddRun({1, 3, 200, 0, 23});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 20), Pair(12, 23)));
}

TEST(Arrows, ThereMayBeNone) {
  Arrows arrows;
  EXPECT_THAT(Match(arrows), IsEmpty());
  arrows.AddRun({1, 2, 200, 0, 20});
  EXPECT_THAT(Match(arrows), IsEmpty());
}

}  // namespace
}  // namespace gasnet::trace
