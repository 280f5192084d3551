#include "core/am/check_records.h"

#include "gtest/gtest.h"

namespace gasnet::am {
namespace {

constexpr size_t kBegin = 8;
constexpr Segment kSegment{0x10000, 1000};
constexpr size_t kMaxMedium = 100;

class CheckRecordsTest : public ::testing::Test {
 protected:
  void Add(Category category, size_t nbytes, uintptr_t address = 0,
           bool payload_sent = false, EndpointIndex endpoint = 0) {
    static const std::byte payload[kMaxMedium + 1] = {};
    end_ = EncodeMessage(frame_, end_,
                         {.category = category,
                          .payload_sent = payload_sent,
                          .endpoint = endpoint,
                          .payload = payload,
                          .nbytes = nbytes,
                          .dest_addr = reinterpret_cast<void*>(address)});
  }
  unsigned Check() { return CheckRecords(3, {frame_, end_}, kBegin, limits_); }

  RecordLimits limits_ = {.segments = {{kSegment}}, .max_medium = kMaxMedium};

  alignas(16) std::byte frame_[512] = {};
  size_t end_ = kBegin;
};

TEST_F(CheckRecordsTest, CountsThem) {
  EXPECT_EQ(Check(), 0u);
  Add(Category::kShort, 0);
  EXPECT_EQ(Check(), 1u);
  Add(Category::kMedium, 100);
  Add(Category::kLong, 100, kSegment.base);
  Add(Category::kLong, 100, kSegment.base + 900);
  EXPECT_EQ(Check(), 4u);
}

TEST_F(CheckRecordsTest, OneThatIsMalformedSpoilsTheFrame) {
  Add(Category::kShort, 0);
  const size_t second = end_;
  Add(Category::kShort, 0);
  frame_[second + 2] = std::byte{kMaxArgs + 1};
  EXPECT_EQ(Check(), 0u);
}

TEST_F(CheckRecordsTest, AMediumThatIsTooLongSpoilsTheFrame) {
  Add(Category::kMedium, kMaxMedium);
  EXPECT_EQ(Check(), 1u);
  Add(Category::kMedium, kMaxMedium + 1);
  EXPECT_EQ(Check(), 0u);
}

TEST_F(CheckRecordsTest, ALongMayBeLongerThanAMedium) {
  Add(Category::kLong, kMaxMedium + 1, kSegment.base);
  Add(Category::kLong, kSegment.size, kSegment.base, true);
  EXPECT_EQ(Check(), 2u);
}

TEST_F(CheckRecordsTest, AnEmptyLongMayGoAnywhere) {
  Add(Category::kLong, 0, 1);
  EXPECT_EQ(Check(), 1u);
}

TEST_F(CheckRecordsTest, EachEndpointHasASegmentOfItsOwn) {
  limits_.segments[31] = {0x20000, 10};
  Add(Category::kLong, 100, kSegment.base);
  Add(Category::kLong, 10, 0x20000, false, 31);
  EXPECT_EQ(Check(), 2u);
}

using CheckRecordsDeathTest = CheckRecordsTest;

TEST_F(CheckRecordsDeathTest, TheSegmentOfAnotherEndpointIsNone) {
  limits_.segments[31] = {0x20000, 10};
  Add(Category::kLong, 10, kSegment.base, false, 31);
  EXPECT_DEATH(Check(), "outside this rank's segment .0x20000, 0x2000a.");
}

TEST_F(CheckRecordsDeathTest, AnEndpointThatDoesNotExistHasNone) {
  Add(Category::kLong, 1, kSegment.base, false, 1);
  EXPECT_DEATH(Check(), "is outside this rank's segment");
}

TEST_F(CheckRecordsDeathTest, ALongThatLeavesTheSegmentEndsTheJob) {
  Add(Category::kShort, 0);
  Add(Category::kLong, 100, kSegment.base + 901);
  EXPECT_DEATH(Check(),
               "Long active message from rank 3: destination .0x10385, "
               "0x103e9. is outside this rank's segment .0x10000, 0x103e8.");
}

TEST_F(CheckRecordsDeathTest, SoDoesOneWhosePayloadWentAhead) {
  Add(Category::kLong, kSegment.size + 1, kSegment.base, true);
  EXPECT_DEATH(Check(), "is outside this rank's segment");
}

}  // namespace
}  // namespace gasnet::am
