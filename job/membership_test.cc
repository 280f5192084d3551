#include "job/membership.h"

#include "gtest/gtest.h"

namespace gasnet::job {
namespace {

TEST(MembershipTest, IsAloneFromTheStart) {
  const Membership alone;
  EXPECT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone.host_rank(), 0u);
  EXPECT_EQ(alone.host_size(), 1u);
}

TEST(MembershipTest, CountsRanksOfItsHostAlone) {
  Membership membership = {.host_of = {0, 1, 0, 1, 1, 2}};
  const uint32_t host_ranks[] = {0, 0, 1, 1, 2, 0};
  const uint32_t host_sizes[] = {2, 3, 2, 3, 3, 1};
  for (uint32_t rank = 0; rank < membership.size(); ++rank) {
    membership.rank = rank;
    EXPECT_EQ(membership.host_rank(), host_ranks[rank]) << rank;
    EXPECT_EQ(membership.host_size(), host_sizes[rank]) << rank;
  }
}

}  // namespace
}  // namespace gasnet::job
