#include "core/supernodes.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet {
namespace {

using Numbers = std::vector<uint32_t>;

TEST(SupernodesTest, AHostIsOneWhenItFits) {
  EXPECT_EQ(Supernodes(Numbers{0, 0, 0}, 8), (Numbers{0, 0, 0}));
}

TEST(SupernodesTest, AHostIsDividedInOrderOfRank) {
  EXPECT_EQ(Supernodes(Numbers{0, 0, 0, 0, 0}, 2), (Numbers{0, 0, 1, 1, 2}));
}

TEST(SupernodesTest, HostsDoNotMix) {
  EXPECT_EQ(Supernodes(Numbers{0, 1, 0, 1, 0}, 2), (Numbers{0, 1, 0, 1, 2}));
}

TEST(SupernodesTest, OneEach) {
  EXPECT_EQ(Supernodes(Numbers{0, 0, 1}, 1), (Numbers{0, 1, 2}));
}

}  // namespace
}  // namespace gasnet
