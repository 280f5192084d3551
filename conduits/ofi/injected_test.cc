#include "conduits/ofi/injected.h"

#include <gtest/gtest.h>

namespace gasnet::ofi {
namespace {

constexpr uint32_t kNow = 7;

unsigned Fill(Injected& injected) {
  unsigned added = 0;
  for (; injected.HasRoom(); ++added) injected.Add(Lane::kRequest, kNow);
  return added;
}

TEST(InjectedTest, ThereIsRoomForSoManyThatMayNotHaveLeft) {
  Injected injected;
  EXPECT_EQ(Fill(injected), kMaxInjected);
  const Injected::Mark mark = injected.Ask();
  EXPECT_FALSE(injected.HasRoom()) << "asked about, they may not have left";
  injected.HaveLeft(mark);
  EXPECT_EQ(Fill(injected), kMaxInjected);
}

TEST(InjectedTest, ACompletionTellsOfThoseBeforeItsSend) {
  Injected injected;
  for (int i = 0; i < 10; ++i) injected.Add(Lane::kRequest, kNow);
  const Injected::Mark mark = injected.Ask();
  EXPECT_TRUE(injected.IsAsked());
  Fill(injected);
  EXPECT_FALSE(injected.IsAsked());
  injected.HaveLeft(mark);
  EXPECT_EQ(Fill(injected), 10u);
}

TEST(InjectedTest, CompletionsComeInAnyOrder) {
  Injected injected;
  injected.Add(Lane::kRequest, kNow);
  const Injected::Mark first = injected.Ask();
  injected.Add(Lane::kRequest, kNow);
  const Injected::Mark second = injected.Ask();
  injected.HaveLeft(second);
  injected.HaveLeft(first);
  EXPECT_EQ(Fill(injected), kMaxInjected);
}

TEST(InjectedTest, TheNewestCounts) {
  Injected injected;
  EXPECT_TRUE(injected.IsAsked()) << "there is none";
  injected.Add(Lane::kRequest, kNow);
  injected.Add(Lane::kReply, kNow + 1);
  EXPECT_EQ(injected.lane(), Lane::kReply);
  EXPECT_EQ(injected.Age(kNow + 5), 4u);
}

}  // namespace
}  // namespace gasnet::ofi
