// Tests of peers that a network cannot reach.
#include "core/network/lost_peers.h"

#include <gtest/gtest.h>

namespace gasnet::network {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

bool Stays(Rank) { return false; }

TEST(LostPeersTest, ThoseThatHaveLeftAreForgotten) {
  LostPeers lost;
  lost.Note(3, "request to rank 3 failed", 0);
  lost.Note(5, "request to rank 5 failed", 0);
  lost.Look(Stays, kSecond);
  EXPECT_FALSE(lost.IsEmpty());
  lost.Look([](Rank rank) { return rank == 3; }, 2 * kSecond);
  EXPECT_FALSE(lost.IsEmpty());
  lost.Look([](Rank rank) { return rank == 5; }, 60 * kSecond);
  EXPECT_TRUE(lost.IsEmpty());
}

// The time counts from the first failure, and the message describes that
// failure.
TEST(LostPeersDeathTest, WhoHasNotLeftEndsTheJob) {
  LostPeers lost;
  lost.Note(3, "request to rank 3 failed: no route", 0);
  lost.Note(3, "put of 8 bytes to rank 3 failed", 4 * kSecond);
  lost.Look(Stays, 4 * kSecond);
  EXPECT_DEATH(lost.Look(Stays, 6 * kSecond),
               "request to rank 3 failed: no route");
}

}  // namespace
}  // namespace gasnet::network
