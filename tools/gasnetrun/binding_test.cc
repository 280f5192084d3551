#include "tools/gasnetrun/binding.h"

#include <vector>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

using CpuSets = std::vector<std::vector<int>>;

// Three cores. Two of them have two hardware threads each.
const CpuSets kCores = {{0, 4}, {1, 5}, {2}};

TEST(BindingTest, NoneBindsNobody) {
  EXPECT_TRUE(AssignCpus(Binding::kNone, 4, kCores).empty());
}

TEST(BindingTest, CpuAndCoreGoInTurn) {
  EXPECT_EQ(AssignCpus(Binding::kCpu, 6, kCores),
            (CpuSets{{0}, {4}, {1}, {5}, {2}, {0}}));
  EXPECT_EQ(AssignCpus(Binding::kCore, 4, kCores),
            (CpuSets{{0, 4}, {1, 5}, {2}, {0, 4}}));
}

TEST(BindingTest, SpreadUsesEveryCpu) {
  EXPECT_EQ(AssignCpus(Binding::kSpread, 1, kCores),
            (CpuSets{{0, 4, 1, 5, 2}}));
  EXPECT_EQ(AssignCpus(Binding::kSpread, 2, kCores),
            (CpuSets{{0, 4}, {1, 5, 2}}));
  EXPECT_EQ(AssignCpus(Binding::kSpread, 5, kCores),
            (CpuSets{{0}, {4}, {1}, {5}, {2}}));
  const CpuSets shared = AssignCpus(Binding::kSpread, 10, kCores);
  ASSERT_EQ(shared.size(), 10u);
  for (const auto& cpus : shared) EXPECT_EQ(cpus.size(), 1u);
}

TEST(BindingTest, OnOneHostOfSeveral) {
  EXPECT_EQ(AssignCpusOnHost(Binding::kCpu, {0, 1, 0, 1}, 1, kCores),
            (CpuSets{{}, {0}, {}, {4}}));
  EXPECT_TRUE(AssignCpusOnHost(Binding::kNone, {0, 1}, 1, kCores).empty());
}

TEST(BindingTest, Names) {
  EXPECT_EQ(ParseBinding("Core"), Binding::kCore);
  EXPECT_EQ(ParseBinding("spread"), Binding::kSpread);
  EXPECT_EQ(ParseBinding(""), std::nullopt);
}

TEST(BindingTest, EveryAllowedCpuIsInOneCore) {
  size_t cpus = 0;
  for (const auto& core : AllowedCores()) cpus += core.size();
  EXPECT_GE(cpus, 1u);
}

}  // namespace
}  // namespace gasnet::gasnetrun
