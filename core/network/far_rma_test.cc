// A conduit's transfers are its network's, where it has one.
#include "core/network/far_rma.h"

#include <gtest/gtest.h>

#include "core/am/message.h"
#include "core/network/network.h"
#include "core/rma/rma.h"

namespace gasnet::network {
namespace {

constexpr Rank kFar = 2;

struct FakeRma {
  rma::Posted Post(const rma::Put& put) {
    return {rma::PostState::kDone, put.nbytes};
  }
  rma::Posted Post(const rma::Get&) { return {}; }
  bool Reaches(Rank peer) const { return peer == kFar; }
  const rma::Thresholds& thresholds() const { return least; }

  rma::Thresholds least = {.put = 5, .get = 6};
};
struct FakeNetwork {
  FakeRma& rma() { return fake; }

  FakeRma fake;
};
struct NetworkWithout {};
static_assert(NetworkHasRma<FakeNetwork> && !NetworkHasRma<NetworkWithout>);
static_assert(rma::Rma<FarRma<FakeNetwork>>);

TEST(FarRmaTest, IsTheNetworks) {
  FakeNetwork network;
  FarRma<FakeNetwork> far(&network);
  EXPECT_TRUE(far.Reaches(kFar));
  EXPECT_FALSE(far.Reaches(0));
  EXPECT_EQ(far.thresholds().put, 5u);
  EXPECT_EQ(far.Post(rma::Put{.nbytes = 7}).nbytes, 7u);
  EXPECT_EQ(far.Post(rma::Get{.nbytes = 7}).state, rma::PostState::kRetry);
}

TEST(FarRmaTest, ReachesNobodyWithoutANetwork) {
  EXPECT_FALSE(FarRma<FakeNetwork>(nullptr).Reaches(kFar));
}

}  // namespace
}  // namespace gasnet::network
