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
    arrows.AddSent({1, 2, 200, 8, 0, nanos});
    arrows.AddRun({1, 2, 200, 8, 0, nanos + 5});
  }
  return arrows;
}

TEST(Arrows, TheOrderOfTimeDecides) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 8, 0, 30});
  arrows.AddSent({1, 2, 200, 8, 0, 10});
  arrows.AddSent({1, 2, 200, 8, 0, 20});
  arrows.AddRun({1, 2, 200, 8, 0, 35});
  arrows.AddRun({1, 2, 200, 8, 0, 40});
  arrows.AddRun({1, 2, 200, 8, 0, 31});
  EXPECT_THAT(Match(arrows),
              ElementsAre(Pair(10, 31), Pair(20, 35), Pair(30, 40)));
}

// A large message may arrive after a small one that was sent later.
TEST(Arrows, EachSizeIsByItself) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 5000, 0, 10});
  arrows.AddSent({1, 2, 200, 8, 0, 20});
  arrows.AddRun({1, 2, 200, 8, 0, 25});
  arrows.AddRun({1, 2, 200, 5000, 0, 35});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(20, 25), Pair(10, 35)));
  arrows.AddRun({1, 2, 200, 8, 0, 40});
  EXPECT_THAT(Match(arrows), IsEmpty()) << "a send of the handler is missing";
}

TEST(Arrows, MessagesOfSeveralThreadsMayOvertake) {
  Arrows arrows = Three();
  arrows.AddSent({1, 2, 200, 8, 1, 31});
  arrows.AddRun({1, 2, 200, 8, 0, 40});
  // The last two are under way at the same time.
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 15), Pair(20, 25)));
}

TEST(Arrows, RunsOnSeveralThreadsMayOvertake) {
  Arrows arrows = Three();
  arrows.AddSent({1, 2, 200, 8, 0, 31});
  arrows.AddRun({1, 2, 200, 8, 1, 40});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 15), Pair(20, 25)));
}

TEST(Arrows, ThreadsThatTakeTurnsDoNotOvertake) {
  Arrows arrows = Three();
  arrows.AddSent({1, 2, 200, 8, 1, 40});
  arrows.AddRun({1, 2, 200, 8, 1, 45});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 15), Pair(20, 25),
                                         Pair(30, 35), Pair(40, 45)));
}

TEST(Arrows, ATurnIsCertainOnlyBeyondTheErrorOfClocks) {
  for (const auto& [of_send, of_run] : std::vector<std::pair<int64_t, int64_t>>{
           {2, 2}, {3, 2}, {2, 3}, {Arrows::kNoBound, 0}}) {
    Arrows arrows;
    arrows.AddSent({1, 2, 200, 8, 0, 10, of_send});
    arrows.AddRun({1, 2, 200, 8, 0, 15, of_run});
    arrows.AddSent({1, 2, 200, 8, 1, 20, of_send});
    arrows.AddRun({1, 2, 200, 8, 0, 25, of_run});
    const bool is_certain = of_send + of_run < 5;
    EXPECT_EQ(Match(arrows).size(), is_certain ? 2u : 0u)
        << of_send << " " << of_run;
  }
}

TEST(Arrows, TimesOfADamagedTraceDoNoHarm) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 8, 0, INT64_MIN, Arrows::kNoBound});
  arrows.AddRun({1, 2, 200, 8, 0, INT64_MIN, Arrows::kNoBound});
  arrows.AddSent({1, 2, 200, 8, 0, INT64_MAX - 1, Arrows::kNoBound});
  arrows.AddRun({1, 2, 200, 8, 0, INT64_MAX - 1, Arrows::kNoBound});
  EXPECT_EQ(Match(arrows).size(), 2u);
}

TEST(Arrows, EachPairOfRanksAndHandlerIsByItself) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 8, 0, 10});
  arrows.AddSent({2, 1, 200, 8, 0, 11});
  arrows.AddSent({1, 3, 200, 8, 0, 12});
  arrows.AddSent({1, 2, 201, 8, 0, 13});
  arrows.AddRun({1, 2, 201, 8, 0, 20});
  arrows.AddRun({1, 3, 200, 8, 0, 21});
  arrows.AddRun({1, 2, 200, 8, 0, 22});
  arrows.AddRun({2, 1, 200, 8, 0, 23});
  EXPECT_THAT(Match(arrows),
              testing::UnorderedElementsAre(Pair(10, 22), Pair(11, 23),
                                            Pair(12, 21), Pair(13, 20)));
}

TEST(Arrows, AnEndWithoutAPartnerIsLeftOut) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 8, 0, 10});
  arrows.AddSent({1, 2, 200, 8, 0, 11});
  arrows.AddRun({1, 2, 200, 8, 0, 20});
  arrows.AddRun({0, 2, 200, 8, 0, 21});
  arrows.AddRun({1, 2, 199, 8, 0, 22});
  arrows.AddSent({1, 3, 200, 8, 0, 12});
  arrows.AddRun({1, 3, 200, 8, 0, 23});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 20), Pair(12, 23)));
}

TEST(Arrows, AMessageOnItsWayHasNoArrow) {
  Arrows arrows = Three();
  arrows.AddSent({1, 2, 200, 8, 0, 40});
  EXPECT_THAT(Match(arrows),
              ElementsAre(Pair(10, 15), Pair(20, 25), Pair(30, 35)));
  EXPECT_EQ(arrows.sent(), 4u);
}

TEST(Arrows, MoreRunsThanSendsHaveNoArrow) {
  Arrows arrows = Three();
  arrows.AddRun({1, 2, 200, 8, 0, 12});
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
  arrows.AddSent({1, 2, 200, 8, 0, 10});
  arrows.AddSent({1, 2, 200, 8, 0, 20});
  arrows.AddRun({1, 2, 200, 8, 0, 15});
  arrows.AddRun({1, 2, 200, 8, 0, 35});
  EXPECT_THAT(Match(arrows, 2, 22), ElementsAre(Pair(10, 15)));
}

TEST(Arrows, NoArrowComesAfterACallThatHasNotEnded) {
  Arrows arrows;
  arrows.AddSent({1, 2, 200, 8, 0, 10});
  arrows.AddSent({1, 2, 200, 8, 1, 20, /*error=*/0, /*is_certain=*/false});
  arrows.AddSent({1, 2, 200, 8, 0, 30});
  arrows.AddRun({1, 2, 200, 8, 0, 15});
  arrows.AddRun({1, 2, 200, 8, 0, 35});
  EXPECT_THAT(Match(arrows), ElementsAre(Pair(10, 15)));
}

TEST(Arrows, ThereMayBeNone) {
  Arrows arrows;
  EXPECT_THAT(Match(arrows), IsEmpty());
  arrows.AddRun({1, 2, 200, 8, 0, 20});
  EXPECT_THAT(Match(arrows), IsEmpty());
}

}  // namespace
}  // namespace gasnet::trace
