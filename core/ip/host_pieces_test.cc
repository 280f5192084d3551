#include "core/ip/host_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gasnet::ip {
namespace {

using ::testing::ElementsAreArray;

// The result of gathering the pieces of these ranks' texts.
struct Gathered {
  std::vector<std::string> texts;
  size_t bytes_each;
};

Gathered GatherTexts(const std::vector<uint32_t>& host_of,
                     const std::vector<std::string>& by_rank) {
  std::vector<TextHead> heads;
  for (const std::string& text : by_rank) heads.push_back(HeadOf(text));
  const HostPieces pieces(host_of, heads);
  std::string all;
  for (uint32_t rank = 0; rank < host_of.size(); ++rank) {
    all += pieces.PieceOf(rank, by_rank[rank]);
  }
  return {pieces.Join(all), pieces.piece_bytes()};
}

TEST(HostPiecesTest, EveryHostIsHeard) {
  const Gathered got =
      GatherTexts({0, 1, 0, 2}, {"first", "the second", "first", ""});
  EXPECT_THAT(got.texts, ElementsAreArray({"first", "the second", ""}));
  EXPECT_EQ(got.bytes_each, 10u);
}

TEST(HostPiecesTest, TheRanksOfAHostShareTheWork) {
  const std::string text(1001, 'x');
  const Gathered got = GatherTexts(std::vector<uint32_t>(100, 0),
                                   std::vector<std::string>(100, text));
  EXPECT_THAT(got.texts, ElementsAreArray({text}));
  EXPECT_EQ(got.bytes_each, 11u);
}

// An address may appear or vanish between the times at which two ranks make
// their listings.
TEST(HostPiecesTest, ARankThatSawSomethingElseSendsNothing) {
  const Gathered got = GatherTexts({0, 0, 0}, {"abcdef", "other!", "abcdef"});
  EXPECT_THAT(got.texts, ElementsAreArray({"abcdef"}));
  EXPECT_EQ(got.bytes_each, 3u);
}

}  // namespace
}  // namespace gasnet::ip
