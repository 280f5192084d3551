#include "coll/unequal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "coll/combine.h"
#include "coll/kernels/kernels.h"
#include "coll/request.h"
#include "coll/testing/thread_engine.h"
#include "core/rank.h"

namespace gasnet::coll {
namespace {

template <class T>
using Parts = std::vector<std::vector<T>>;  // indexed by node
using Counts = std::vector<size_t>;

// The map x -> ax + b. Composition of maps is associative but not commutative.
struct Map {
  uint32_t a = 0;
  uint32_t b = 0;
  friend bool operator==(const Map&, const Map&) = default;
};
constexpr Map kUntouched = {77, 78};

Map Then(const Map& first, const Map& second) {
  return {first.a * second.a, second.a * first.b + second.b};
}
void ThenAll(void* results, size_t count, const void* left, size_t,
             const void* right, size_t, int, int) {
  for (size_t i = 0; i < count; ++i) {
    static_cast<Map*>(results)[i] = Then(static_cast<const Map*>(left)[i],
                                         static_cast<const Map*>(right)[i]);
  }
}
const Reduction kThen = {.function = &ThenAll,
                         .elem_size = sizeof(Map),
                         .name = Reduction::kFunctionName | 3};

Parts<Map> MapsOf(const Counts& counts) {
  Parts<Map> parts;
  for (uint32_t node = 0; node < counts.size(); ++node) {
    parts.emplace_back();
    for (uint32_t i = 0; i < counts[node]; ++i) {
      parts.back().push_back({2 * i + 3, node + i * i + 1});
    }
  }
  return parts;
}

CollectiveRequest RequestOf(CollectiveKind kind, const Reduction& how) {
  CollectiveRequest request;
  request.call = "reduces";
  request.kind = kind;
  request.in = SyncMode::kMine;
  request.out = SyncMode::kMine;
  request.reduction = how;
  return request;
}

template <class T>
void RunOne(ThreadTeam& team, CollectiveRequest request, T* dst, const T* src,
            size_t count) {
  request.reduction.elem_count = count;
  request.sources = Addresses(src);
  request.dests = Addresses(dst);
  request.root_area = dst;
  ThreadEngine engine;
  UnequalReducer(engine, team, request).Run();
}

// Runs the reduction and returns the final dst of each node. Each dst has one
// element more than the src, to show that nothing is written beyond the end.
template <class T>
Parts<T> ResultsOf(const CollectiveRequest& request, const Parts<T>& src,
                   const T& before, bool in_place = false) {
  Parts<T> dst;
  for (const std::vector<T>& part : src) {
    dst.emplace_back(part.size() + 1, before);
    if (in_place) std::copy(part.begin(), part.end(), dst.back().begin());
  }
  RunAsNodes(static_cast<Rank>(src.size()), [&](ThreadTeam& team) {
    std::vector<T>& mine = dst[team.me()];
    const std::vector<T>& part = src[team.me()];
    RunOne(team, request, mine.data(), in_place ? mine.data() : part.data(),
           part.size());
  });
  return dst;
}

std::optional<Map> TotalOf(const Parts<Map>& src) {
  std::optional<Map> total;
  for (const std::vector<Map>& part : src) {
    for (const Map& map : part) total = total ? Then(*total, map) : map;
  }
  return total;
}

// The numbers of elements that the nodes of a test contribute: none, a few, or
// more than a chunk. A chunk has 512 elements.
const Counts kCounts[] = {{0},       {1},          {1300},
                          {0, 0, 0}, {1, 1, 1, 1}, {0, 5, 0, 0, 2, 1},
                          {7, 0},    {0, 0, 3},    {513, 0, 4097, 2, 511}};

void CheckTotals(CollectiveKind kind, Rank root, bool in_place) {
  for (const Counts& counts : kCounts) {
    if (root >= counts.size()) continue;
    CollectiveRequest request = RequestOf(kind, kThen);
    request.root = root;
    const Parts<Map> src = MapsOf(counts);
    const Parts<Map> dst = ResultsOf(request, src, kUntouched, in_place);
    for (Rank node = 0; node < src.size(); ++node) {
      std::vector<Map> expected(counts[node] + 1, kUntouched);
      if (in_place) std::copy_n(src[node].begin(), counts[node], &expected[0]);
      const bool writes = kind == CollectiveKind::kReduceAll || node == root;
      if (writes) expected[0] = TotalOf(src).value_or(expected[0]);
      ASSERT_EQ(dst[node], expected) << node << " of " << counts.size();
    }
  }
}

TEST(UnequalReducerTest, ReducesToAll) {
  CheckTotals(CollectiveKind::kReduceAll, 0, false);
  CheckTotals(CollectiveKind::kReduceAll, 0, true);
}
TEST(UnequalReducerTest, ReducesToOne) {
  for (Rank root = 0; root < 6; ++root) {
    CheckTotals(CollectiveKind::kReduce, root, false);
    CheckTotals(CollectiveKind::kReduce, root, true);
  }
}

void CheckPrefixes(bool exclusive, bool in_place) {
  for (const Counts& counts : kCounts) {
    CollectiveRequest request = RequestOf(CollectiveKind::kPrefixReduce, kThen);
    request.reduction.exclusive = exclusive;
    const Parts<Map> src = MapsOf(counts);
    const Parts<Map> dst = ResultsOf(request, src, kUntouched, in_place);
    std::optional<Map> before;
    for (Rank node = 0; node < src.size(); ++node) {
      std::vector<Map> expected(counts[node] + 1, kUntouched);
      for (size_t i = 0; i < counts[node]; ++i) {
        const Map own = src[node][i];
        const Map with_own = before ? Then(*before, own) : own;
        const Map unwritten = in_place ? own : kUntouched;
        expected[i] = exclusive ? before.value_or(unwritten) : with_own;
        before = with_own;
      }
      ASSERT_EQ(dst[node], expected) << node << " of " << counts.size();
    }
  }
}

TEST(UnequalReducerTest, Prefixes) {
  CheckPrefixes(/*exclusive=*/false, /*in_place=*/false);
  CheckPrefixes(/*exclusive=*/false, /*in_place=*/true);
}
TEST(UnequalReducerTest, ExclusivePrefixes) {
  CheckPrefixes(/*exclusive=*/true, /*in_place=*/false);
  CheckPrefixes(/*exclusive=*/true, /*in_place=*/true);
}

// --- Bracketing ---

float SumOf(const std::vector<float>& values, size_t first, size_t count) {
  if (count == 1) return values[first];
  const size_t half = SplitOf(count);
  return SumOf(values, first, half) + SumOf(values, first + half, count - half);
}
float SumOf(const std::vector<float>& values) {
  return SumOf(values, 0, values.size());
}

// Returns numbers of very different magnitudes, so that sums depend on the
// order.
Parts<float> NumbersOf(const Counts& counts) {
  Parts<float> parts;
  int seed = 0;
  for (const size_t count : counts) {
    parts.emplace_back(count);
    for (float& number : parts.back()) {
      seed = (seed * 1103 + 12345) % 65521;
      number = std::ldexp(1.0F + static_cast<float>(seed) / 3, seed % 30);
    }
  }
  return parts;
}
const Reduction kSum = {.kernels = KernelsOf(Type::kFloat, Op::kSum),
                        .elem_size = sizeof(float),
                        .name = 8u << 8};
const Counts kSummed = {3, 0, 1100, 7, 1, 0, 2049, 6};

TEST(UnequalReducerTest, SumsNodesThenThoseThatHaveAny) {
  const Parts<float> src = NumbersOf(kSummed);
  std::vector<float> sums;
  for (const std::vector<float>& part : src) {
    if (!part.empty()) sums.push_back(SumOf(part));
  }
  const Parts<float> dst =
      ResultsOf(RequestOf(CollectiveKind::kReduceAll, kSum), src, 0.0F);
  for (const std::vector<float>& mine : dst) EXPECT_EQ(mine[0], SumOf(sums));
}

TEST(UnequalReducerTest, PrefixesAddOneAfterTheOther) {
  const Parts<float> src = NumbersOf(kSummed);
  const Parts<float> dst =
      ResultsOf(RequestOf(CollectiveKind::kPrefixReduce, kSum), src, 0.0F);
  std::vector<float> sums;
  for (Rank node = 0; node < src.size(); ++node) {
    if (src[node].empty()) continue;
    float prefix = sums.empty() ? 0.0F : SumOf(sums);
    for (size_t i = 0; i < src[node].size(); ++i) {
      prefix += src[node][i];
      ASSERT_EQ(dst[node][i], prefix) << i << " of " << node;
    }
    sums.push_back(SumOf(src[node]));
  }
}

// An element is larger than a chunk, and needs many cells of a message.
TEST(UnequalReducerTest, LargeElements) {
  struct Large {
    double numbers[700];
    bool operator==(const Large&) const = default;
  };
  const auto add = [](void* results, size_t count, const void* left, size_t,
                      const void* right, size_t, int, int) {
    const size_t numbers = count * 700;
    for (size_t i = 0; i < numbers; ++i) {
      static_cast<double*>(results)[i] = static_cast<const double*>(left)[i] +
                                         static_cast<const double*>(right)[i];
    }
  };
  const Reduction how = {.function = add, .elem_size = sizeof(Large)};
  Parts<Large> src = {{Large()}, {}, {Large(), Large(), Large()}};
  src[0][0].numbers[699] = 1;
  src[2][0].numbers[699] = 2;
  src[2][2].numbers[0] = 3;
  const Parts<Large> dst =
      ResultsOf(RequestOf(CollectiveKind::kReduceAll, how), src, Large());
  EXPECT_EQ(dst[1][0].numbers[0], 3);
  EXPECT_EQ(dst[1][0].numbers[699], 3);
  EXPECT_EQ(dst[0][0], dst[2][0]);
}

// --- Synchronisation ---

TEST(UnequalReducerTest, MeetsWhereModesAsk) {
  for (const SyncMode in : {SyncMode::kNone, SyncMode::kMine, SyncMode::kAll}) {
    for (const SyncMode out :
         {SyncMode::kNone, SyncMode::kMine, SyncMode::kAll}) {
      CollectiveRequest request = RequestOf(CollectiveKind::kReduceAll, kThen);
      request.in = in;
      request.out = out;
      ResultsOf(request, MapsOf({1, 2}), kUntouched);
      const int meetings =
          (in == SyncMode::kAll ? 1 : 0) + (out == SyncMode::kAll ? 1 : 0);
      EXPECT_EQ(ThreadEngine::Begun(0), 1 + meetings);
    }
  }
}

// Tests that the reduction reads no element too early. While node 0 waits, node
// 1 writes the elements of node 0 and then enters.
TEST(UnequalReducerTest, ReadsNothingBeforeAllHaveEntered) {
  CollectiveRequest request = RequestOf(CollectiveKind::kReduceAll, kThen);
  request.in = SyncMode::kAll;
  Map src[] = {kUntouched, kUntouched};
  Map dst[2];
  RunAsNodes(2, [&](ThreadTeam& team) {
    const Rank me = team.me();
    if (me == 1) {
      while (ThreadEngine::Begun(0) == 0) std::this_thread::yield();
      src[0] = {2, 3};
      src[1] = {5, 7};
    }
    RunOne(team, request, &dst[me], &src[me], 1);
  });
  EXPECT_EQ(dst[0], Then({2, 3}, {5, 7}));
}

// A reduction function. On node 1, a call delays its result until node 0 waits
// in the last meeting or has returned.
std::atomic<bool> is_back;
thread_local bool is_last;
void ThenLate(void* results, size_t count, const void* left, size_t left_count,
              const void* right, size_t elem_size, int flags, int arg) {
  while (is_last && ThreadEngine::Begun(0) < 2 && !is_back.load()) {
    std::this_thread::yield();
  }
  ThenAll(results, count, left, left_count, right, elem_size, flags, arg);
}

TEST(UnequalReducerTest, ReturnsWhenAllResultsAreInPlace) {
  for (const CollectiveKind kind :
       {CollectiveKind::kReduce, CollectiveKind::kReduceAll,
        CollectiveKind::kPrefixReduce}) {
    CollectiveRequest request = RequestOf(kind, kThen);
    request.reduction.function = &ThenLate;
    request.root = request.root_name = 1;
    request.out = SyncMode::kAll;
    const Map src[] = {{2, 3}, {5, 7}};
    Map dst[2];
    is_back = false;
    std::optional<Map> seen;
    RunAsNodes(2, [&](ThreadTeam& team) {
      const Rank me = team.me();
      is_last = me == 1;
      RunOne(team, request, &dst[me], &src[me], 1);
      if (me == 0) {
        seen = dst[1];
        is_back = true;
      }
    });
    EXPECT_EQ(seen, Then(src[0], src[1])) << static_cast<int>(kind);
  }
}

// --- Disagreement ---

// Runs `request` on node 0 and `other` on node 1.
void Disagree(const CollectiveRequest& request,
              const CollectiveRequest& other) {
  const Map src;
  Map dst[2];
  RunAsNodes(2, [&](ThreadTeam& team) {
    RunOne(team, team.me() == 0 ? request : other, &dst[team.me()], &src, 1);
  });
}

TEST(UnequalReducerDeathTest, NodesThatDisagreeAreTold) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const CollectiveRequest request =
      RequestOf(CollectiveKind::kReduceAll, kThen);
  CollectiveRequest other = request;
  other.reduction.name = 8u << 8 | 1;
  EXPECT_DEATH(Disagree(request, other),
               "reduces: rank [01] calls reduce_allv of elements of 8 bytes, "
               "(FLOAT PRODUCT|function 3 with op_arg 0), OUT_MYSYNC; this "
               "rank reduce_allv of elements of 8 bytes, (function 3 with "
               "op_arg 0|FLOAT PRODUCT), OUT_MYSYNC; all ranks must call");
  other = request;
  other.reduction.function_arg = -5;
  EXPECT_DEATH(Disagree(request, other), "op_arg (0|-5),.*op_arg (0|-5),");
  other = request;
  other.reduction.elem_size = 4;
  EXPECT_DEATH(Disagree(request, other), "of [48] bytes.*of [48] bytes");
  other = request;
  other.kind = CollectiveKind::kPrefixReduce;
  EXPECT_DEATH(Disagree(request, other),
               "(prefix_reducev of.*reduce_allv|reduce_allv of.*prefix_reducev)"
               " of");
  other = request;
  other.out = SyncMode::kNone;
  EXPECT_DEATH(Disagree(request, other), "OUT_(MY|NO)SYNC.*OUT_(MY|NO)SYNC");
}

}  // namespace
}  // namespace gasnet::coll
