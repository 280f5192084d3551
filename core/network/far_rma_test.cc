// A conduit's transfers are its network's, where it has one; and what every
// network has.
#include "core/network/far_rma.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <span>

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

// The requirements of every network; declared alone.
struct WholeNetwork {
  absl::Status Start();
  am::Post Send(Rank, am::Lane, const am::Message&);
  unsigned Poll(am::Lanes, am::Dispatcher&, bool);
  uint32_t receipts() const;
  size_t MaxMedium() const;
  size_t MaxLong() const;
  void ServeTimers();
  int64_t NextDeadline() const;
  int fd() const;
  struct Exposed {};
  absl::StatusOr<Exposed> Expose(const Segment&);
  void Attach(std::span<const Segment>, std::span<const Exposed>);
  void Drain(bool);
};
static_assert(Network<WholeNetwork>);
#define WITHOUT(member)                    \
  struct Without_##member : WholeNetwork { \
    void member() = delete;                \
  };                                       \
  static_assert(!Network<Without_##member>)

WITHOUT(Start);
WITHOUT(Send);
WITHOUT(Poll);
WITHOUT(receipts);
WITHOUT(MaxMedium);
WITHOUT(MaxLong);
WITHOUT(ServeTimers);
WITHOUT(NextDeadline);
WITHOUT(fd);
WITHOUT(Expose);
WITHOUT(Attach);
WITHOUT(Drain);

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
