#include "job/launch/status_book.h"

#include "base/clock.h"
#include "gtest/gtest.h"
#include "job/status/testing/job_view.h"

namespace gasnet::job {
namespace {

TEST(StatusBookTest, AWaitIsLongerTheOlderItsReport) {
  StatusBook book(2);
  RankView rank = PollingJob(1)[0];
  Wait(rank, RoomTo(1), 5);
  rank.status.unpolled_nanos = 7;
  book.Take(1, rank.status, 100);
  EXPECT_TRUE(book.HasReported(1));
  EXPECT_FALSE(book.HasReported(0));
  EXPECT_EQ(book.Of(1, 120).waits[0].nanos, 5 * kNanosPerSecond + 20);
  EXPECT_EQ(book.Of(1, 120).unpolled_nanos, 27);
  rank.status.unpolled_nanos = 0;
  book.Take(1, rank.status, 130);
  EXPECT_EQ(book.Of(1, 140).unpolled_nanos, 0) << "it polled";
  EXPECT_EQ(book.Of(1, 129).waits[0].nanos, 5 * kNanosPerSecond)
      << "the clock was read before the report came";
  EXPECT_EQ(book.Of(1, 140).waits[0].nanos, 5 * kNanosPerSecond + 10);
  book.BeginRound();
  EXPECT_FALSE(book.HasReported(1));
  EXPECT_TRUE(book.Of(1, 140).waits.empty());
}

}  // namespace
}  // namespace gasnet::job
