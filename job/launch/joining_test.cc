#include "job/launch/joining.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

using testing::HasSubstr;

TEST(JoiningTest, IsCompleteWhenTheLastHasJoined) {
  Joining joining(2);
  EXPECT_FALSE(joining.HasAny());
  EXPECT_FALSE(joining.Add(1, "rank 1", "PAR").has_value());
  EXPECT_TRUE(joining.HasAny());
  EXPECT_TRUE(joining.HasJoined(1));
  EXPECT_FALSE(joining.HasJoined(0));
  EXPECT_FALSE(joining.HasAll());
  EXPECT_FALSE(joining.Add(0, "rank 0", "PAR").has_value());
  EXPECT_TRUE(joining.HasAll());
}

TEST(JoiningTest, ComparesEachConfigurationWithThatOfTheFirst) {
  Joining joining(3);
  EXPECT_FALSE(joining.Add(2, "rank 2 (h0)", "PAR").has_value());
  const auto failure = joining.Add(0, "rank 0 (h1)", "SEQ");
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, 1);
  EXPECT_THAT(failure->why, HasSubstr("rank 0 (h1) is built with GASNet 'SEQ' "
                                      "but rank 2 with 'PAR'"));
  EXPECT_FALSE(joining.Add(1, "rank 1 (h0)", "PAR").has_value());
}

TEST(JoiningTest, LetsRanksBeLostAsLongAsNobodyJoins) {
  Joining joining(3);
  EXPECT_FALSE(joining.Lose(0, {.code = 3, .why = "0 ended"}).has_value());
  EXPECT_FALSE(joining.Lose(1, {.code = 4, .why = "1 ended"}).has_value());
  const auto failure = joining.Add(2, "rank 2", "PAR");
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, 3);
  EXPECT_EQ(failure->why, "0 ended");
}

TEST(JoiningTest, FailsWithTheFirstThatIsLostToThoseThatHaveJoined) {
  Joining joining(3);
  EXPECT_FALSE(joining.Add(2, "rank 2", "PAR").has_value());
  const auto failure = joining.Lose(0, {.code = 3, .why = "0 ended"});
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->why, "0 ended");
  EXPECT_FALSE(joining.Lose(1, {.code = 4, .why = "1 ended"}).has_value());
}

TEST(JoiningTest, FailsWithEachThatIsLostAfterItHasJoined) {
  Joining joining(2);
  joining.Add(0, "rank 0", "PAR");
  joining.Add(1, "rank 1", "PAR");
  for (const uint32_t rank : {0, 1}) {
    const auto failure = joining.Lose(rank, {.code = 1, .why = "gone"});
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->why, "gone");
  }
}

}  // namespace
}  // namespace gasnet::job
