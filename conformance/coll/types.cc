// Predefined types and operations, compared with loops over elements. Values
// include numbers that wrap, logical values other than 1, and NaNs.
#include <string.h>

#include <limits>
#include <type_traits>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kFlags =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;
constexpr gasnet_all_op_t kOps[] = {
    GASNET_ALL_SUM, GASNET_ALL_PRODUCT,     GASNET_ALL_MIN,
    GASNET_ALL_MAX, GASNET_ALL_AND,         GASNET_ALL_OR,
    GASNET_ALL_XOR, GASNET_ALL_LOGICAL_AND, GASNET_ALL_LOGICAL_OR};
constexpr size_t kCounts[] = {0, 1, 2, 7, 63, 1000, 9001};

bool IsOfBits(gasnet_all_op_t op) {
  return op == GASNET_ALL_AND || op == GASNET_ALL_OR || op == GASNET_ALL_XOR;
}

// Combines two values by the rules of C. Sums and products of integers wrap.
template <class T>
T Combine(gasnet_all_op_t op, T left, T right) {
  switch (op) {
    case GASNET_ALL_MIN:
      return left < right ? left : right;
    case GASNET_ALL_MAX:
      return left > right ? left : right;
    case GASNET_ALL_LOGICAL_AND:
      return static_cast<T>(left != 0 && right != 0);
    case GASNET_ALL_LOGICAL_OR:
      return static_cast<T>(left != 0 || right != 0);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    return op == GASNET_ALL_SUM ? left + right : left * right;
  } else {
    const auto a = static_cast<uint64_t>(left);
    const auto b = static_cast<uint64_t>(right);
    switch (op) {
      case GASNET_ALL_SUM:
        return static_cast<T>(a + b);
      case GASNET_ALL_PRODUCT:
        return static_cast<T>(a * b);
      case GASNET_ALL_AND:
        return static_cast<T>(a & b);
      case GASNET_ALL_OR:
        return static_cast<T>(a | b);
      default:
        return static_cast<T>(a ^ b);
    }
  }
}

// Returns the values of a node. Floats are small whole numbers. Their sums and
// products are exact in any order. Integers have any value, and some are 0.
template <class T>
std::vector<T> ValuesOf(gasnet_node_t node, size_t count) {
  std::vector<T> values(count);
  std::vector<uint64_t> words(count);
  FillPattern(words.data(), count * sizeof(uint64_t), node + 17);
  for (size_t i = 0; i < count; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      values[i] = static_cast<T>(static_cast<int>(words[i] % 5) - 2);
    } else {
      values[i] = words[i] % 7 == 0 ? T{0} : static_cast<T>(words[i] >> 5);
    }
  }
  return values;
}

// Returns the prefixes of all nodes. Each prefix combines one more node's
// values; the first has only those of node 0.
template <class T>
std::vector<std::vector<T>> Prefixes(gasnet_all_op_t op, size_t count) {
  std::vector<std::vector<T>> prefixes = {ValuesOf<T>(0, count)};
  for (gasnet_node_t node = 1; node < gasnet_nodes(); ++node) {
    std::vector<T> next = ValuesOf<T>(node, count);
    for (size_t i = 0; i < count; ++i) {
      next[i] = Combine(op, prefixes.back()[i], next[i]);
    }
    prefixes.push_back(next);
  }
  return prefixes;
}

template <class T>
void CheckSame(const std::vector<T>& have, const std::vector<T>& wanted,
               gasnet_all_op_t op) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (memcmp(&have[i], &wanted[i], sizeof(T)) == 0) continue;
    fprintf(stderr, "operation %u on type of %zu bytes, element %zu of %zu\n",
            op, sizeof(T), i, wanted.size());
    CHECK(have[i] == wanted[i]);
    CHECK(!"the same bits");
  }
}

template <class T>
void RunOne(gasnet_all_type_t type, gasnet_all_op_t op, size_t count) {
  const auto prefixes = Prefixes<T>(op, count);
  const std::vector<T> mine = ValuesOf<T>(gasnet_mynode(), count);
  std::vector<T> dst(count);
  gasnet_all_reduce_all(dst.data(), mine.data(), count, type, op, 0, kFlags);
  CheckSame(dst, prefixes.back(), op);
  gasnet_all_prefix_reduce(dst.data(), mine.data(), count, type, op, 0, kFlags);
  CheckSame(dst, prefixes[gasnet_mynode()], op);
  const gasnet_node_t root = op % gasnet_nodes();
  std::vector<T> in_place = mine;
  gasnet_all_reduce(root, in_place.data(), in_place.data(), count, type, op, 0,
                    kFlags);
  if (gasnet_mynode() == root) CheckSame(in_place, prefixes.back(), op);
}

template <class T>
void RunType(gasnet_all_type_t type) {
  CHECK_EQ(type & 0xff, sizeof(T));
  for (const gasnet_all_op_t op : kOps) {
    if (std::is_floating_point_v<T> && IsOfBits(op)) continue;
    for (const size_t count : kCounts) RunOne<T>(type, op, count);
  }
}

// Runs with NaNs, both zeros and infinities. The resulting NaN may depend on
// the order in which nodes are combined, but must be the same on all nodes.
template <class T>
void RunNoNumbers(gasnet_all_type_t type) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  constexpr T kNone = std::numeric_limits<T>::quiet_NaN();
  const T kinds[] = {kNone, T{0}, -T{0}, kInfinity, -kInfinity, T{3}, -T{3}};
  constexpr size_t kKinds = std::size(kinds);
  const size_t count = kKinds * kKinds * 5;
  const auto value_of = [&](gasnet_node_t node, size_t i) {
    return kinds[(node % 2 == 0 ? i : i / kKinds) % kKinds];
  };
  for (const gasnet_all_op_t op : {GASNET_ALL_MIN, GASNET_ALL_MAX}) {
    std::vector<T> src(count), dst(count);
    for (size_t i = 0; i < count; ++i) src[i] = value_of(gasnet_mynode(), i);
    gasnet_all_reduce_all(dst.data(), src.data(), count, type, op, 0, kFlags);
    std::vector<T> all(count * gasnet_nodes());
    gasnet_all_gather_all(all.data(), dst.data(), count * sizeof(T), kFlags);
    for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
      CHECK_EQ(memcmp(&all[node * count], dst.data(), count * sizeof(T)), 0);
    }
    if (gasnet_nodes() != 2) continue;
    std::vector<T> wanted(count);
    for (size_t i = 0; i < count; ++i) {
      wanted[i] = Combine(op, value_of(0, i), value_of(1, i));
    }
    CheckSame(dst, wanted, op);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  RunType<int8_t>(GASNET_ALL_INT8);
  RunType<uint8_t>(GASNET_ALL_UINT8);
  RunType<int16_t>(GASNET_ALL_INT16);
  RunType<uint16_t>(GASNET_ALL_UINT16);
  RunType<int32_t>(GASNET_ALL_INT32);
  RunType<uint32_t>(GASNET_ALL_UINT32);
  RunType<int64_t>(GASNET_ALL_INT64);
  RunType<uint64_t>(GASNET_ALL_UINT64);
  RunType<float>(GASNET_ALL_FLOAT);
  RunType<double>(GASNET_ALL_DOUBLE);
  RunNoNumbers<float>(GASNET_ALL_FLOAT);
  RunNoNumbers<double>(GASNET_ALL_DOUBLE);
  return FinishJob();
}
