#include "job/launch/gather_board.h"

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

std::string Expected(uint32_t sequence, std::string_view all) {
  return EncodeGather(FrameType::kGathered, {sequence, all});
}

TEST(GatherBoardTest, PutsPartsInTheOrderOfRanks) {
  GatherBoard board(3);
  EXPECT_FALSE((*board.Add(2, {0, "cc"})).has_value());
  EXPECT_FALSE((*board.Add(0, {0, "aa"})).has_value());
  EXPECT_EQ(**board.Add(1, {0, "bb"}), Expected(0, "aabbcc"));
}

TEST(GatherBoardTest, OneGatherFollowsTheOther) {
  GatherBoard board(2);
  for (uint32_t sequence = 0; sequence < 5; ++sequence) {
    const std::string part(sequence, 'x');
    EXPECT_FALSE((*board.Add(0, {sequence, part})).has_value());
    EXPECT_EQ(**board.Add(1, {sequence, part}),
              Expected(sequence, part + part));
  }
}

TEST(GatherBoardTest, KnowsWhoIsWaitedFor) {
  GatherBoard board(2);
  EXPECT_FALSE(board.IsUnderWay());
  ASSERT_TRUE(board.Add(1, {0, "a"}).ok());
  EXPECT_TRUE(board.IsUnderWay());
  EXPECT_TRUE(board.HasPartOf(1));
  EXPECT_FALSE(board.HasPartOf(0));
  ASSERT_TRUE(board.Add(0, {0, "b"}).ok());
  EXPECT_FALSE(board.IsUnderWay());
}

TEST(GatherBoardTest, RefusesWhatDoesNotBelong) {
  GatherBoard board(3);
  ASSERT_TRUE(board.Add(0, {0, "aa"}).ok());
  EXPECT_FALSE(board.Add(0, {0, "aa"}).ok()) << "twice";
  EXPECT_FALSE(board.Add(1, {1, "aa"}).ok()) << "another gather";
  EXPECT_FALSE(board.Add(1, {0, "a"}).ok()) << "another length";
  EXPECT_FALSE(board.Add(3, {0, "aa"}).ok()) << "no such rank";
  EXPECT_TRUE(board.Add(1, {0, "bb"}).ok()) << "refusals change nothing";
}

}  // namespace
}  // namespace gasnet::job
