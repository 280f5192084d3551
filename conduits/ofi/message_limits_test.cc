#include "conduits/ofi/message_limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>

#include "conduits/ofi/frame.h"
#include "conduits/ofi/tuning.h"
#include "core/am/credit.h"
#include "core/am/message.h"
#include "core/am/records.h"
#include "core/lane.h"

namespace gasnet::ofi {
namespace {

// The parameters: the number of far ranks, and whether one receive buffer takes
// several messages.
class MessageLimitsTest
    : public ::testing::TestWithParam<std::tuple<size_t, bool>> {
 protected:
  const size_t ranks_ = std::get<0>(GetParam());
  const bool multiple_ = std::get<1>(GetParam());
  const MessageLimits limits_{ranks_, {.multiple = multiple_}};
  const size_t window_bytes_ = limits_.window * am::kCreditUnitBytes;
};

TEST_P(MessageLimitsTest, TheLargestMessageFitsIntoAFrame) {
  const am::RecordLayout layout = am::RecordLayout::Of(
      kFrameHeaderBytes, am::Category::kLong, am::kMaxArgs, limits_.whole);
  EXPECT_GE(limits_.frame_bytes, layout.end);
  EXPECT_GE(limits_.whole, 512u);
}

// A receiver gives credit back only when half a window is used. If a window
// held fewer than two of the largest frames, a sender could need credit before
// that.
TEST_P(MessageLimitsTest, AWindowHoldsTwoOfTheLargestFrames) {
  EXPECT_GE(window_bytes_, 2 * limits_.frame_bytes);
}

TEST_P(MessageLimitsTest, BuffersHoldAllWindows) {
  const size_t needed = ranks_ * kLanes * window_bytes_;
  const size_t frames = multiple_ ? limits_.buffers - 1 : limits_.buffers;
  EXPECT_GE(
      frames * (limits_.buffer_bytes - (multiple_ ? limits_.frame_bytes : 0)),
      multiple_ ? needed : 0);
  if (!multiple_) {
    const size_t each = limits_.window / am::CreditFor(limits_.frame_bytes);
    EXPECT_GE(each, 2u);
    EXPECT_GE(limits_.buffers, ranks_ * kLanes * each);
    EXPECT_EQ(limits_.buffer_bytes, limits_.frame_bytes);
  }
}

TEST_P(MessageLimitsTest, MemoryStaysBounded) {
  EXPECT_LE(limits_.buffers * limits_.buffer_bytes,
            std::max(size_t{192} << 20, ranks_ * size_t{6} * 1024));
}

// Some layered providers cannot send a message as large as the largest Medium.
TEST_P(MessageLimitsTest, AFrameIsNoLargerThanTheProviderTakes) {
  for (const size_t most : {1024u, 8192u, 9000u, 1u << 20}) {
    const MessageLimits limits(ranks_,
                               {.multiple = multiple_, .most_bytes = most});
    EXPECT_LE(limits.frame_bytes, most);
    EXPECT_GE(limits.whole, 512u);
    EXPECT_LE(limits.whole, limits_.whole);
  }
}

// A rank may post more buffers than the provider takes only if the two frames
// of each window need them.
TEST_P(MessageLimitsTest, NoMoreIsPostedThanTheProviderTakes) {
  for (const size_t most : {64u, 1024u, 65536u}) {
    const MessageLimits limits(ranks_,
                               {.multiple = multiple_, .receives = most});
    EXPECT_GE(limits.window, 2 * limits.least);
    EXPECT_LE(limits.buffers, std::max(most, ranks_ * (kLanes * 2 + 5)));
  }
}

TEST_P(MessageLimitsTest, NoMoreIsSentThanTheProviderTakes) {
  EXPECT_EQ(limits_.sends, kSends);
  for (const size_t most : {2u, 31u, 500u}) {
    const MessageLimits limits(ranks_, {.multiple = multiple_, .sends = most});
    EXPECT_EQ(limits.sends, most / kLanes);
  }
}

// Each frame costs at least `least` units of credit. So a window limits the
// number of frames that can have arrived.
TEST_P(MessageLimitsTest, ArrivalsFitIntoTheQueue) {
  const MessageLimits limits(ranks_, {.multiple = multiple_, .managed = false});
  EXPECT_GE(limits.arrivals, ranks_ * kLanes * (limits.window / limits.least));
  EXPECT_LE(limits.arrivals,
            std::max<size_t>(32768, ranks_ * (kLanes * 2 + 5)));
  EXPECT_GE(limits.window,
            2 * std::max(limits.least, am::CreditFor(limits.frame_bytes)));
}

INSTANTIATE_TEST_SUITE_P(Jobs, MessageLimitsTest,
                         ::testing::Combine(::testing::Values(1, 2, 15, 255,
                                                              4095, 65535),
                                            ::testing::Bool()));

TEST(FrameTest, WhatIsEncodedIsDecoded) {
  alignas(16) std::array<std::byte, kFrameHeaderBytes> frame;
  for (const bool is_mark : {false, true}) {
    const FrameHeader header = {
        0xdeadbeef, 70000, Lane::kReply, {7, 65535}, is_mark};
    header.Encode(frame.data());
    const std::optional<FrameHeader> read = FrameHeader::Decode(frame);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->cookie, header.cookie);
    EXPECT_EQ(read->source, header.source);
    EXPECT_EQ(read->lane, header.lane);
    EXPECT_EQ(read->is_mark, header.is_mark);
    EXPECT_EQ(read->given_back, header.given_back);
  }
}

TEST(FrameTest, WhatIsNoHeaderIsRefused) {
  std::array<std::byte, kFrameHeaderBytes> frame = {};
  EXPECT_TRUE(FrameHeader::Decode(frame));
  EXPECT_FALSE(FrameHeader::Decode(std::span(frame).first(15)));
  EXPECT_FALSE(FrameHeader::Decode({}));
  for (const size_t wrong : {8, 9, 10, 11}) {
    frame = {};
    frame[wrong] = std::byte{2};
    EXPECT_FALSE(FrameHeader::Decode(frame)) << wrong;
  }
}

}  // namespace
}  // namespace gasnet::ofi
