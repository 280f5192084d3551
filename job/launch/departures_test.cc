#include "job/launch/departures.h"

#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kNow = 1'000'000'000;

TEST(DeparturesTest, TellsTheFirstAtOnceAndThoseThatFollowTogether) {
  Departures departures(4);
  EXPECT_EQ(departures.deadline(), kNever);
  EXPECT_THAT(departures.TakeDue(kNow), IsEmpty());
  departures.Add(3, true);
  EXPECT_LE(departures.deadline(), kNow);
  EXPECT_THAT(departures.TakeDue(kNow), ElementsAre(3));
  EXPECT_EQ(departures.deadline(), kNever);
  departures.Add(1, true);
  departures.Add(0, true);
  const int64_t due = kNow + kDeparturesNanos;
  EXPECT_EQ(departures.deadline(), due);
  EXPECT_THAT(departures.TakeDue(due - 1), IsEmpty());
  EXPECT_THAT(departures.TakeDue(due), ElementsAre(1, 0));
}

TEST(DeparturesTest, TellsEachOnce) {
  Departures departures(2);
  departures.Add(1, true);
  departures.Add(1, true);
  EXPECT_THAT(departures.TakeDue(kNow), ElementsAre(1));
  departures.Add(1, true);
  EXPECT_EQ(departures.deadline(), kNever);
}

TEST(DeparturesTest, DoesNotTellThoseBeforeTheJobHasBegun) {
  Departures departures(2);
  departures.Add(1, false);
  EXPECT_EQ(departures.deadline(), kNever);
  departures.Add(1, true);
  EXPECT_THAT(departures.TakeDue(kNow), IsEmpty());
}

}  // namespace
}  // namespace gasnet::job
