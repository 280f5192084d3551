#include "coll/sort.h"

#include <gtest/gtest.h>

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "coll/request.h"

namespace gasnet::coll {
namespace {

// Nodes are threads, which meet before each operation and after.
struct ThreadTeam {
  Rank count;
  Rank mine;
  Rank nodes() const { return count; }
  Rank me() const { return mine; }
};

size_t SumBefore(const size_t* sizes, Rank end) {
  return std::accumulate(sizes, sizes + end, size_t{0});
}

class ThreadEngine {
 public:
  static void Reset(Rank nodes) {
    requests_.assign(nodes, nullptr);
    meeting_ = std::make_unique<std::barrier<>>(nodes);
  }

  static Operation* Begin(ThreadTeam& team, const Request& mine) {
    requests_[team.me()] = &mine;
    meeting_->arrive_and_wait();
    for (Rank from = 0; from < team.nodes(); ++from) {
      Receive(team.me(), from, mine, *requests_[from]);
    }
    meeting_->arrive_and_wait();
    return nullptr;
  }
  static void Wait(Operation&) {}

 private:
  static void Receive(Rank me, Rank from, const Request& mine,
                      const Request& theirs) {
    ASSERT_EQ(mine.kind, theirs.kind);
    const size_t one = mine.nbytes;
    switch (mine.kind) {
      case Kind::kGatherAll:
        return Copy(mine.dests[0] + from * one, theirs.sources[0], one);
      case Kind::kExchange:
        return Copy(mine.dests[0] + from * one, theirs.sources[0] + me * one,
                    one);
      case Kind::kGatherAllV:
        ASSERT_EQ(mine.in_sizes[from], theirs.own_size);
        return Copy(mine.dests[0] + SumBefore(mine.in_sizes, from),
                    theirs.sources[0], theirs.own_size);
      case Kind::kExchangeV:
        ASSERT_EQ(mine.in_sizes[from], theirs.out_sizes[me]);
        return Copy(mine.dests[0] + SumBefore(mine.in_sizes, from),
                    theirs.sources[0] + SumBefore(theirs.out_sizes, me),
                    theirs.out_sizes[me]);
      default:
        FAIL() << "another kind";
    }
  }
  static void Copy(std::byte* to, const std::byte* from, size_t nbytes) {
    if (nbytes > 0) std::memcpy(to, from, nbytes);
  }

  static inline std::vector<const Request*> requests_;
  static inline std::unique_ptr<std::barrier<>> meeting_;
};

// A key, and what shows whether elements stay whole.
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
  ThreadEngine::Reset(nodes);
  std::vector<std::thread> threads;
  for (Rank node = 0; node < nodes; ++node) {
    threads.emplace_back([&parts, nodes, node] {
      ThreadTeam team = {nodes, node};
      Sorter<ThreadEngine, ThreadTeam>(team, {.call = "sort",
                                              .base = parts[node].data(),
                                              .count = parts[node].size(),
                                              .elem_size = sizeof(Element),
                                              .compare = &Compare})
          .Run();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Keys of so many values at most.
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
