#include "ex/assemblies.h"

#include <gtest/gtest.h>

namespace gasnet::ex {
namespace {

FurtherHead Piece(uint32_t number, am::Category category, uint32_t size) {
  FurtherHead head;
  head.kind = FurtherHead::Kind::kPiece;
  head.category = category;
  head.number = number;
  head.size = size;
  return head;
}
FurtherHead Last(FurtherHead head, uint8_t handler) {
  head.kind = FurtherHead::Kind::kLast;
  head.handler = handler;
  return head;
}

TEST(AssembliesTest, AreWholeInAnyOrder) {
  Assemblies all;
  const FurtherHead piece = Piece(5, am::Category::kMedium, 30);
  EXPECT_EQ(all.Count(1, Last(piece, 200), 0), nullptr);
  std::byte* const bytes = all.BytesOf(1, piece);
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(all.Count(1, piece, 20), nullptr);
  EXPECT_EQ(all.BytesOf(1, piece), bytes);
  const auto whole = all.Count(1, piece, 10);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->bytes.get(), bytes);
  EXPECT_EQ(whole->head.handler, 200);
  EXPECT_EQ(whole->head.size, 30);
}

TEST(AssembliesTest, KeepSendersAndNumbersApart) {
  Assemblies all;
  const FurtherHead piece = Piece(5, am::Category::kLong, 8);
  const FurtherHead other = Piece(6, am::Category::kLong, 8);
  // null, since the piece is of a Long
  EXPECT_EQ(all.BytesOf(1, piece), nullptr);
  EXPECT_EQ(all.Count(1, piece, 8), nullptr);
  EXPECT_EQ(all.Count(2, Last(piece, 201), 0), nullptr);
  EXPECT_EQ(all.Count(1, Last(other, 203), 0), nullptr);
  const auto whole = all.Count(1, Last(piece, 204), 0);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->head.handler, 204);
}

TEST(AssembliesTest, RefusesAnotherSize) {
  Assemblies all;
  EXPECT_NE(all.BytesOf(1, Piece(5, am::Category::kMedium, 30)), nullptr);
  EXPECT_EQ(all.BytesOf(1, Piece(5, am::Category::kMedium, 40)), nullptr);
}

}  // namespace
}  // namespace gasnet::ex
