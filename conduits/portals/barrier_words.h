// The votes of a barrier. Each vote is encoded as two numbers. Merging two
// votes keeps the greatest of each number. So a network with an atomic maximum
// can merge votes.
//
//   anonymous   least, least           changes nothing
//   named       id, -id                stays so while all names are equal
//   mismatch    greatest, greatest     stays so
//
// If two names differ, the greatest first number and the greatest second number
// come from different votes. Their sum is then not 0. This shows the mismatch.
#ifndef CONDUITS_PORTALS_BARRIER_WORDS_H_
#define CONDUITS_PORTALS_BARRIER_WORDS_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/barrier_vote.h"

namespace gasnet::portals_conduit {

struct BarrierWords {
  int64_t id;
  int64_t minus_id;

  friend bool operator==(const BarrierWords&, const BarrierWords&) = default;
};

inline constexpr BarrierWords kNoVotes = {std::numeric_limits<int64_t>::min(),
                                          std::numeric_limits<int64_t>::min()};
inline constexpr BarrierWords kDiffering = {
    std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max()};

constexpr BarrierWords ToWords(const BarrierVote& vote) {
  if (vote.mismatch) return kDiffering;
  if (!vote.named) return kNoVotes;
  return {vote.id, -int64_t{vote.id}};
}

// Merges two votes: returns the greatest of each number.
constexpr BarrierWords Greatest(const BarrierWords& a, const BarrierWords& b) {
  return {std::max(a.id, b.id), std::max(a.minus_id, b.minus_id)};
}

// Decodes the vote of merged words.
constexpr BarrierVote ToVote(const BarrierWords& words) {
  if (words == kNoVotes) return {};
  constexpr int64_t kMinId = std::numeric_limits<int32_t>::min();
  constexpr int64_t kMaxId = std::numeric_limits<int32_t>::max();
  const bool is_name =
      words.id >= kMinId && words.id <= kMaxId && words.minus_id == -words.id;
  if (!is_name) return {.named = true, .mismatch = true};
  return {.named = true, .id = static_cast<int32_t>(words.id)};
}

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_BARRIER_WORDS_H_
