// Random collectives of three teams. They are under way while other operations
// run.
#ifndef CONFORMANCE_EX_RANDOM_COLLECTIVES_H_
#define CONFORMANCE_EX_RANDOM_COLLECTIVES_H_

#include <gasnet_coll.h>
#include <stddef.h>
#include <stdint.h>

#include <deque>
#include <memory>
#include <utility>

#include "conformance/ex/ex_rma.h"

namespace conformance {

// Collectives in flight. All members begin them in the same order, and sync
// them in any order.
class RandomCollectives {
 public:
  RandomCollectives(gex_TM_t reversed, gex_TM_t part)
      : reversed_(reversed), part_(part) {}

  void StartSome(Random& own) {
    for (uint64_t left = 1 + common_.Below(3); left > 0; --left) Start();
    while (under_way_.size() > kMax) Sync(own.Below(under_way_.size()));
  }
  void SyncAll() {
    while (!under_way_.empty()) Sync(under_way_.size() - 1);
  }

 private:
  // maximum number of collectives under way after StartSome
  static constexpr size_t kMax = 6;

  struct UnderWay {
    gex_Event_t event;
    std::unique_ptr<int64_t[]> source;
    std::unique_ptr<int64_t[]> result;
    size_t count;
    int64_t expected;  // expected value of element 0; element i has i more
  };

  void Start() {
    const gex_TM_t teams[] = {ex.tm, reversed_, part_};
    const uint64_t which = common_.Below(3);
    const gex_TM_t tm = teams[which];
    const uint64_t kind = common_.Below(3);
    const size_t count = 1 + common_.Below(500);
    const int64_t base = static_cast<int64_t>(common_.Below(1000));
    const uint64_t root_seed = common_.Next();
    if (tm == GEX_TM_INVALID) return;
    const gex_Rank_t members = gex_TM_QuerySize(tm);
    const gex_Rank_t root = static_cast<gex_Rank_t>(root_seed % members);
    UnderWay next{GEX_EVENT_INVALID, std::make_unique<int64_t[]>(count),
                  std::make_unique<int64_t[]>(count), count, 0};
    const gex_Rank_t mine = gex_TM_QueryRank(tm);
    if (kind == 0) {
      next.count = 0;
      next.event = gex_Coll_BarrierNB(tm, 0);
    } else if (kind == 1) {
      for (size_t i = 0; i < count; ++i) {
        next.source[i] = mine == root ? base + static_cast<int64_t>(i) : -1;
      }
      next.expected = base;
      next.event = gex_Coll_BroadcastNB(tm, root, next.result.get(),
                                        next.source.get(), count * 8, 0);
    } else {
      // The source of the last member has the greatest values.
      for (size_t i = 0; i < count; ++i) {
        next.source[i] = base + static_cast<int64_t>(i + mine);
      }
      next.expected = base + members - 1;
      next.event = gex_Coll_ReduceToAllNB(
          tm, next.result.get(), next.source.get(), GEX_DT_I64, 8, count,
          GEX_OP_MAX, nullptr, nullptr, 0);
    }
    CHECK(next.event != GEX_EVENT_NO_OP);
    under_way_.push_back(std::move(next));
  }

  void Sync(size_t which) {
    UnderWay& over = under_way_[which];
    gex_Event_Wait(over.event);
    for (size_t i = 0; i < over.count; ++i) {
      CHECK_EQ(over.result[i], over.expected + static_cast<int64_t>(i));
    }
    under_way_.erase(under_way_.begin() + static_cast<ptrdiff_t>(which));
  }

  Random common_{1000};  // gives the same numbers on all processes
  gex_TM_t reversed_;
  gex_TM_t part_;
  std::deque<UnderWay> under_way_;
};

}  // namespace conformance

#endif  // CONFORMANCE_EX_RANDOM_COLLECTIVES_H_
