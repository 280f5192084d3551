// Tests the records of barriers in progress, with two ranks in one process.
#include "ex/host_barriers.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/asymmetric_fence.h"
#include "core/hostshm/arrivals.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/layout.h"
#include "core/thread/mode.h"
#include "extended/operation.h"

namespace gasnet::ex {
namespace {

using extended::Foreign;

constexpr Rank kRanks = 2;

struct alignas(hostshm::kPage) Page {
  unsigned char bytes[hostshm::kPage] = {};
};

struct RankOnHost {
  RankOnHost(unsigned char* base, const hostshm::Layout& layout, Rank rank)
      : arrivals(base, layout, rank, link), barriers(arrivals, status) {
    link.Init(base, layout, rank, std::vector<Rank>{0, 1}, kRanks);
  }
  hostshm::HostLink link;
  hostshm::Arrivals arrivals;
  observe::StatusBoard status;
  HostBarriers barriers;
};

class HostBarriersTest : public ::testing::Test {
 protected:
  HostBarriersTest() { AsymmetricFence::Register(); }

  void SetUp() override {
    if (thread::kChecks) {
      GTEST_SKIP() << "builds with checks record operations in a runtime";
    }
  }

  // Returns the operation of an event that is under way.
  static Foreign& Of(gex_Event_t event) {
    return static_cast<Foreign&>(extended::FromHandle(event));
  }

  const hostshm::Layout layout_{kRanks};
  std::vector<Page> memory_{layout_.total() / hostshm::kPage};
  RankOnHost first_{memory_[0].bytes, layout_, 0};
  RankOnHost second_{memory_[0].bytes, layout_, 1};
  HostBarriers& mine_ = first_.barriers;
  HostBarriers& theirs_ = second_.barriers;
};

TEST_F(HostBarriersTest, TheLastRankHasNoEvent) {
  const gex_Event_t event = mine_.Begin();
  ASSERT_NE(event, GEX_EVENT_INVALID);
  EXPECT_FALSE(Of(event).IsOver());
  EXPECT_EQ(theirs_.Begin(), GEX_EVENT_INVALID);
  EXPECT_TRUE(Of(event).IsOver());
  Of(event).Release();
}

TEST_F(HostBarriersTest, ManyUnderWayAreApart) {
  constexpr int kMany = 7;
  std::vector<gex_Event_t> events;
  for (int i = 0; i < kMany; ++i) {
    events.push_back(mine_.Begin());
    for (int j = 0; j < i; ++j) ASSERT_NE(events[j], events[i]);
  }
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(theirs_.Begin(), GEX_EVENT_INVALID);
    for (int j = 0; j < kMany; ++j) EXPECT_EQ(Of(events[j]).IsOver(), j <= i);
  }
  for (const gex_Event_t event : events) Of(event).Release();
}

TEST_F(HostBarriersTest, ARecordOfOneThatIsSyncedIsUsedAgain) {
  const gex_Event_t first = mine_.Begin();
  const gex_Event_t second = mine_.Begin();
  EXPECT_EQ(theirs_.Begin(), GEX_EVENT_INVALID);
  Of(first).Release();
  const gex_Event_t third = mine_.Begin();
  EXPECT_EQ(third, first);
  EXPECT_EQ(theirs_.Begin(), GEX_EVENT_INVALID);
  EXPECT_TRUE(Of(second).IsOver());
  EXPECT_FALSE(Of(third).IsOver());
  EXPECT_EQ(theirs_.Begin(), GEX_EVENT_INVALID);
  EXPECT_TRUE(Of(third).IsOver());
  Of(second).Release();
  Of(third).Release();
}

}  // namespace
}  // namespace gasnet::ex
