// Tests of payloads that peers fetch. Each payload in a buffer is offered to
// one peer. The buffer must come back once, when that peer has fetched the
// whole payload.
#include "conduits/portals/offers.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "conduits/portals/testing/fake_portals.h"

namespace gasnet::portals_conduit {
namespace {

constexpr Rank kPeer = 1;
constexpr Rank kOther = 2;

class OffersTest : public ::testing::Test {
 protected:
  OffersTest() {
    settings_.msg_limit = 8;
    settings_.sb_chunks = 4;
    settings_.rpl_chunks = 2;
    settings_.chunk = 1024;
    settings_.credits.mode = credits::Mode::kOff;
    absl::StatusOr<Plan> plan = Plan::For(2, /*threads=*/true, settings_);
    EXPECT_TRUE(plan.ok()) << plan.status();
    absl::StatusOr<std::unique_ptr<ConduitInterface>> opened =
        ConduitInterface::Open(settings_, *plan);
    EXPECT_TRUE(opened.ok()) << opened.status();
    interface_ = *std::move(opened);
    offers_ = std::make_unique<Offers>(*interface_);
    EXPECT_TRUE(offers_->Start().ok());
  }

  uint32_t Offer(Lane lane, Rank peer, size_t nbytes) {
    const std::optional<uint32_t> index = offers_->Take(lane);
    EXPECT_TRUE(index.has_value());
    offers_->Begin(*index, peer, nbytes);
    return *index;
  }
  // Handles the event of a get that begins at `at` in the buffer.
  bool Fetch(Rank peer, uint32_t index, size_t at, size_t nbytes) {
    ptl_event_t event = {};
    event.type = PTL_EVENT_GET;
    event.initiator.rank = peer;
    event.remote_offset = uint64_t{index} * kFetchedBytes + at;
    event.mlength = nbytes;
    return offers_->Fetched(event);
  }
  size_t FreeOf(Lane lane) {
    size_t count = 0;
    while (offers_->Take(lane).has_value()) ++count;
    return count;
  }
  bool IsOffered() {
    return offers_->IsOfferedTo([](Rank) { return true; });
  }

  FakePortals fake_;
  PortalsSettings settings_ = {};
  std::unique_ptr<ConduitInterface> interface_;
  std::unique_ptr<Offers> offers_;
};

TEST_F(OffersTest, ABufferComesBackWhenItIsFetched) {
  const uint32_t index = Offer(Lane::kReply, kPeer, kFetchedBytes);
  EXPECT_TRUE(offers_->IsOfferedTo([](Rank rank) { return rank == kPeer; }));
  EXPECT_FALSE(offers_->IsOfferedTo([](Rank rank) { return rank == kOther; }));
  EXPECT_TRUE(Fetch(kPeer, index, 0, kFetchedBytes));
  EXPECT_FALSE(IsOffered());
  EXPECT_EQ(FreeOf(Lane::kReply), kOffersEach);
}

TEST_F(OffersTest, ItComesBackWithTheLastOfItsParts) {
  const uint32_t index = Offer(Lane::kRequest, kPeer, 3000);
  EXPECT_TRUE(Fetch(kPeer, index, 0, 1000));
  EXPECT_TRUE(Fetch(kPeer, index, 1000, 1999));
  EXPECT_TRUE(IsOffered());
  EXPECT_TRUE(Fetch(kPeer, index, 2999, 1));
  EXPECT_FALSE(IsOffered());
  EXPECT_EQ(FreeOf(Lane::kRequest), kOffersEach);
}

TEST_F(OffersTest, LanesAndBuffersAreApart) {
  std::array<bool, kLanes* kOffersEach> seen = {};
  for (const Lane lane : {Lane::kRequest, Lane::kReply}) {
    for (uint32_t i = 0; i < kOffersEach; ++i) {
      const uint32_t index = Offer(lane, kPeer, 100);
      ASSERT_LT(index, seen.size());
      EXPECT_FALSE(seen[index]);
      seen[index] = true;
    }
    EXPECT_FALSE(offers_->Take(lane).has_value());
  }
  EXPECT_EQ(offers_->At(1) - offers_->At(0),
            static_cast<ptrdiff_t>(kFetchedBytes));
}

TEST_F(OffersTest, NobodyFetchesWhatIsNotOfferedToIt) {
  const uint32_t index = Offer(Lane::kRequest, kPeer, 100);
  EXPECT_FALSE(Fetch(kOther, index, 0, 100)) << "of another";
  EXPECT_FALSE(Fetch(kPeer, index + 1, 0, 100)) << "of no offer";
  EXPECT_FALSE(Fetch(kPeer, index, 0, 101)) << "more";
  EXPECT_FALSE(Fetch(kPeer, index, 0, 0)) << "nothing";
  EXPECT_FALSE(Fetch(kPeer, kLanes * kOffersEach, 0, 1)) << "outside";
  EXPECT_TRUE(Fetch(kPeer, index, 0, 100));
  EXPECT_FALSE(Fetch(kPeer, index, 0, 100)) << "twice";
  EXPECT_EQ(FreeOf(Lane::kRequest), kOffersEach);
}

TEST_F(OffersTest, WhatAPeerHeldComesBackWhenItIsGivenUp) {
  const uint32_t lost = Offer(Lane::kReply, kPeer, 100);
  const uint32_t kept = Offer(Lane::kReply, kOther, 100);
  EXPECT_TRUE(Fetch(kPeer, lost, 0, 40));
  offers_->TakeBack([](Rank rank) { return rank == kPeer; });
  EXPECT_FALSE(Fetch(kPeer, lost, 40, 60)) << "late";
  EXPECT_TRUE(Fetch(kOther, kept, 0, 100));
  EXPECT_EQ(FreeOf(Lane::kReply), kOffersEach);
}

}  // namespace
}  // namespace gasnet::portals_conduit
