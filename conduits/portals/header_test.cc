// Tests the layout of messages in Portals. Checks every field by itself, and
// that payloads are aligned at any position in a body.
#include "conduits/portals/header.h"

#include <gtest/gtest.h>

namespace gasnet::portals_conduit {
namespace {

TEST(HeaderTest, EveryFieldComesBackAtItsLargest) {
  const PortalsHeader largest = {.form = Form::kNothing,
                                 .shape = MessageShape::kPackedLong,
                                 .num_args = 31,
                                 .handler = 255,
                                 .payload = kMaxPayload,
                                 .chunk = kMaxChunks - 1,
                                 .credit = 255,
                                 .word = ~0u,
                                 .endpoint = kMaxEndpoints - 1,
                                 .across = kMaxEndpoints - 1,
                                 .is_fetched = true};
  const PortalsHeader read =
      PortalsHeader::Of(largest.MatchBits(), largest.HeaderData());
  EXPECT_EQ(read.form, largest.form);
  EXPECT_EQ(read.shape, largest.shape);
  EXPECT_EQ(read.num_args, largest.num_args);
  EXPECT_EQ(read.handler, largest.handler);
  EXPECT_EQ(read.payload, largest.payload);
  EXPECT_EQ(read.chunk, largest.chunk);
  EXPECT_EQ(read.credit, largest.credit);
  EXPECT_EQ(read.word, largest.word);
  EXPECT_EQ(read.endpoint, largest.endpoint);
  EXPECT_EQ(read.across, largest.across);
  EXPECT_EQ(read.is_fetched, largest.is_fetched);
}

TEST(HeaderTest, NoFieldTouchesAnother) {
  const PortalsHeader each[] = {
      {.form = Form::kNothing}, {.shape = MessageShape::kPackedLong},
      {.num_args = 31},         {.handler = 255},
      {.payload = kMaxPayload}, {.chunk = kMaxChunks - 1},
      {.credit = 255},          {.word = ~0u},
      {.endpoint = 31},         {.across = 31},
      {.is_fetched = true},
  };
  uint64_t match_bits = 0;
  uint64_t header_data = 0;
  for (const PortalsHeader& header : each) {
    EXPECT_EQ(match_bits & header.MatchBits(), 0u);
    EXPECT_EQ(header_data & header.HeaderData(), 0u);
    match_bits |= header.MatchBits();
    header_data |= header.HeaderData();
  }
  EXPECT_EQ(header_data, ~uint64_t{0});
}

TEST(BodyLayoutTest, AShortWithOneArgumentHasNoBody) {
  EXPECT_EQ(BodyLayout::Of(MessageShape::kShort, 0, 0).end, 0u);
  EXPECT_EQ(BodyLayout::Of(MessageShape::kShort, 1, 0).end, 0u);
  EXPECT_EQ(BodyLayout::Of(MessageShape::kShort, 2, 0).end, 16u);
}

TEST(BodyLayoutTest, PayloadsAndEndsAreAlignedAndNothingOverlaps) {
  for (const MessageShape shape :
       {MessageShape::kShort, MessageShape::kMedium, MessageShape::kLong,
        MessageShape::kPackedLong}) {
    for (unsigned args = 0; args <= 16; ++args) {
      const size_t in_body =
          shape == MessageShape::kLong ? args : args - (args > 0);
      const size_t args_end = in_body * 4;
      for (const size_t payload :
           {size_t{0}, size_t{1}, size_t{16}, size_t{1968}}) {
        const BodyLayout layout = BodyLayout::Of(shape, args, payload);
        EXPECT_EQ(layout.payload % 16, 0u);
        EXPECT_EQ(layout.end % 16, 0u);
        EXPECT_GE(layout.end, layout.payload + payload);
        EXPECT_LE(layout.payload, kMaxBesides);
        EXPECT_GE(layout.payload, args_end);
        if (shape == MessageShape::kLong ||
            shape == MessageShape::kPackedLong) {
          EXPECT_EQ(layout.dest % 8, 0u);
          EXPECT_GE(layout.dest, args_end);
          EXPECT_GE(layout.payload, layout.dest + 8);
        }
        if (shape == MessageShape::kLong) {
          EXPECT_GE(layout.payload, layout.size + 8);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit
