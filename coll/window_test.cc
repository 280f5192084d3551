// Tests when a node may send messages, and when it sends its base to a peer.
#include "coll/window.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace gasnet::coll {
namespace {

std::vector<Rank> Admitted(Window& window) {
  std::vector<Rank> ranks;
  window.ForAdmitted([&](Rank rank) { ranks.push_back(rank); });
  return ranks;
}

TEST(WindowTest, AdmitsFromTheBaseOn) {
  Window window(2);
  window.SetBase(7);
  EXPECT_FALSE(window.Admits(6));
  EXPECT_TRUE(window.Admits(7));
  EXPECT_TRUE(window.Admits(7 + kWindow - 1));
  EXPECT_FALSE(window.Admits(7 + kWindow));
}

TEST(WindowTest, FollowsAPeerThroughAllNumbers) {
  Window window(2);
  uint32_t base = 1;
  // Goes on until the operation numbers wrap around. The low halves, which
  // messages carry, wrap around too.
  for (unsigned i = 0; i < 300000; ++i) {
    base += kWindow * 997;
    window.Heard(1, static_cast<uint16_t>(base));
    ASSERT_TRUE(window.MaySend(1, base));
    ASSERT_TRUE(window.MaySend(1, base + kWindow - 1));
    ASSERT_FALSE(window.MaySend(1, base + kWindow));
    ASSERT_FALSE(window.MaySend(1, base - 1));
  }
}

// After a long silence the low half in a message is ambiguous, but an answer
// has the whole base.
TEST(WindowTest, FollowsAPeerThatWasSilentForLong) {
  for (const uint32_t base : {32769u, 32770u, 65537u, 1000000u, 0x7fffffffu}) {
    Window window(2);
    EXPECT_TRUE(window.Ask(1));
    window.Heard(1, static_cast<uint16_t>(base));
    window.Answered(1, base);
    EXPECT_TRUE(window.MaySend(1, base));
    EXPECT_FALSE(window.MaySend(1, base + kWindow));
    window.Answered(1, base - 9);
    EXPECT_TRUE(window.MaySend(1, base + kWindow - 1));
  }
}

TEST(WindowTest, ForgetsWhatCameLate) {
  Window window(2);
  window.Heard(1, 100);
  window.Heard(1, 70);
  EXPECT_TRUE(window.MaySend(1, 100 + kWindow - 1));
  EXPECT_FALSE(window.MaySend(1, 99));
}

TEST(WindowTest, AsksOnceUntilAnswered) {
  Window window(3);
  EXPECT_TRUE(window.Ask(1));
  EXPECT_FALSE(window.Ask(1));
  EXPECT_TRUE(window.Ask(2));
  window.Answered(1, 1);
  EXPECT_TRUE(window.Ask(1));
  EXPECT_FALSE(window.Ask(2));
}

TEST(WindowTest, AnswersWhenTheNumberIsAdmitted) {
  Window window(3);
  window.Wants(1, 1 + kWindow);
  window.Wants(2, 2 + kWindow);
  EXPECT_EQ(Admitted(window), std::vector<Rank>{});
  window.SetBase(2);
  EXPECT_EQ(Admitted(window), std::vector<Rank>{1});
  EXPECT_EQ(Admitted(window), std::vector<Rank>{});
  window.SetBase(3);
  EXPECT_EQ(Admitted(window), std::vector<Rank>{2});
}

TEST(WindowTest, AnswersWhoAskedTwiceOnce) {
  Window window(2);
  window.Wants(1, 3 + kWindow);
  window.Wants(1, 1 + kWindow);
  window.SetBase(2);
  EXPECT_EQ(Admitted(window), std::vector<Rank>{1});
  window.SetBase(9);
  EXPECT_EQ(Admitted(window), std::vector<Rank>{});
}

TEST(WindowTest, AnswersANumberThatIsBehindAlready) {
  Window window(2);
  window.Wants(1, kWindow + 1);
  window.SetBase(kWindow + 2);
  EXPECT_EQ(Admitted(window), std::vector<Rank>{1});
}

TEST(WindowTest, OwesItsBaseAfterHalfAWindow) {
  Window window(2);
  window.SetBase(kWindow / 2);
  EXPECT_FALSE(window.IsOwed(1));
  window.SetBase(1 + kWindow / 2);
  EXPECT_TRUE(window.IsOwed(1));
  window.Sent(1);
  EXPECT_FALSE(window.IsOwed(1));
}

}  // namespace
}  // namespace gasnet::coll
