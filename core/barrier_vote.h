// What a rank brings to a barrier, and what several votes come to (spec 3.5).
#ifndef CORE_BARRIER_VOTE_H_
#define CORE_BARRIER_VOTE_H_

#include <cstdint>

namespace gasnet {

struct BarrierVote {
  bool named = false;
  bool mismatch = false;
  int32_t id = 0;  // meaningful when named

  // Commutative and associative: any two different names are a mismatch.
  void Merge(const BarrierVote& other) {
    mismatch = mismatch || other.mismatch ||
               (named && other.named && id != other.id);
    if (!named) {
      named = other.named;
      id = other.id;
    }
  }
};

}  // namespace gasnet

#endif  // CORE_BARRIER_VOTE_H_
