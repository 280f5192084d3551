// Reductions and prefixes with any number of elements per node, in all nine
// modes, in place and not. The function is not commutative. Under IN_ALLSYNC,
// another node writes a node's elements before that other node enters. Under
// OUT_ALLSYNC, every node checks all nodes' results as soon as its call
// returns. Under other modes, memory is reused as soon as the call returns.
#include <string.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kMax = 2600;  // maximum number of elements of a node
constexpr int kArgument = 4711;
constexpr unsigned kFunctionFlags = 5;

// The map x -> ax + b. Two maps are combined by applying one after the other.
struct Map {
  uint32_t a;
  uint32_t b;
};
bool operator==(const Map& left, const Map& right) {
  return left.a == right.a && left.b == right.b;
}
using Maps = std::vector<Map>;
constexpr Map kUntouched = {0xabcdef, 0xfedcba};
constexpr Map kNotYet = {999, 998};
constexpr Map kRubbish = {1, 333};

Map Then(const Map& first, const Map& second) {
  return {first.a * second.a, second.a * first.b + second.b};
}

void ThenAll(void* results, size_t result_count, const void* left,
             size_t left_count, const void* right, size_t elem_size, int flags,
             int arg) {
  CHECK_EQ(left_count, result_count);
  CHECK_EQ(elem_size, sizeof(Map));
  CHECK_EQ(flags, kFunctionFlags);
  CHECK_EQ(arg, kArgument);
  for (size_t i = 0; i < result_count; ++i) {
    static_cast<Map*>(results)[i] = Then(static_cast<const Map*>(left)[i],
                                         static_cast<const Map*>(right)[i]);
  }
}

enum Call { kReduce, kReduceAll, kPrefixes, kExclusivePrefixes, kCalls };
enum Shape { kEqualCounts, kAnyCounts, kOneNode, kNothing, kShapes };

size_t CountOf(Shape shape, gasnet_node_t node) {
  switch (shape) {
    case kEqualCounts:
      return 3;
    case kAnyCounts:
      return node % 3 == 0 ? 0 : kMax / node;
    case kOneNode:
      return node == gasnet_nodes() / 2 ? kMax : 0;
    default:
      return 0;
  }
}

struct Plan {
  Call call;
  Shape shape;
  int in;
  int out;
  gasnet_node_t root;
  bool in_place;
};

// Returns the address of a node's source. All nodes may access it.
Map* SrcOf(gasnet_node_t node) {
  return reinterpret_cast<Map*>(SharedMemory(node));
}
Map* DstOf(const Plan& plan, gasnet_node_t node) {
  return SrcOf(node) + (plan.in_place ? 0 : kMax + 1);
}
constexpr size_t kBytes = (2 * kMax + 2) * sizeof(Map);

Maps SourceOf(const Plan& plan, gasnet_node_t node) {
  Maps maps;
  for (uint32_t i = 0; i < CountOf(plan.shape, node); ++i) {
    maps.push_back({4 * i + 3, 1000 * node + i * i});
  }
  return maps;
}

// Returns a node's expected result. In a prefix call, element i of the result
// combines all elements up to the node's element i, or all before it. The
// result has one more element than the node's source: room for a sum, or
// kUntouched.
Maps ResultOf(const Plan& plan, gasnet_node_t node) {
  Maps result(CountOf(plan.shape, node) + 1, kUntouched);
  const Maps own = SourceOf(plan, node);
  if (plan.in_place) std::copy(own.begin(), own.end(), result.begin());
  std::optional<Map> sum;
  for (gasnet_node_t from = 0; from < gasnet_nodes(); ++from) {
    const Maps maps = SourceOf(plan, from);
    for (size_t i = 0; i < maps.size(); ++i) {
      const std::optional<Map> before = sum;
      sum = before ? Then(*before, maps[i]) : maps[i];
      if (from != node) continue;
      if (plan.call == kPrefixes) result[i] = *sum;
      if (plan.call == kExclusivePrefixes && before) result[i] = *before;
    }
  }
  const bool has_sum =
      plan.call == kReduceAll || (plan.call == kReduce && node == plan.root);
  if (has_sum && sum) result[0] = *sum;
  return result;
}

void Fill(const Plan& plan, gasnet_node_t node) {
  Maps maps = SourceOf(plan, node);
  gasnet_put_bulk(node, SrcOf(node), maps.data(), maps.size() * sizeof(Map));
}

void Check(const Plan& plan, gasnet_node_t node) {
  const Maps expected = ResultOf(plan, node);
  Maps have(expected.size());
  gasnet_get_bulk(have.data(), node, DstOf(plan, node),
                  have.size() * sizeof(Map));
  for (size_t i = 0; i < have.size(); ++i) {
    if (have[i] == expected[i]) continue;
    fprintf(stderr,
            "call %d shape %d in 0x%x out 0x%x root %u in place %d: element "
            "%zu of %zu of node %u is wrong\n",
            plan.call, plan.shape, static_cast<unsigned>(plan.in),
            static_cast<unsigned>(plan.out), plan.root, plan.in_place, i,
            have.size() - 1, node);
    CHECK_EQ(have[i].a, expected[i].a);
    CHECK_EQ(have[i].b, expected[i].b);
  }
}

void DoCall(const Plan& plan) {
  const gasnet_node_t me = gasnet_mynode();
  const size_t count = CountOf(plan.shape, me);
  const Map* const src = count == 0 && !plan.in_place ? nullptr : SrcOf(me);
  Map* const dst = DstOf(plan, me);
  const gasnet_all_type_t type = GASNET_ALL_BYTES(sizeof(Map));
  const gasnet_all_op_t op = GASNET_ALL_FUNCTION(1);
  const int flags = plan.in | plan.out | GASNET_ALL_DST_IN_SEGMENT |
                    (me % 2 == 0 ? GASNET_ALL_SRC_IN_SEGMENT : 0) |
                    (plan.in_place ? GASNET_ALL_SINGLE : GASNET_ALL_LOCAL);
  switch (plan.call) {
    case kReduce:
      return gasnet_all_reducev(plan.root, me == plan.root ? dst : nullptr, src,
                                count, type, op, kArgument, flags);
    case kReduceAll:
      return gasnet_all_reduce_allv(dst, src, count, type, op, kArgument,
                                    flags);
    default:
      return gasnet_all_prefix_reducev(
          dst, src, count, type, op, kArgument,
          flags | (plan.call == kPrefixes ? 0 : GASNET_ALL_EXCLUSIVE));
  }
}

void Run(const Plan& plan) {
  const gasnet_node_t me = gasnet_mynode();
  const size_t count = CountOf(plan.shape, me);
  const gasnet_node_t next = (me + 1) % gasnet_nodes();
  std::fill_n(DstOf(plan, me), count + 1, kUntouched);
  std::fill_n(SrcOf(me), count, kNotYet);
  if (plan.in == GASNET_ALL_IN_NOSYNC) Fill(plan, me);
  Barrier();
  if (plan.in == GASNET_ALL_IN_MYSYNC) Fill(plan, me);
  if (plan.in == GASNET_ALL_IN_ALLSYNC) Fill(plan, next);
  DoCall(plan);
  Check(plan, me);
  if (plan.out == GASNET_ALL_OUT_ALLSYNC) {
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      Check(plan, node);
    }
  } else if (plan.out == GASNET_ALL_OUT_MYSYNC) {
    std::fill_n(SrcOf(me), count, kRubbish);
    std::fill_n(DstOf(plan, me), count + 1, kRubbish);
  }
  Barrier();
  if (plan.out != GASNET_ALL_OUT_MYSYNC) return Check(plan, me);
  const Map* const dst = DstOf(plan, me);
  for (size_t i = 0; i <= count; ++i) CHECK(dst[i] == kRubbish);
}

void RunModes(Call call, Shape shape) {
  for (const int in :
       {GASNET_ALL_IN_NOSYNC, GASNET_ALL_IN_MYSYNC, GASNET_ALL_IN_ALLSYNC}) {
    for (const int out : {GASNET_ALL_OUT_NOSYNC, GASNET_ALL_OUT_MYSYNC,
                          GASNET_ALL_OUT_ALLSYNC}) {
      for (const bool in_place : {false, true}) {
        const auto root = static_cast<gasnet_node_t>(in + out + shape);
        Run({call, shape, in, out, root % gasnet_nodes(), in_place});
      }
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, nullptr, 0, kBytes);
  gasnet_coll_fn_entry_t functions[] = {{nullptr, 0},
                                        {ThenAll, kFunctionFlags}};
  gasnet_coll_init(nullptr, 0, functions, COUNT_OF(functions), 0);
  for (int call = 0; call < kCalls; ++call) {
    for (int shape = 0; shape < kShapes; ++shape) {
      RunModes(static_cast<Call>(call), static_cast<Shape>(shape));
    }
  }
  return FinishJob();
}
