#include "core/am/credit.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace gasnet::am {
namespace {

constexpr CreditUnits kWindow = 260;
constexpr CreditUnits kLargest = 130;

TEST(CreditTest, AFrameCostsTheUnitsThatItBegins) {
  EXPECT_EQ(CreditFor(1), 1);
  EXPECT_EQ(CreditFor(kCreditUnitBytes), 1);
  EXPECT_EQ(CreditFor(kCreditUnitBytes + 1), 2);
  EXPECT_EQ(CreditFor(size_t{UINT16_MAX} * kCreditUnitBytes), UINT16_MAX);
}

TEST(CreditTest, TheWindowCanBeFilledAndNoMore) {
  SendCredit credit(kWindow);
  EXPECT_TRUE(credit.Take(kWindow - 1));
  EXPECT_FALSE(credit.Take(2));
  EXPECT_EQ(credit.left(), 1);
  EXPECT_TRUE(credit.Take(1));
  EXPECT_FALSE(credit.Take(1));
}

TEST(CreditTest, MoreThanWasTakenIsNotGivenBack) {
  SendCredit credit(kWindow);
  ASSERT_TRUE(credit.Take(5));
  EXPECT_FALSE(credit.GiveBack(6, kWindow));
  EXPECT_EQ(credit.left(), kWindow - 5);
  EXPECT_TRUE(credit.GiveBack(5, kWindow));
  EXPECT_FALSE(credit.GiveBack(1, kWindow));
}

TEST(CreditTest, HalfAWindowIsDueAtOnce) {
  ReceiveCredit credit;
  credit.Handled(kWindow / 2 - 1);
  EXPECT_FALSE(credit.IsDue(kWindow));
  credit.Handled(1);
  EXPECT_TRUE(credit.IsDue(kWindow));
  EXPECT_EQ(credit.TakeOwed(), kWindow / 2);
  EXPECT_EQ(credit.owed(), 0);
  EXPECT_FALSE(credit.IsDue(kWindow));
}

TEST(CreditTest, AnOddWindowIsDueBeforeItIsUsedUp) {
  ReceiveCredit credit;
  credit.Handled(1);
  EXPECT_TRUE(credit.IsDue(1));
  EXPECT_FALSE(credit.IsDue(3));
}

// Frames go one way only, so no frame carries credit back. Credit comes back
// only when it is due. Frames of any size up to half a window never wait
// forever. The bytes in flight never exceed the window.
TEST(CreditTest, OneWayNeitherStopsNorOverflows) {
  std::mt19937 random(7);
  SendCredit sender(kWindow);
  ReceiveCredit receiver;
  std::deque<CreditUnits> under_way;
  unsigned units_under_way = 0;
  for (unsigned sent = 0; sent < 10000;) {
    const auto cost = static_cast<CreditUnits>(1 + random() % kLargest);
    while (!sender.Take(cost)) {
      ASSERT_FALSE(under_way.empty()) << "sent " << sent << ", cost " << cost;
      receiver.Handled(under_way.front());
      units_under_way -= under_way.front();
      under_way.pop_front();
      if (receiver.IsDue(kWindow)) {
        ASSERT_TRUE(sender.GiveBack(receiver.TakeOwed(), kWindow));
      }
    }
    under_way.push_back(cost);
    units_under_way += cost;
    ASSERT_LE(units_under_way, kWindow);
    ++sent;
  }
}

}  // namespace
}  // namespace gasnet::am
