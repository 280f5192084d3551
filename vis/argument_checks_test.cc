// Tests the checks of strided sides, with signed and with unsigned strides.
#include "vis/argument_checks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "extended/argument_checks.h"

namespace gasnet::vis {
namespace {

class ArgumentChecksTest : public ::testing::Test {
 protected:
  ArgumentChecksTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  // Checks both sides of a put to `at` in the segment, and of a get from `at`.
  void Check(size_t at, std::array<ptrdiff_t, 2> strides,
             std::array<size_t, 2> count) {
    const StridedCall put = {&memory_[at],
                             strides.data(),
                             &own_[5000],
                             strides.data(),
                             8,
                             count.data(),
                             2};
    const StridedCall get = {&own_[5000],
                             strides.data(),
                             &memory_[at],
                             strides.data(),
                             8,
                             count.data(),
                             2};
    CheckSide("put", put, TransferKind::kPut);
    CheckSide("get", get, TransferKind::kGet);
    internal::CheckApart("put", put);
  }

  void CheckSide(const char* call, const StridedCall& strided,
                 TransferKind kind) {
    internal::CheckStridedSide(
        call,
        [this](const char* where, const void* address, size_t nbytes) {
          extended::internal::CheckRemote(where, segments_, 0, address, nbytes);
        },
        strided, kind);
  }

  std::array<std::byte, 1000> memory_;
  std::array<std::byte, 10000> own_;
  const std::array<Segment, 1> segments_ = {
      Segment{reinterpret_cast<uintptr_t>(memory_.data()), memory_.size()}};
};

TEST_F(ArgumentChecksTest, BothEndsOfASideAreInTheSegment) {
  Check(0, {8, 100}, {10, 5});
  Check(72, {-8, 100}, {10, 5});
  Check(400, {8, -100}, {10, 5});
  Check(472, {-8, -100}, {10, 5});
  Check(992, {-8, 0}, {125, 1});
  EXPECT_DEATH(Check(71, {-8, 100}, {10, 5}), "put: dstaddr");
  EXPECT_DEATH(Check(399, {8, -100}, {10, 5}), "put: dstaddr");
  EXPECT_DEATH(Check(921, {8, -100}, {10, 5}), "put: dstaddr");
  EXPECT_DEATH(Check(593, {-8, 100}, {10, 5}), "put: dstaddr");
}

TEST_F(ArgumentChecksTest, NoElementsAreNowhere) {
  Check(0, {-1000, -2000}, {0, 5});
  Check(0, {-1000, -2000}, {5, 0});
}

TEST_F(ArgumentChecksTest, ReflectedElementsAreApart) {
  Check(472, {-8, -80}, {10, 5});
  Check(72, {-8, 80}, {10, 5});
  EXPECT_DEATH(Check(500, {-8, 8}, {2, 2}), "put: its destinations overlap");
  EXPECT_DEATH(Check(500, {-7, 100}, {2, 2}), "put: its destinations overlap");
  EXPECT_DEATH(Check(500, {0, 100}, {2, 2}), "put: its destinations overlap");
}

TEST_F(ArgumentChecksTest, NoMemoryIsSoLarge) {
  EXPECT_DEATH(Check(500, {INT64_MIN, 1}, {4, 1}),
               "dststrides.0. is -9223372036854775808, 4 times: no memory");
  EXPECT_DEATH(Check(500, {INT64_MAX, INT64_MIN}, {2, 2}),
               "dststrides.1. is -9223372036854775808, 2 times: no memory");
}

// GASNet-1's strides have no sign. So this stride is large, not negative.
TEST_F(ArgumentChecksTest, StridesWithoutSignsDoNotDescend) {
  const size_t strides[] = {SIZE_MAX - 7};
  const size_t count[] = {8, 2};
  EXPECT_DEATH(CheckSide("put",
                         WithoutSigns(&memory_[500], strides, &own_[0], strides,
                                      count, 1),
                         TransferKind::kPut),
               "dststrides.0. is 18446744073709551608, 2 times: no memory");
}

}  // namespace
}  // namespace gasnet::vis
