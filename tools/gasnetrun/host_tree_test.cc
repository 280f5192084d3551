#include "tools/gasnetrun/host_tree.h"

#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::gasnetrun {
namespace {

constexpr std::nullopt_t kHere = std::nullopt;

HostTree OfHosts(size_t hosts, uint32_t out_degree) {
  return PlantTree(std::vector<bool>(hosts, true), out_degree);
}

TEST(HostTreeTest, WithDegreeZeroAllAreReachedFromHere) {
  EXPECT_EQ(OfHosts(3, 0), (HostTree{kHere, kHere, kHere}));
}

TEST(HostTreeTest, FewHostsAreReachedFromHere) {
  EXPECT_EQ(OfHosts(2, 2), (HostTree{kHere, kHere}));
}

TEST(HostTreeTest, WithDegreeOneTheyAreAChain) {
  EXPECT_EQ(OfHosts(4, 1), (HostTree{kHere, 0, 1, 2}));
}

TEST(HostTreeTest, EveryHostIsReachedLevelByLevel) {
  EXPECT_EQ(OfHosts(7, 2), (HostTree{kHere, kHere, 0, 0, 1, 1, 2}));
}

TEST(HostTreeTest, NoneHasMoreThanTheDegree) {
  constexpr uint32_t kDegree = 5;
  std::vector<uint32_t> branches(1000, 0);
  uint32_t from_here = 0;
  const HostTree tree = OfHosts(branches.size(), kDegree);
  for (uint32_t host = 0; host < tree.size(); ++host) {
    if (!tree[host].has_value()) {
      ++from_here;
      continue;
    }
    ASSERT_LT(*tree[host], host);
    EXPECT_LE(++branches[*tree[host]], kDegree);
  }
  EXPECT_EQ(from_here, kDegree);
}

TEST(HostTreeTest, WhoIsNotInItIsNobodysWay) {
  EXPECT_EQ(PlantTree({false, true, false, true, true}, 1),
            (HostTree{kHere, kHere, kHere, 1, 3}));
}

}  // namespace
}  // namespace gasnet::gasnetrun
