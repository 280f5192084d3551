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

// Returns the times of both ends of all arrows. Events of `rank` may be missing
// from the time `limit` on.
Pairs Match(Arrows& arrows, uint32_t rank = 0,
            int64_t limit = Arrows::kNoLimit) {
  Pairs pairs;
  arrows.Match(
      [&](uint32_t of) { return of == rank ? limit : Arrows::kNoLimit; },
      [&pairs](const ArrowEnd& sent, const ArrowEnd& run) {
        EXPECT_EQ(sent.from, run.from);
        EXPECT_EQ(sent.to, run.to);
        EXPECT_EQ(sent.handler, run.handler);
        pairs.emplace_back(sent.nanos, run.nanos);
      });
  return pairs;
}

// Makes three messages from rank 1 to rank 2.
Arrows Three() {
  Arrows arrows;
  for (const int64_t nanos : {10, 20, 30}) {
    arrows.AddSent({1, 2, 200, 0, nanos});
    arrows.AddRun({1, 2, 200, 0, nanos + 5});
  }
  return arrows;
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

TEST(Arrows, AMessageOnItsWayHasNoArrow) {
  Arrows arrows = Three();
  arrows.AddSent({1, 2, 200, 0, 40});
  EXPECT_THAT(Match(arrows),
              ElementsAre(Pair(10, 15), Pair(20, 25), Pair(30, 35)));
  EXPECT_EQ(arrows.sent(), 4u);
}

TEST(Arrows, MoreRunsThanSendsHaveNoArrow) {
  Arrows arrows = Three();
  arrows.AddRun({1, 2, 200, 0, 12});
  EXPECT_THAT(Match(arrows), IsEmpty());
}

TEST(Arrows, AnArrowEndsBeforeTheLimitsOfBothRanks) {
  Arrows arrows = Three();
  EXPECT_THAT(Match(arrows, 1, 30), ElementsAre(Pair(10, 15), Pair(20, 25)));
  EXPECT_THAT(Match(arrows, 2, 30), ElementsAre(Pair(10, 15), Pair(20, 25)));
  EXPECT_THAT(Match(arrows, 2, 25), ElementsAre(Pair(10, 15)));
  EXPECT_THAT(Match(arrows, 1, Arrows::kNothing), IsEmpty());
}

// The mask of the receiver has left out the second run, and that of the sender
// the third send.
TEST(Arrows, EqualCountsDoNotMakeAnArrowCertain) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 0, 10});
  arrows.AddSent({1, 2, 200, 0, 20});
  arrows.AddRun({1, 2, 200, 0, 15});
  arrows.AddRun({1, 2, 200, 0, 35});
  EXPECT_THAT(Match(arrows, 2, 22), ElementsAre(Pair(10, 15)));
}

TEST(Arrows, NoArrowComesAfterACallThatHasNotEnded) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 0, 10});
  arrows.AddSent({1, 2, 200, 1, 20, /*is_certain=*/false});
  arrows.AddSent({1, 2, 200, 0, 30});
  arrows.AddRun({1, 2, 200, 0, 15});
  arrows.AddRun({1, 2, 200, 0, 35});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 15)));
}

TEST(Arrows, ThereMayBeNone) {
  Arrows arrows;
  EXPECT_THAT(Match(arrows), IsEmpty());
  arrows.AddRun({1, 2, 200, 0, 20});
  EXPECT_THAT(Match(arrows), IsEmpty());
}

}  // namespace
}  // namespace gasnet::trace
