#include "coll/arrival.h"

#include <array>
#include <cstring>

#include "gtest/gtest.h"

namespace gasnet::coll {
namespace {

TEST(ArrivalTest, DataInAnyOrderAreComplete) {
  Arrival arrival(2);
  std::array<char, 6> dest{};
  const uint32_t number = arrival.Enter(dest.data(), 5);
  EXPECT_TRUE(arrival.NoteData(number, 3, "lo", 2));
  EXPECT_FALSE(arrival.HaveData());
  EXPECT_TRUE(arrival.NoteData(number, 0, "hel", 3));
  EXPECT_TRUE(arrival.HaveData());
  EXPECT_STREQ(dest.data(), "hello");
}

TEST(ArrivalTest, NoDataAreAMessageToo) {
  Arrival arrival(2);
  const uint32_t number = arrival.Enter(nullptr, 0);
  EXPECT_FALSE(arrival.HaveData());
  EXPECT_TRUE(arrival.NoteData(number, 0, nullptr, 0));
  EXPECT_TRUE(arrival.HaveData());
}

TEST(ArrivalTest, RefusesWhatIsNotExpected) {
  Arrival arrival(2);
  std::array<char, 4> dest{};
  const uint32_t number = arrival.Enter(dest.data(), dest.size());
  EXPECT_FALSE(arrival.NoteData(number + 1, 0, "abcd", 4));
  EXPECT_FALSE(arrival.NoteData(number, 1, "abcd", 4));
  EXPECT_FALSE(arrival.NoteData(number, UINT64_MAX, "abcd", 4));
  EXPECT_TRUE(arrival.NoteData(number, 0, "abcd", 4));
  EXPECT_FALSE(arrival.NoteData(number, 0, "a", 1));
  EXPECT_FALSE(arrival.NoteDone(number - 1));
  EXPECT_FALSE(arrival.NoteRelease(number + 1));
  EXPECT_FALSE(arrival.NoteReady(2, number));
}

TEST(ArrivalTest, AnEarlyRankIsReadyForTheNext) {
  Arrival arrival(3);
  arrival.Enter(nullptr, 0);
  EXPECT_TRUE(arrival.NoteReady(1, 2));
  EXPECT_TRUE(arrival.NoteReady(2, 1));
  EXPECT_FALSE(arrival.AllReady(0));
  const uint32_t number = arrival.Enter(nullptr, 0);
  EXPECT_EQ(number, 2u);
  EXPECT_FALSE(arrival.AllReady(0));
  EXPECT_TRUE(arrival.NoteReady(2, number));
  EXPECT_TRUE(arrival.AllReady(0));
}

TEST(ArrivalTest, AllAreDoneWhenAllOthersAre) {
  Arrival arrival(3);
  const uint32_t number = arrival.Enter(nullptr, 0);
  EXPECT_TRUE(arrival.NoteDone(number));
  EXPECT_FALSE(arrival.AllDone());
  EXPECT_TRUE(arrival.NoteDone(number));
  EXPECT_TRUE(arrival.AllDone());
  EXPECT_FALSE(arrival.Released());
  EXPECT_TRUE(arrival.NoteRelease(number));
  EXPECT_TRUE(arrival.Released());
}

}  // namespace
}  // namespace gasnet::coll
