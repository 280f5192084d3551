#include "coll/sort.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "coll/testing/thread_engine.h"
#include "core/rank.h"

namespace gasnet::coll {
namespace {

// A key, and a value computed from the key. The value shows that the sort moves
// elements as a whole.
struct Element {
  int32_t key = 0;
  int32_t twice = 0;
  int32_t id = 0;
};
int Compare(const void* a, const void* b) {
  const auto left = static_cast<const Element*>(a)->key;
  const auto right = static_cast<const Element*>(b)->key;
  return left < right ? -1 : left > right ? 1 : 0;
}

using Parts = std::vector<std::vector<Element>>;

void SortAll(Parts& parts) {
  const auto nodes = static_cast<Rank>(parts.size());
  RunAsNodes(nodes, [&parts](ThreadTeam& team) {
    std::vector<Element>& mine = parts[team.me()];
    ThreadEngine engine;
    Sorter(engine, team,
           {.call = "sort",
            .base = mine.data(),
            .count = mine.size(),
            .elem_size = sizeof(Element),
            .compare = &Compare})
        .Run();
  });
}

// Sorts keys that have at most `values` different values, and checks the
// result.
void Check(const std::vector<size_t>& counts, int values) {
  std::mt19937 random(static_cast<unsigned>(values) + 1);
  Parts parts;
  int32_t id = 0;
  for (const size_t count : counts) {
    parts.emplace_back(count);
    for (Element& element : parts.back()) {
      const auto key = static_cast<int32_t>(random() % values);
      element = {key, 2 * key, id++};
    }
  }
  SortAll(parts);
  std::vector<bool> seen(static_cast<size_t>(id), false);
  int32_t before = -1;
  for (size_t node = 0; node < counts.size(); ++node) {
    ASSERT_EQ(parts[node].size(), counts[node]);
    for (const Element& element : parts[node]) {
      ASSERT_LE(before, element.key);
      ASSERT_EQ(element.twice, 2 * element.key);
      ASSERT_FALSE(seen[static_cast<size_t>(element.id)]);
      seen[static_cast<size_t>(element.id)] = true;
      before = element.key;
    }
  }
}

TEST(SorterTest, OneNode) {
  Check({0}, 10);
  Check({1000}, 100);
}
TEST(SorterTest, EqualCounts) { Check({500, 500, 500, 500}, 1 << 30); }
TEST(SorterTest, UnequalCounts) { Check({3, 700, 0, 1, 50}, 1000); }
TEST(SorterTest, NothingAnywhere) { Check({0, 0, 0}, 10); }
TEST(SorterTest, LessThanNodes) { Check({0, 1, 0, 1, 0, 0}, 10); }
TEST(SorterTest, FewValues) {
  Check({300, 300, 300}, 1);
  Check({300, 10, 300, 77}, 3);
}

}  // namespace
}  // namespace gasnet::coll
