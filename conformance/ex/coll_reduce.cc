// Reductions of each built-in type with each operation, to one member and to
// all members: any root, any number of elements, in place and not (GASNet-EX,
// section 16.4).
#include <string.h>

#include <memory>
#include <vector>

#include "conformance/ex/coll_data.h"

namespace conformance {
namespace {

constexpr size_t kCounts[] = {1, 2, 7, 64, 1000, 20001};
constexpr int kToAll = -1;  // stands for the root in a reduction to all members

template <class T>
struct Trial {
  gex_TM_t tm;
  int root;
  gex_OP_t op;
  size_t count;
  bool in_place;
};

template <class T>
void Fill(const Trial<T>& trial, T* source) {
  const gex_Rank_t mine = gex_TM_QueryRank(trial.tm);
  for (size_t i = 0; i < trial.count; ++i) {
    source[i] = Element<T>(trial.op, mine, i);
  }
}

template <class T>
void CheckReduced(const Trial<T>& trial, const T* result) {
  const gex_Rank_t members = gex_TM_QuerySize(trial.tm);
  for (size_t i = 0; i < trial.count; ++i) {
    CHECK(result[i] == Reduced<T>(trial.op, members, i));
  }
}

template <class T>
gex_Event_t Start(const Trial<T>& trial, T* to, const T* from) {
  if (trial.root == kToAll) {
    return gex_Coll_ReduceToAllNB(trial.tm, to, from, kTypeOf<T>, sizeof(T),
                                  trial.count, trial.op, nullptr, nullptr, 0);
  }
  return gex_Coll_ReduceToOneNB(trial.tm, static_cast<gex_Rank_t>(trial.root),
                                to, from, kTypeOf<T>, sizeof(T), trial.count,
                                trial.op, nullptr, nullptr, 0);
}

// Runs a trial. The element behind the last one must stay unchanged. Only the
// root has a destination. The source must stay unchanged on all members.
template <class T>
void Run(const Trial<T>& trial) {
  const int mine = static_cast<int>(gex_TM_QueryRank(trial.tm));
  const bool gets = trial.root == kToAll || trial.root == mine;
  const T guard = static_cast<T>(77);
  std::vector<T> source(trial.count + 1, guard);
  std::vector<T> result(trial.count + 1, guard);
  Fill(trial, source.data());
  T* const to = !gets ? nullptr : trial.in_place ? &source[0] : &result[0];
  const gex_Event_t event = Start(trial, to, source.data());
  CHECK(event != GEX_EVENT_NO_OP);
  gex_Event_Wait(event);
  if (gets) CheckReduced(trial, to);
  CHECK(source[trial.count] == guard);
  CHECK(result[trial.count] == guard);
  if (to == source.data()) return;
  for (size_t i = 0; i < trial.count; ++i) {
    CHECK(source[i] == Element<T>(trial.op, static_cast<gex_Rank_t>(mine), i));
  }
}

template <class T>
void TestType(gex_TM_t tm) {
  for (int which = 0; which < kOperationCount<T>; ++which) {
    for (size_t count : kCounts) {
      for (int root = kToAll; root < static_cast<int>(gex_TM_QuerySize(tm));
           ++root) {
        for (bool in_place : {false, true}) {
          Run<T>({tm, root, kOperations[which], count, in_place});
        }
      }
    }
  }
}

void TestTeam(gex_TM_t tm) {
  TestType<int32_t>(tm);
  TestType<uint32_t>(tm);
  TestType<int64_t>(tm);
  TestType<uint64_t>(tm);
  TestType<float>(tm);
  TestType<double>(tm);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 1);
  TestTeam(ex.tm);
  // These teams have one or two members. Their order is not that of jobranks.
  gex_TM_t half = GEX_TM_INVALID;
  gex_TM_Split(&half, ex.tm, static_cast<int>(ex.rank % 2),
               -static_cast<int>(ex.rank), nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  TestTeam(half);
  gex_TM_Destroy(half, nullptr, 0);
  Run<double>({ex.tm, kToAll, GEX_OP_ADD, 300000, true});
  Run<int32_t>({ex.tm, 0, GEX_OP_XOR, 700001, false});
  return FinishJob();
}
