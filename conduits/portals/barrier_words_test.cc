#include "conduits/portals/barrier_words.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace gasnet::portals_conduit {
namespace {

std::vector<BarrierVote> SomeVotes() {
  std::vector<BarrierVote> votes = {{}, {.mismatch = true}};
  for (const int32_t id : {0, 1, -1, 7, std::numeric_limits<int32_t>::min(),
                           std::numeric_limits<int32_t>::min() + 1,
                           std::numeric_limits<int32_t>::max()}) {
    votes.push_back({.named = true, .id = id});
  }
  return votes;
}

// Compares two votes. After a mismatch no other member counts. The id counts
// only if the vote has a name.
void ExpectSame(const BarrierVote& got, const BarrierVote& expected) {
  ASSERT_EQ(got.mismatch, expected.mismatch);
  if (expected.mismatch) return;
  ASSERT_EQ(got.named, expected.named);
  if (!expected.named) return;
  ASSERT_EQ(got.id, expected.id);
}

TEST(BarrierWordsTest, AVoteComesBack) {
  for (const BarrierVote& vote : SomeVotes())
    ExpectSame(ToVote(ToWords(vote)), vote);
}

TEST(BarrierWordsTest, GreatestOfThreeIsTheMergedVote) {
  for (const BarrierVote& a : SomeVotes()) {
    for (const BarrierVote& b : SomeVotes()) {
      for (const BarrierVote& c : SomeVotes()) {
        const BarrierWords words =
            Greatest(Greatest(ToWords(a), ToWords(b)), ToWords(c));
        ExpectSame(ToVote(words), Merge(Merge(a, b), c));
      }
    }
  }
}

}  // namespace
}  // namespace gasnet::portals_conduit
