// Tests that slices are made of events correctly.
#include "tools/gasnet_trace/nesting.h"

#include <cstdint>
#include <functional>
#include <vector>

#include "core/observe/trace_format.h"
#include "gtest/gtest.h"

namespace gasnet::trace {
namespace {

using observe::TraceKind;
using Kind = Slice::Kind;

class NestingTest : public testing::Test {
 protected:
  void Take(int64_t nanos, TraceKind kind, uint16_t id, uint32_t peer = 0,
            uint64_t bytes = 0, uint64_t argument = 0) {
    nesting_.Take(
        {nanos, static_cast<uint16_t>(kind), id, peer, bytes, argument}, keep_);
  }
  void Finish() { nesting_.Finish(keep_); }

  void ExpectSlice(size_t index, Kind kind, uint16_t id, int64_t begin,
                   int64_t end, size_t depth) const {
    SCOPED_TRACE(index);
    ASSERT_LT(index, slices_.size());
    const Slice& slice = slices_[index];
    EXPECT_EQ(slice.kind, kind);
    EXPECT_EQ(slice.id, id);
    EXPECT_EQ(slice.begin, begin);
    EXPECT_EQ(slice.end, end);
    EXPECT_EQ(slice.depth, depth);
  }

  Nesting nesting_;
  std::vector<Slice> slices_;
  const std::function<void(const Slice&)> keep_ = [this](const Slice& slice) {
    slices_.push_back(slice);
  };
};

TEST_F(NestingTest, InnerSlicesEndFirst) {
  Take(10, TraceKind::kCallBegins, 1, 2, 3, 4);
  Take(20, TraceKind::kHandlerBegins, 5, 6, 7);
  Take(30, TraceKind::kCallBegins, 1);
  EXPECT_EQ(nesting_.depth(), 3u);
  Take(40, TraceKind::kCallEnds, 1);
  Take(50, TraceKind::kHandlerEnds, 5);
  EXPECT_EQ(slices_.size(), 2u);
  Take(60, TraceKind::kCallEnds, 1);
  ASSERT_EQ(slices_.size(), 3u);
  ExpectSlice(0, Kind::kCall, 1, 30, 40, 2);
  ExpectSlice(1, Kind::kHandler, 5, 20, 50, 1);
  ExpectSlice(2, Kind::kCall, 1, 10, 60, 0);
  EXPECT_EQ(slices_[1].peer, 6u);
  EXPECT_EQ(slices_[1].bytes, 7u);
  EXPECT_EQ(slices_[2].peer, 2u);
  EXPECT_EQ(slices_[2].bytes, 3u);
  EXPECT_EQ(slices_[2].argument, 4u);
  for (const Slice& slice : slices_) {
    EXPECT_TRUE(slice.has_begin);
    EXPECT_TRUE(slice.has_end);
  }
  EXPECT_EQ(nesting_.depth(), 0u);
}

TEST_F(NestingTest, TheEndOfACallTellsThatItWasRefused) {
  Take(10, TraceKind::kCallBegins, 1, 2, 3, 4);
  Take(20, TraceKind::kCallEnds, 1, 0, 0, observe::kTraceRefused);
  Take(30, TraceKind::kCallBegins, 1, 2, 3, 4);
  Take(40, TraceKind::kCallEnds, 1);
  ASSERT_EQ(slices_.size(), 2u);
  EXPECT_TRUE(slices_[0].refused);
  EXPECT_FALSE(slices_[1].refused);
}

TEST_F(NestingTest, AnEndWithoutItsBeginningHasNoTime) {
  Take(10, TraceKind::kCallEnds, 1);
  Take(11, TraceKind::kHandlerEnds, 2);
  ASSERT_EQ(slices_.size(), 2u);
  ExpectSlice(0, Kind::kCall, 1, 10, 10, 0);
  EXPECT_FALSE(slices_[0].has_begin);
  ExpectSlice(1, Kind::kHandler, 2, 11, 11, 0);
}

TEST_F(NestingTest, AnEndIsThatOfTheSameCall) {
  Take(10, TraceKind::kCallBegins, 1);
  Take(20, TraceKind::kCallEnds, 2);
  Take(25, TraceKind::kHandlerEnds, 1);
  EXPECT_EQ(nesting_.depth(), 1u);
  ASSERT_EQ(slices_.size(), 2u);
  EXPECT_FALSE(slices_[0].has_begin);
  EXPECT_FALSE(slices_[1].has_begin);
}

// longjmp left the functions within the outer call.
TEST_F(NestingTest, AnEndEndsAllInsideOfIt) {
  Take(10, TraceKind::kCallBegins, 1);
  Take(20, TraceKind::kCallBegins, 2);
  Take(30, TraceKind::kCallBegins, 3);
  Take(40, TraceKind::kCallEnds, 1);
  ASSERT_EQ(slices_.size(), 3u);
  ExpectSlice(0, Kind::kCall, 3, 30, 40, 2);
  ExpectSlice(1, Kind::kCall, 2, 20, 40, 1);
  ExpectSlice(2, Kind::kCall, 1, 10, 40, 0);
  EXPECT_FALSE(slices_[0].has_end);
  EXPECT_FALSE(slices_[1].has_end);
  EXPECT_TRUE(slices_[2].has_end);
}

TEST_F(NestingTest, ACallThatHasNotEndedLastsToTheLastEvent) {
  Take(10, TraceKind::kCallBegins, 1);
  Take(20, TraceKind::kHandlerBegins, 2);
  Take(30, TraceKind::kText, 0);
  Finish();
  ASSERT_EQ(slices_.size(), 2u);
  ExpectSlice(0, Kind::kHandler, 2, 20, 30, 1);
  ExpectSlice(1, Kind::kCall, 1, 10, 30, 0);
  EXPECT_FALSE(slices_[1].has_end);
  Finish();
  EXPECT_EQ(slices_.size(), 2u);
}

TEST_F(NestingTest, AWaitEndsWithItsEvent) {
  Take(100, TraceKind::kWaited, 3, 7, 8, 60);
  ASSERT_EQ(slices_.size(), 1u);
  ExpectSlice(0, Kind::kWait, 3, 40, 100, 0);
  EXPECT_EQ(slices_[0].peer, 7u);
  EXPECT_EQ(slices_[0].bytes, 0u) << "its number counts no bytes";
  EXPECT_EQ(slices_[0].argument, 8u);
}

TEST_F(NestingTest, AWaitIsInsideOfItsCall) {
  Take(50, TraceKind::kCallBegins, 1);
  Take(100, TraceKind::kWaited, 3, 0, 0, 60);
  ExpectSlice(0, Kind::kWait, 3, 50, 100, 1);
  Take(120, TraceKind::kWaited, 3, 0, 0, ~uint64_t{0});
  ExpectSlice(1, Kind::kWait, 3, 50, 120, 1);
}

TEST_F(NestingTest, SlicesHaveTheLineAtTheirBeginning) {
  Take(1, TraceKind::kCallBegins, 1);
  Take(2, TraceKind::kSourceLine, 4, 0, 0, 77);
  Take(3, TraceKind::kCallEnds, 1);
  Take(4, TraceKind::kCallBegins, 1);
  Take(5, TraceKind::kSourceLine, 4, 0, 0, 78);
  Take(6, TraceKind::kCallEnds, 1);
  ASSERT_EQ(slices_.size(), 2u);
  EXPECT_FALSE(slices_[0].has_line);
  EXPECT_TRUE(slices_[1].has_line);
  EXPECT_EQ(slices_[1].source, 4);
  EXPECT_EQ(slices_[1].line, 77u);
}

TEST_F(NestingTest, AnotherThreadBeginsWithNothing) {
  Take(1, TraceKind::kSourceLine, 4, 0, 0, 77);
  Take(2, TraceKind::kCallBegins, 1);
  Take(9, TraceKind::kThread, 0);
  ASSERT_EQ(slices_.size(), 1u);
  ExpectSlice(0, Kind::kCall, 1, 2, 9, 0);
  EXPECT_FALSE(slices_[0].has_end);
  Take(10, TraceKind::kCallBegins, 1);
  Take(11, TraceKind::kCallEnds, 1);
  EXPECT_EQ(slices_[1].depth, 0u);
  EXPECT_FALSE(slices_[1].has_line);
}

TEST_F(NestingTest, ATimeThatGoesBackMakesNoSliceNegative) {
  Take(20, TraceKind::kCallBegins, 1);
  Take(10, TraceKind::kCallEnds, 1);
  ExpectSlice(0, Kind::kCall, 1, 20, 20, 0);
}

TEST_F(NestingTest, TheDepthHasALimit) {
  for (int i = 0; i < 1001; ++i) Take(i, TraceKind::kCallBegins, 1);
  EXPECT_EQ(nesting_.depth(), 1u);
  EXPECT_EQ(slices_.size(), 1000u);
}

}  // namespace
}  // namespace gasnet::trace
