#include "base/cpu.h"

#include <errno.h>
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

TEST(CpuTest, LeavesForAnotherThatIsAllowed) {
  const std::vector<int> cpus = AllowedCpus();
  if (cpus.size() < 2) GTEST_SKIP() << "needs two processors";
  for (const int chosen : cpus) {
    CpuSet avoided;
    for (const int cpu : cpus) {
      if (cpu != chosen) avoided.Add(cpu);
    }
    errno = EDOM;
    EXPECT_EQ(LeaveCpus(avoided), chosen);
    EXPECT_EQ(errno, EDOM);
    EXPECT_EQ(AllowedCpus(), cpus) << "free to go anywhere afterwards";
  }
}

TEST(CpuTest, StaysWhereNoOtherIsAllowed) {
  const std::vector<int> cpus = AllowedCpus();
  CpuSet avoided;
  for (const int cpu : cpus) avoided.Add(cpu);
  errno = EDOM;
  EXPECT_EQ(LeaveCpus(avoided), -1);
  EXPECT_EQ(errno, EDOM);
  EXPECT_EQ(AllowedCpus(), cpus);
}

TEST(CpuSetTest, HoldsCpusThatThereCanBe) {
  CpuSet set;
  constexpr int kLast = CpuSet::kMax - 1;
  for (const int cpu : {-1, 0, kLast, kLast + 1}) set.Add(cpu);
  EXPECT_TRUE(set.Has(0));
  EXPECT_TRUE(set.Has(kLast));
  for (const int cpu : {-1, 1, kLast + 1}) EXPECT_FALSE(set.Has(cpu));
}

}  // namespace
}  // namespace gasnet
