#include "ex/further_head.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace gasnet::ex {
namespace {

using Kind = FurtherHead::Kind;
using Words = std::array<int32_t, FurtherHead::kMaxWords>;

FurtherHead Sample(am::Category category, Kind kind, uint8_t num_args) {
  FurtherHead head;
  head.handler = 200;
  head.num_args = num_args;
  head.category = category;
  head.kind = kind;
  head.to = 31;
  head.from = 1;
  head.number = 0x89abcdef;
  head.size = 0x7fffffff;
  head.offset = 0x12345678;
  head.address = 0xfedcba9876543210;
  for (unsigned i = 0; i < num_args; ++i) {
    head.args[i] = -1 - static_cast<int32_t>(i);
  }
  return head;
}

TEST(FurtherHeadTest, ReadsWhatItHasWritten) {
  for (const am::Category category :
       {am::Category::kShort, am::Category::kMedium, am::Category::kLong}) {
    for (const Kind kind : {Kind::kWhole, Kind::kPiece, Kind::kLast}) {
      for (const uint8_t num_args : {0, 1, 13, 15, 16}) {
        const FurtherHead head = Sample(category, kind, num_args);
        Words words{};
        head.Write(words);
        std::optional<FurtherHead> read =
            FurtherHead::Start(static_cast<uint32_t>(words[0]));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->words(), head.words());
        read->Read(words);
        EXPECT_EQ(read->handler, 200);
        EXPECT_EQ(read->to, 31);
        EXPECT_EQ(read->from, 1);
        EXPECT_EQ(read->category, category);
        EXPECT_EQ(read->kind, kind);
        if (category == am::Category::kLong) {
          EXPECT_EQ(read->address, head.address);
        }
        if (kind != Kind::kWhole) {
          EXPECT_EQ(read->number, head.number);
          EXPECT_EQ(read->size, head.size);
        }
        if (kind == Kind::kPiece) {
          EXPECT_EQ(read->offset, head.offset);
        } else {
          EXPECT_EQ(read->args, head.args);
        }
      }
    }
  }
}

TEST(FurtherHeadTest, SpillsWhatFindsNoPlace) {
  EXPECT_EQ(Sample(am::Category::kShort, Kind::kWhole, 15).spilled(), 0);
  EXPECT_EQ(Sample(am::Category::kShort, Kind::kWhole, 16).spilled(), 4);
  EXPECT_EQ(Sample(am::Category::kLong, Kind::kWhole, 13).spilled(), 0);
  EXPECT_EQ(Sample(am::Category::kLong, Kind::kWhole, 16).spilled(), 12);
  EXPECT_EQ(Sample(am::Category::kLong, Kind::kPiece, 16).spilled(), 0);
  EXPECT_EQ(Sample(am::Category::kLong, Kind::kLast, 16).spilled(), 20);
}

TEST(FurtherHeadTest, RefusesWordsThatSayNothing) {
  Words words{};
  Sample(am::Category::kLong, Kind::kLast, 16).Write(words);
  const auto good = static_cast<uint32_t>(words[0]);
  ASSERT_TRUE(FurtherHead::Start(good).has_value());
  // Invalid words: a handler of GASNet itself, 17 arguments, an undefined
  // category, an undefined kind, and bits that are not used.
  EXPECT_FALSE(FurtherHead::Start(good - 200 + 127).has_value());
  EXPECT_FALSE(FurtherHead::Start(good + (1u << 8)).has_value());
  EXPECT_FALSE(FurtherHead::Start(good | 3u << 13).has_value());
  EXPECT_FALSE(FurtherHead::Start(good | 3u << 15).has_value());
  EXPECT_FALSE(FurtherHead::Start(good | 1u << 27).has_value());
}

}  // namespace
}  // namespace gasnet::ex
