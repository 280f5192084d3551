// Tests of the local memory of an operation when no descriptor covers all
// memory. They check how many bytes the operation gets, and through which
// descriptor.
#include "conduits/portals/local_memory.h"
#include "absl/status/statusor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "conduits/portals/testing/fake_portals.h"

namespace gasnet::portals_conduit {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kKiB = 1024;

alignas(kPage) std::byte memory[1024 * kKiB];

class LocalMemoryTest : public ::testing::Test {
 protected:
  LocalMemoryTest() {
    fake_.longest = 1 << 20;
    settings_.msg_limit = 16;
    settings_.sb_chunks = 2;
    settings_.chunk = 2048;
    settings_.registration = {.put_bounce = 2048,
                              .get_bounce = 2040,
                              .firehose = true,
                              .temporaries = 2,
                              .regions = 2,
                              .region_bytes = 128 * kKiB,
                              .cached_bytes = 256 * kKiB};
  }

  void Start() {
    Plan plan;
    plan.chunk = settings_.chunk;
    absl::StatusOr<std::unique_ptr<ConduitInterface>> opened =
        ConduitInterface::Open(settings_, plan);
    ASSERT_TRUE(opened.ok()) << opened.status();
    interface_ = *std::move(opened);
    local_ = std::make_unique<LocalMemory>(*interface_, settings_, statistics_);
    ASSERT_TRUE(local_->Start().ok());
    ASSERT_EQ(fake_.bound.size(), 1u);
  }

  // Returns the range that a piece's descriptor covers.
  FakePortals::Range RangeOf(const LocalMemory::Piece& piece) const {
    return fake_.bound.at(piece.window.handle.incarnation);
  }
  bool IsCovered(const LocalMemory::Piece& piece) const {
    const FakePortals::Range range = RangeOf(piece);
    const auto at = reinterpret_cast<uintptr_t>(piece.at);
    return piece.window.start == range.start && at >= range.start &&
           at + piece.nbytes <= range.start + range.length;
  }

  FakePortals fake_;
  PortalsSettings settings_ = {};
  PortalsStatistics statistics_{true};
  std::unique_ptr<ConduitInterface> interface_;
  std::unique_ptr<LocalMemory> local_;
};

TEST_F(LocalMemoryTest, TheSegmentHasDescriptorsOfItsOwn) {
  fake_.longest = 64 * kKiB;
  Start();
  const Segment segment = {reinterpret_cast<uintptr_t>(memory), 160 * kKiB};
  local_->CoverSegment(segment);
  EXPECT_EQ(fake_.bound.size(), 1u + 3u);
  const LocalMemory::Piece first =
      local_->ForPut(memory + 60 * kKiB, 100 * kKiB);
  EXPECT_EQ(first.nbytes, 4 * kKiB);
  EXPECT_EQ(first.at, memory + 60 * kKiB);
  EXPECT_TRUE(IsCovered(first));
  const LocalMemory::Piece last =
      local_->ForGet(memory + 150 * kKiB, 100 * kKiB);
  EXPECT_EQ(last.nbytes, 10 * kKiB);
  EXPECT_TRUE(IsCovered(last));
  EXPECT_EQ(last.hold.of, Hold::Of::kNothing);
  EXPECT_NE(local_->WindowOf(memory, 64 * kKiB), nullptr);
  EXPECT_EQ(local_->WindowOf(memory + 1, 64 * kKiB), nullptr);
  EXPECT_EQ(local_->WindowOf(memory + 160 * kKiB, 1), nullptr);
}

// The segment may use only half of the descriptors.
TEST_F(LocalMemoryTest, ASegmentThatTakesTooManyHasNone) {
  fake_.most_bound = 4000;
  fake_.longest = 64 * kKiB;
  Start();
  const size_t left = interface_->most_bound() - interface_->bound();
  const uintptr_t base = 1 << 20;
  local_->CoverSegment({base, ((left + 1) / 2 + 1) * 64 * kKiB});
  EXPECT_EQ(fake_.bound.size(), 1u);
  EXPECT_EQ(local_->WindowOf(reinterpret_cast<void*>(base), 1), nullptr);
  local_->CoverSegment({base, (left + 1) / 2 * 64 * kKiB});
  EXPECT_NE(local_->WindowOf(reinterpret_cast<void*>(base), 1), nullptr);
}

TEST_F(LocalMemoryTest, AShortPutIsCopiedAtOnce) {
  Start();
  std::memset(memory, 7, 2048);
  const LocalMemory::Piece piece = local_->ForPut(memory, 2048);
  ASSERT_EQ(piece.hold.of, Hold::Of::kBounce);
  EXPECT_EQ(piece.nbytes, 2048u);
  EXPECT_TRUE(IsCovered(piece));
  EXPECT_EQ(std::memcmp(piece.at, memory, 2048), 0);
  EXPECT_EQ(local_->BouncedBy(piece.hold), piece.at);
}

TEST_F(LocalMemoryTest, LimitsOfBounceBuffersAreOfPutsAndOfGets) {
  settings_.registration.put_bounce = 8;
  Start();
  EXPECT_EQ(local_->ForPut(memory, 8).hold.of, Hold::Of::kBounce);
  EXPECT_EQ(local_->ForPut(memory, 9).hold.of, Hold::Of::kRegion);
  EXPECT_EQ(local_->ForGet(memory, 2040).hold.of, Hold::Of::kBounce);
  EXPECT_EQ(local_->ForGet(memory, 2041).hold.of, Hold::Of::kRegion);
}

TEST_F(LocalMemoryTest, WithoutABounceBufferThereIsARegion) {
  Start();
  const LocalMemory::Piece first = local_->ForPut(memory, 8);
  EXPECT_EQ(local_->ForPut(memory, 8).hold.of, Hold::Of::kBounce);
  EXPECT_EQ(local_->ForPut(memory, 8).hold.of, Hold::Of::kRegion);
  local_->Return(first.hold);
  EXPECT_EQ(local_->ForPut(memory, 8).hold.of, Hold::Of::kBounce);
}

TEST_F(LocalMemoryTest, ARegionServesWhoComesNext) {
  Start();
  const LocalMemory::Piece piece = local_->ForPut(memory + 100, 200 * kKiB);
  EXPECT_EQ(piece.hold.of, Hold::Of::kRegion);
  EXPECT_EQ(piece.nbytes, 128 * kKiB - 100);
  EXPECT_TRUE(IsCovered(piece));
  EXPECT_EQ(RangeOf(piece).length, 128 * kKiB);
  local_->Return(piece.hold);
  const LocalMemory::Piece again = local_->ForGet(memory + 8 * kKiB, 4 * kKiB);
  EXPECT_EQ(again.nbytes, 4 * kKiB);
  EXPECT_TRUE(IsCovered(again));
  EXPECT_EQ(statistics_[Counted::kBinds], 1u);
  EXPECT_EQ(statistics_[Counted::kReleases], 0u);
}

TEST_F(LocalMemoryTest, WhereAllRegionsAreInUseThereIsNoneNow) {
  Start();
  const LocalMemory::Piece first = local_->ForPut(memory, 4 * kKiB);
  const LocalMemory::Piece second =
      local_->ForPut(memory + 64 * kKiB, 4 * kKiB);
  EXPECT_EQ(second.nbytes, 4 * kKiB);
  EXPECT_EQ(local_->ForPut(memory + 256 * kKiB, 4 * kKiB).nbytes, 0u);
  EXPECT_EQ(statistics_[Counted::kNoLocalMemory], 1u);
  local_->Return(second.hold);
  local_->Return(first.hold);
  EXPECT_EQ(local_->ForPut(memory + 256 * kKiB, 4 * kKiB).nbytes, 4 * kKiB);
  EXPECT_EQ(statistics_[Counted::kReleases], 1u);
  // The second region has been idle for longer than the first. So the second
  // region was removed.
  EXPECT_EQ(local_->ForPut(memory, 4 * kKiB).nbytes, 4 * kKiB);
  EXPECT_EQ(statistics_[Counted::kBinds], 3u);
}

TEST_F(LocalMemoryTest, WithoutFirehoseARegionEndsWithItsUsers) {
  settings_.registration.firehose = false;
  Start();
  const LocalMemory::Piece first = local_->ForPut(memory, 300 * kKiB);
  EXPECT_EQ(first.nbytes, 300 * kKiB);
  const LocalMemory::Piece second = local_->ForGet(memory, 4 * kKiB);
  local_->Return(first.hold);
  EXPECT_EQ(statistics_[Counted::kReleases], 0u);
  local_->Return(second.hold);
  EXPECT_EQ(statistics_[Counted::kReleases], 1u);
  EXPECT_EQ(fake_.bound.size(), 1u);
}

TEST_F(LocalMemoryTest, WhatPortalsStillUsesIsReleasedLater) {
  settings_.registration.firehose = false;
  settings_.registration.temporaries = 1;
  Start();
  fake_.busy = 1;
  local_->Return(local_->ForPut(memory, 4 * kKiB).hold);
  EXPECT_EQ(statistics_[Counted::kReleases], 0u);
  const LocalMemory::Piece next = local_->ForPut(memory + 64 * kKiB, 4 * kKiB);
  EXPECT_EQ(next.hold.of, Hold::Of::kRegion);
  EXPECT_EQ(next.nbytes, 4 * kKiB);
  EXPECT_EQ(statistics_[Counted::kReleases], 1u);
}

// No region is in use, so no event would end a wait for a descriptor. The first
// bytes must go through a bounce buffer.
TEST_F(LocalMemoryTest, WhereNothingIsInUseAndNothingBindsABufferDoes) {
  fake_.most_bound = 1;
  Start();
  const LocalMemory::Piece piece = local_->ForPut(memory, 100 * kKiB);
  EXPECT_EQ(piece.hold.of, Hold::Of::kBounce);
  EXPECT_EQ(piece.nbytes, 2048u);
  EXPECT_EQ(local_->ForGet(memory, 100 * kKiB).nbytes, 2048u);
  EXPECT_EQ(local_->ForGet(memory, 100 * kKiB).nbytes, 0u);
  local_->Return(piece.hold);
  EXPECT_EQ(local_->ForGet(memory, 100 * kKiB).nbytes, 2048u);
}

TEST_F(LocalMemoryTest, WhatIsTooLongForPortalsIsHalved) {
  settings_.registration.firehose = false;
  fake_.longest = 64 * kKiB;
  Start();
  const LocalMemory::Piece piece = local_->ForPut(memory, 512 * kKiB);
  EXPECT_EQ(piece.nbytes, 64 * kKiB);
  EXPECT_TRUE(IsCovered(piece));
  const size_t asked = fake_.descriptors;
  EXPECT_EQ(local_->ForPut(memory + 512 * kKiB, 512 * kKiB).nbytes, 64 * kKiB);
  EXPECT_EQ(fake_.descriptors, asked + 1);
}

// Descriptors outside of the cache also count toward the limit of Portals.
TEST_F(LocalMemoryTest, AnIdleRegionMakesRoomForPortalsToo) {
  fake_.most_bound = 2;
  Start();
  local_->Return(local_->ForPut(memory, 4 * kKiB).hold);
  const LocalMemory::Piece next = local_->ForPut(memory + 64 * kKiB, 4 * kKiB);
  EXPECT_EQ(next.hold.of, Hold::Of::kRegion);
  EXPECT_EQ(statistics_[Counted::kReleases], 1u);
}

}  // namespace
}  // namespace gasnet::portals_conduit
