// Atomics of all ranks on one target at the same time. Fetched values are all
// different, exactly one compare-and-swap succeeds, and sums are complete. Runs
// over the team of all ranks and over a split team, by the team's ranks and by
// jobranks (GASNet-EX, section 15).
#include <string.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "conformance/ex/atomic_data.h"

namespace conformance {
namespace {

constexpr int kEach = 200;  // operations of a rank
constexpr size_t kTarget = 64;
constexpr size_t kResults = 4096;  // offset where ranks collect fetched values

// A team, and the flag that says how its atomic domains name ranks.
struct Place {
  gex_TM_t tm;
  gex_Flags_t flags;  // 0 or GEX_FLAG_RANK_IS_JOBRANK

  gex_Rank_t Mine() const { return gex_TM_QueryRank(tm); }
  gex_Rank_t Size() const { return gex_TM_QuerySize(tm); }
  gex_Rank_t JobrankOf(gex_Rank_t rank) const {
    return gex_TM_TranslateRankToJobrank(tm, rank);
  }
  gex_Rank_t NameOf(gex_Rank_t rank) const {
    return flags == 0 ? rank : JobrankOf(rank);
  }
  void Pass() const { gex_Event_Wait(gex_Coll_BarrierNB(tm, 0)); }
};

template <class T>
class Phase {
 public:
  // Sets the target of the rank `owner` to a value, and makes a domain.
  Phase(const Place& place, gex_Rank_t owner, gex_OP_t operations, T value)
      : place_(place), owner_(owner) {
    char* const own = BaseOf(ex.rank) + kTarget;
    if (place.Mine() == owner) memcpy(own, &value, sizeof(T));
    gex_AD_Create(&ad_, place.tm, kTypeOf<T>, operations, 0);
    CHECK(gex_AD_QueryTM(ad_) == place.tm);
    place.Pass();
  }
  // Ends the phase. Returns the final value at the target, on every rank.
  T End() {
    place_.Pass();
    gex_AD_Destroy(ad_);
    T value;
    CHECK_EQ(
        gex_RMA_GetBlocking(place_.tm, &value, owner_, There(), sizeof(T), 0),
        0);
    place_.Pass();
    return value;
  }

  gex_Event_t Start(T* result, gex_OP_t op, T first, T second) {
    return AtomicNb(ad_, result, place_.NameOf(owner_), There(), op, first,
                    second, place_.flags);
  }
  void StartImplicit(T* result, gex_OP_t op, T first, T second) {
    CHECK_EQ(AtomicNbi(ad_, result, place_.NameOf(owner_), There(), op, first,
                       second, place_.flags),
             0);
  }

 private:
  char* There() { return BaseOf(place_.JobrankOf(owner_)) + kTarget; }

  const Place& place_;
  gex_Rank_t owner_;
  gex_AD_t ad_ = GEX_AD_INVALID;
};

// Returns the values that all ranks have fetched, in order.
template <class T>
std::vector<T> CollectSorted(const Place& place, const T* fetched) {
  const gex_Rank_t first = place.JobrankOf(0);
  char* const there =
      BaseOf(first) + kResults + place.Mine() * kEach * sizeof(T);
  CHECK_EQ(
      gex_RMA_PutBlocking(ex.tm, first, there, fetched, kEach * sizeof(T), 0),
      0);
  place.Pass();
  std::vector<T> all(place.Size() * kEach);
  CHECK_EQ(
      gex_RMA_GetBlocking(ex.tm, all.data(), first, BaseOf(first) + kResults,
                          all.size() * sizeof(T), 0),
      0);
  place.Pass();
  std::sort(all.begin(), all.end());
  return all;
}

// Checks operations that step up from 0 or down to 0. Each value must be
// fetched once.
template <class T>
void Permutation(const Place& place, gex_Rank_t owner, gex_OP_t op) {
  const int total = static_cast<int>(place.Size()) * kEach;
  const bool goes_down = op == GEX_OP_FSUB || op == GEX_OP_FDEC;
  const T step = static_cast<T>(op == GEX_OP_FADD || op == GEX_OP_FSUB ? 3 : 1);
  const T start = static_cast<T>(goes_down ? step * total : 0);
  T fetched[kEach];
  Phase<T> phase(place, owner, op | GEX_OP_GET, start);
  std::vector<gex_Event_t> events;
  for (int i = 0; i < kEach; ++i) {
    if (i % 3 == 0) {
      phase.StartImplicit(&fetched[i], op, step, 0);
    } else {
      events.push_back(phase.Start(&fetched[i], op, step, 0));
    }
    if (i % 16 == 0) {
      gex_Event_WaitAll(events.data(), events.size(), 0);
      events.clear();
    }
  }
  gex_Event_WaitAll(events.data(), events.size(), 0);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  CHECK(phase.End() == static_cast<T>(goes_down ? 0 : step * total));
  const std::vector<T> all = CollectSorted(place, fetched);
  for (int i = 0; i < total; ++i) {
    CHECK(all[i] == static_cast<T>(step * (goes_down ? i + 1 : i)));
  }
}

// Makes all ranks compare and swap with one expected value. Exactly one rank
// must find this value.
template <class T>
void OneWinner(const Place& place, gex_Rank_t owner) {
  for (int round = 0; round < 20; ++round) {
    const T none = static_cast<T>(-1);
    Phase<T> phase(place, owner, GEX_OP_FCAS | GEX_OP_GET, none);
    T found = static_cast<T>(77);
    gex_Event_Wait(
        phase.Start(&found, GEX_OP_FCAS, none, static_cast<T>(place.Mine())));
    const T winner = phase.End();
    CHECK(winner >= 0 && winner < static_cast<T>(place.Size()));
    const bool won = winner == static_cast<T>(place.Mine());
    CHECK((found == none) == won);
    if (!won) CHECK(found == winner);
  }
}

// Adds 1 by a loop of compare-and-swap, while other operations add directly.
// Checks the sum.
template <class T>
void Sum(const Place& place, gex_Rank_t owner) {
  Phase<T> phase(place, owner, GEX_OP_ADD | GEX_OP_FCAS | GEX_OP_GET, 0);
  for (int i = 0; i < kEach; ++i) {
    if (i % 2 == 0) {
      phase.StartImplicit(nullptr, GEX_OP_ADD, 2, 0);
      continue;
    }
    T old;
    gex_Event_Wait(phase.Start(&old, GEX_OP_GET, 0, 0));
    for (T seen = old;; old = seen) {
      gex_Event_Wait(
          phase.Start(&seen, GEX_OP_FCAS, old, static_cast<T>(old + 1)));
      if (seen == old) break;
    }
  }
  gex_NBI_Wait(GEX_EC_RMW, 0);
  CHECK(phase.End() == static_cast<T>(place.Size() * kEach * 3 / 2));
}

template <class T>
void TestType(const Place& place) {
  for (gex_Rank_t owner = 0; owner < place.Size(); ++owner) {
    for (gex_OP_t op : {GEX_OP_FADD, GEX_OP_FSUB, GEX_OP_FINC, GEX_OP_FDEC}) {
      Permutation<T>(place, owner, op);
    }
    OneWinner<T>(place, owner);
    Sum<T>(place, owner);
  }
}

void TestPlace(const Place& place) {
  TestType<int32_t>(place);
  TestType<uint32_t>(place);
  TestType<int64_t>(place);
  TestType<uint64_t>(place);
  TestType<float>(place);
  TestType<double>(place);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, kResults + 8 * kEach * sizeof(double));
  TestPlace({ex.tm, 0});
  // Rank 0 is not in this team. So the team's ranks differ from jobranks.
  gex_TM_t team = GEX_TM_INVALID;
  gex_TM_Split(ex.rank == 0 ? nullptr : &team, ex.tm, 0,
               -static_cast<int>(ex.rank), nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (ex.rank != 0) {
    TestPlace({team, 0});
    TestPlace({team, GEX_FLAG_RANK_IS_JOBRANK});
    gex_TM_Destroy(team, nullptr, 0);
  }
  return FinishJob();
}
