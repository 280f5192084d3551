// Tests that landings accept only expected pieces and only names that Open
// returned.
#include "coll/landings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace gasnet::coll {
namespace {

constexpr Rank kSender = 5;

class LandingsTest : public ::testing::Test {
 protected:
  uint64_t Open(size_t nbytes) {
    return landings_.Open(kSender, memory_.data(), nbytes, &landing_);
  }
  bool Takes(uint64_t name, uint64_t offset, size_t nbytes,
             Rank from = kSender) {
    Landing* const it = landings_.Find(from, name, offset, nbytes, true);
    if (it != nullptr) Landings::Count(*it, nbytes);
    return it != nullptr;
  }

  std::array<std::byte, 100> memory_;
  Landings landings_;
  Landing* landing_ = nullptr;
};

TEST_F(LandingsTest, IsCompleteWhenAllBytesHaveComeInAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    const uint64_t name = Open(100);
    std::vector<size_t> at(100);
    for (size_t i = 0; i < at.size(); ++i) at[i] = i;
    std::shuffle(at.begin(), at.end(), random);
    for (const size_t i : at) {
      ASSERT_FALSE(landing_->IsComplete());
      ASSERT_TRUE(Takes(name, i, 1));
    }
    EXPECT_TRUE(landing_->IsComplete());
    EXPECT_FALSE(Takes(name, 0, 1)) << "all of it is there";
    landings_.Close(name);
  }
}

TEST_F(LandingsTest, TakesNothingBeyondItsEnd) {
  const uint64_t name = Open(50);
  EXPECT_FALSE(Takes(name, 0, 51));
  EXPECT_FALSE(Takes(name, 50, 1));
  EXPECT_FALSE(Takes(name, 49, 2));
  EXPECT_FALSE(Takes(name, UINT64_MAX, 2)) << "their sum wraps";
  EXPECT_FALSE(Takes(name, 1, SIZE_MAX));
  EXPECT_TRUE(Takes(name, 49, 1));
}

TEST_F(LandingsTest, TakesNothingFromOthers) {
  const uint64_t name = Open(50);
  EXPECT_FALSE(Takes(name, 0, 1, kSender + 1));
  EXPECT_TRUE(Takes(name, 0, 1));
}

TEST_F(LandingsTest, NeverTakesMoreThanItHasRoomFor) {
  const uint64_t name = Open(50);
  EXPECT_TRUE(Takes(name, 0, 40));
  EXPECT_FALSE(Takes(name, 0, 40)) << "the same bytes again";
  EXPECT_FALSE(Takes(name, 20, 20));
  EXPECT_FALSE(landing_->IsComplete());
  EXPECT_TRUE(Takes(name, 40, 10));
  EXPECT_TRUE(landing_->IsComplete());
}

TEST_F(LandingsTest, LooksWithoutTaking) {
  const uint64_t name = Open(50);
  EXPECT_NE(landings_.Find(kSender, name, 0, 50, false), nullptr);
  EXPECT_NE(landings_.Find(kSender, name, 0, 50, false), nullptr);
  EXPECT_TRUE(Takes(name, 0, 50));
}

TEST_F(LandingsTest, KnowsNoNameThatIsClosedOrWasNeverGiven) {
  const uint64_t name = Open(50);
  EXPECT_FALSE(Takes(name + 1, 0, 1));
  EXPECT_FALSE(Takes(name + (uint64_t{1} << 32), 0, 1));
  EXPECT_FALSE(Takes(name - (uint64_t{1} << 32), 0, 1));
  landings_.Close(name);
  EXPECT_FALSE(Takes(name, 0, 1));
  EXPECT_FALSE(Takes(name + (uint64_t{1} << 32), 0, 1)) << "of the closed one";
  const uint64_t next = Open(50);
  EXPECT_NE(next, name);
  EXPECT_FALSE(Takes(name, 0, 1));
  EXPECT_TRUE(Takes(next, 0, 1));
}

TEST_F(LandingsTest, RandomNamesTouchNothing) {
  std::mt19937_64 random(9);
  const uint64_t name = Open(100);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t other = i % 2 == 0 ? random() : name ^ 1u << random() % 32;
    if (other == name) continue;
    ASSERT_FALSE(Takes(other, random() % 100, random() % 100));
  }
}

}  // namespace
}  // namespace gasnet::coll
