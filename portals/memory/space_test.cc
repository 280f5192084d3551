#include "portals/memory/space.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "portals/memory/extent.h"
#include "portals/testing/least_region.h"
#include "portals/testing/no_descriptors.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

constexpr uint64_t kStart = 1 << 20;  // the owner's address
constexpr uint64_t kSize = 4096;

// The mapped file of a peer. The peer is this process.
class SpaceTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    ASSERT_TRUE(region_.valid());
    ASSERT_EQ(ftruncate(file_.get(), kSize), 0);
    struct stat about;
    ASSERT_EQ(fstat(file_.get(), &about), 0);
    *view_.Map(0) = {.start = kStart,
                     .length = kSize,
                     .file_offset = 0,
                     .device = about.st_dev,
                     .inode = about.st_ino,
                     .descriptor = file_.get(),
                     .writable = 1};
  }
  // Sets the lengths of the mapping and of the file. Call it before the file is
  // mapped.
  void Resize(uint64_t mapping, off_t file) {
    view_.Map(0)->length = mapping;
    ASSERT_EQ(ftruncate(file_.get(), file), 0);
  }
  std::byte* MappedAt(uint64_t offset) {
    return space_.Mapped(kStart + offset, 8, 1, Access::kWrite);
  }
  std::byte* Mapped() { return MappedAt(8); }

  static constexpr Counts kCounts = LeastCounts();
  Region region_ = MakeRegion(kCounts);
  View view_{region_.memory(), kCounts};
  UniqueFd file_{memfd_create("a peer's", MFD_CLOEXEC)};
  Space space_{view_, getpid(), false};
};

TEST_F(SpaceTest, ReachesAFileOfThePeer) {
  std::byte* const at = Mapped();
  ASSERT_NE(at, nullptr);
  *at = std::byte{7};
  std::byte byte;
  ASSERT_EQ(pread(file_.get(), &byte, 1, 8), 1);
  EXPECT_EQ(byte, std::byte{7});
  EXPECT_EQ(Mapped(), at);
}

TEST_F(SpaceTest, MapsTheLastPageOfAFileThatEndsInIt) {
  Resize(2 * kSize, kSize + 100);
  std::byte* const at = MappedAt(kSize + 200);
  ASSERT_NE(at, nullptr);
  *at = std::byte{7};
}

TEST_F(SpaceTest, MapsNoMoreThanTheFileHas) {
  Resize(3 * kSize, kSize);
  std::byte* const at = Mapped();
  ASSERT_NE(at, nullptr);
  *at = std::byte{7};
  EXPECT_EQ(MappedAt(kSize), nullptr);
  EXPECT_EQ(MappedAt(kSize - 4), nullptr) << "half of it";
}

TEST_F(SpaceTest, MapsNothingThatBeginsBehindTheFile) {
  Resize(kSize, 0);
  EXPECT_EQ(Mapped(), nullptr);
}

TEST_F(SpaceTest, MapsLaterWhatItCouldNotMap) {
  {
    const NoDescriptors none;
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(Mapped(), nullptr);
  }
  uint32_t more = 0;
  while (more < kMaxUsesUnmapped && Mapped() == nullptr) ++more;
  EXPECT_LT(more, kMaxUsesUnmapped);
  EXPECT_GT(more, 0U) << "it is not tried each time";
}

// A process can access its own memory even if no descriptor is left to check
// the mappings.
TEST_F(SpaceTest, OwnMemoryIsThereThoughWeCannotLook) {
  Space own(view_, getpid(), true);
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  Extent extent;
  extent.space = &own;
  extent.start = reinterpret_cast<uint64_t>(memory);
  const uint64_t value = 7;
  uint64_t seen = 0;
  const NoDescriptors none;
  EXPECT_TRUE(CopyIn(extent, 8, &value, sizeof value));
  EXPECT_TRUE(CopyOut(&seen, extent, 8, sizeof seen));
  EXPECT_EQ(seen, value);
  munmap(memory, kSize);
  EXPECT_FALSE(CopyIn(extent, 8, &value, sizeof value));
  EXPECT_FALSE(CopyOut(&seen, extent, 8, sizeof seen));
}

}  // namespace
}  // namespace gasnet::portals4
