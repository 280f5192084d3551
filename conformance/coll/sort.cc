// gasnet_all_sort: each node keeps its number of elements, no element is lost,
// and the elements of all nodes together are in order. Inputs include equal
// elements, no elements, and all elements on one node.
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kFlags =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;
constexpr size_t kMax = 3000;  // maximum number of elements of a node

// An element. Elements are compared by the key alone. The other words must move
// along with the key.
struct Element {
  uint32_t key;
  uint32_t check[4];
};

Element MakeElement(uint32_t key, uint32_t number) {
  return {key, {number, key * 3, number ^ key, 7}};
}

int CompareKeys(const void* left, const void* right) {
  const uint32_t a = static_cast<const Element*>(left)->key;
  const uint32_t b = static_cast<const Element*>(right)->key;
  return a < b ? -1 : a > b;
}

enum Shape { kEqualCounts, kAnyCounts, kOneNode, kNothing, kShapes };

size_t CountOf(Shape shape, gasnet_node_t node) {
  switch (shape) {
    case kEqualCounts:
      return 777;
    case kAnyCounts:
      return node % 3 == 1 ? 0 : kMax / (node + 1);
    case kOneNode:
      return node == gasnet_nodes() / 2 ? kMax : 0;
    default:
      return 0;
  }
}

std::vector<Element> Unsorted(Shape shape, gasnet_node_t node, uint64_t keys) {
  Random random(node * 1000 + keys % 997);
  std::vector<Element> elements;
  for (uint32_t i = 0; i < CountOf(shape, node); ++i) {
    elements.push_back(MakeElement(static_cast<uint32_t>(random.Below(keys)),
                                   node * 10000 + i));
  }
  return elements;
}

bool LessInAll(const Element& left, const Element& right) {
  return std::pair(left.key, left.check[0]) <
         std::pair(right.key, right.check[0]);
}

// Checks the order of `mine`, this node's elements after the sort. Sorts all
// nodes' elements serially for comparison.
void CheckSorted(Shape shape, uint64_t keys, const std::vector<Element>& mine) {
  std::vector<Element> all;
  size_t first = 0;
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    if (node == gasnet_mynode()) first = all.size();
    const std::vector<Element> part = Unsorted(shape, node, keys);
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end(), LessInAll);
  for (size_t i = 0; i < mine.size(); ++i) {
    CHECK_EQ(mine[i].key, all[first + i].key);
    const Element whole = MakeElement(mine[i].key, mine[i].check[0]);
    CHECK_EQ(memcmp(&mine[i], &whole, sizeof(whole)), 0);
  }
}

// Checks that each element is present exactly once after the sort. Compares
// sums over all nodes.
void CheckNothingLost(Shape shape, uint64_t keys,
                      const std::vector<Element>& mine) {
  uint64_t sums[2] = {0, 0};
  for (const Element& element : mine) {
    sums[0] += element.check[0];
    sums[1] += uint64_t{element.check[0]} * element.check[0];
  }
  uint64_t have[2];
  gasnet_all_reduce_all(have, sums, 2, GASNET_ALL_UINT64, GASNET_ALL_SUM, 0,
                        kFlags);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    for (const Element& element : Unsorted(shape, node, keys)) {
      have[0] -= element.check[0];
      have[1] -= uint64_t{element.check[0]} * element.check[0];
    }
  }
  CHECK_EQ(have[0], 0);
  CHECK_EQ(have[1], 0);
}

int CompareBytes(const void* left, const void* right) {
  return *static_cast<const unsigned char*>(left) -
         *static_cast<const unsigned char*>(right);
}

// Sorts elements of one byte that are in reverse order.
void Bytes() {
  std::vector<unsigned char> bytes(1000);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] =
        static_cast<unsigned char>((gasnet_nodes() - gasnet_mynode()) * 20);
  }
  gasnet_all_sort(bytes.data(), bytes.size(), 1, CompareBytes, kFlags);
  for (const unsigned char byte : bytes) {
    CHECK_EQ(byte, (gasnet_mynode() + 1) * 20);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  for (int shape = 0; shape < kShapes; ++shape) {
    for (const uint64_t keys : {uint64_t{1}, uint64_t{5}, uint64_t{1} << 32}) {
      const Shape of = static_cast<Shape>(shape);
      std::vector<Element> mine = Unsorted(of, gasnet_mynode(), keys);
      gasnet_all_sort(mine.data(), mine.size(), sizeof(Element), CompareKeys,
                      kFlags);
      CheckSorted(of, keys, mine);
      CheckNothingLost(of, keys, mine);
    }
  }
  Bytes();
  return FinishJob();
}
