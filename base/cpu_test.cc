#include "base/cpu.h"

#include <sched.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

TEST(CpuTest, AllowedCpusAreAscendingAndRunnable) {
  const std::vector<int> cpus = AllowedCpus();
  ASSERT_FALSE(cpus.empty());
  EXPECT_TRUE(std::is_sorted(cpus.begin(), cpus.end()));
  EXPECT_TRUE(std::binary_search(cpus.begin(), cpus.end(), sched_getcpu()));
}

TEST(CpuTest, OnlineCpusFollowsTheAffinityMask) {
  std::thread([] {
    const int only = AllowedCpus().back();
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(only, &mask);
    ASSERT_EQ(sched_setaffinity(0, sizeof mask, &mask), 0);
    EXPECT_EQ(OnlineCpus(), 1u);
    EXPECT_EQ(AllowedCpus(), std::vector<int>{only});
  }).join();
}

}  // namespace
}  // namespace gasnet
