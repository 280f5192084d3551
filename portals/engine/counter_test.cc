#include "portals/engine/counter.h"

#include "gtest/gtest.h"

namespace gasnet::portals4 {
namespace {

// Peers may still be at what waited for the counter that had the slot before.
TEST(CounterTest, IsOpenedAnewWithWhoStillRunsWhatIsDue) {
  IdentifyThisProcess();
  CtRecord ct = {};
  OpenCounter(ct);
  ASSERT_TRUE(ct.runner.TryAcquire());
  ct.running.store(5, std::memory_order_relaxed);
  ct.success.store(7, std::memory_order_relaxed);
  OpenCounter(ct);
  EXPECT_FALSE(ct.runner.TryAcquire());
  EXPECT_EQ(5u, ct.running.load(std::memory_order_relaxed));
  EXPECT_EQ(0u, Total(ct));
  ct.runner.Release();
}

}  // namespace
}  // namespace gasnet::portals4
