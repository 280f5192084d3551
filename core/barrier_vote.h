// A rank's vote in a barrier, and the merge of all ranks' votes (spec 3.5).
#ifndef CORE_BARRIER_VOTE_H_
#define CORE_BARRIER_VOTE_H_

#include <cstdint>

namespace gasnet {

struct BarrierVote {
  bool named = false;  // false: anonymous, and `id` is unused
  // a rank forced a mismatch, or two ranks' names differ
  bool mismatch = false;
  int32_t id = 0;

  friend bool operator==(const BarrierVote&, const BarrierVote&) = default;
};

// Merges two votes into one. Commutative, associative and idempotent.
constexpr BarrierVote Merge(const BarrierVote& a, const BarrierVote& b) {
  return {.named = a.named || b.named,
          .mismatch =
              a.mismatch || b.mismatch || (a.named && b.named && a.id != b.id),
          .id = a.named ? a.id : b.id};
}

}  // namespace gasnet

#endif  // CORE_BARRIER_VOTE_H_
