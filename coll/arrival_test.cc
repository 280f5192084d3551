#include "coll/arrival.h"

#include <array>
#include <cstring>
#include <optional>

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
  EXPECT_FALSE(arrival.NoteReady(2, number, {}));
}

TEST(ArrivalTest, AnEarlyRankIsReadyForTheNext) {
  Arrival arrival(3);
  arrival.Enter(nullptr, 0);
  EXPECT_TRUE(arrival.NoteReady(1, 2, {}));
  EXPECT_TRUE(arrival.NoteReady(2, 1, {}));
  EXPECT_FALSE(arrival.AllReady(0));
  const uint32_t number = arrival.Enter(nullptr, 0);
  EXPECT_EQ(number, 2u);
  EXPECT_FALSE(arrival.AllReady(0));
  EXPECT_TRUE(arrival.NoteReady(2, number, {}));
  EXPECT_TRUE(arrival.AllReady(0));
}

constexpr Terms kTerms = {.nbytes = uint64_t{5} << 32, .all_sync = false};
constexpr Terms kFewer = {.nbytes = 5, .all_sync = false};
constexpr Terms kStricter = {.nbytes = kTerms.nbytes, .all_sync = true};

TEST(ArrivalTest, AllAgree) {
  Arrival alone(1);
  alone.Enter(nullptr, 0);
  EXPECT_FALSE(alone.FindDissent(kTerms).has_value());
  Arrival arrival(3);
  const uint32_t number = arrival.Enter(nullptr, 0);
  EXPECT_TRUE(arrival.NoteReady(0, number, kTerms));
  EXPECT_TRUE(arrival.NoteReady(2, number, kTerms));
  EXPECT_FALSE(arrival.FindDissent(kTerms).has_value());
}

// Whoever is the first, and whether it is that one or the root who is alone.
TEST(ArrivalTest, TellsWhoDisagrees) {
  for (const Terms& other : {kFewer, kStricter}) {
    for (const Rank odd : {0u, 2u}) {
      Arrival arrival(3);
      const uint32_t number = arrival.Enter(nullptr, 0);
      EXPECT_TRUE(arrival.NoteReady(0, number, odd == 0 ? other : kTerms));
      EXPECT_TRUE(arrival.NoteReady(2, number, odd == 2 ? other : kTerms));
      const std::optional<TermsOf> dissent = arrival.FindDissent(kTerms);
      ASSERT_TRUE(dissent.has_value());
      EXPECT_EQ(dissent->rank, odd);
      EXPECT_EQ(dissent->terms, other);
      EXPECT_EQ(arrival.FindDissent(other)->terms, kTerms);
    }
  }
}

TEST(ArrivalTest, TermsAreOfOneBroadcast) {
  Arrival arrival(3);
  arrival.Enter(nullptr, 0);
  EXPECT_TRUE(arrival.NoteReady(0, 1, kTerms));
  EXPECT_TRUE(arrival.NoteReady(2, 1, kFewer));
  arrival.Enter(nullptr, 0);
  EXPECT_TRUE(arrival.NoteReady(0, 2, kStricter));
  EXPECT_TRUE(arrival.NoteReady(2, 2, kStricter));
  EXPECT_FALSE(arrival.FindDissent(kStricter).has_value());
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
