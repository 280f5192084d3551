// Tests that broadcast trees are complete, consistent among nodes, and as short
// as possible.
#include "coll/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace gasnet::coll {
namespace {

void ExpectWhole(const std::vector<uint32_t>& hosts, Rank root,
                 TreeShape shape = TreeShape::kBest) {
  const auto nodes = static_cast<Rank>(hosts.size());
  std::vector<Tree> trees;
  for (Rank me = 0; me < nodes; ++me) {
    trees.push_back(MakeTree(hosts, root, me, shape));
  }
  ASSERT_EQ(trees[root].parent, root);
  size_t children = 0;
  std::map<uint32_t, unsigned> entries;  // by host: messages from other hosts
  for (Rank me = 0; me < nodes; ++me) {
    children += trees[me].children.size();
    for (const Rank child : trees[me].children) {
      ASSERT_EQ(trees[child].parent, me) << "of " << child;
      if (hosts[child] != hosts[me]) ++entries[hosts[child]];
    }
    if (me == root) continue;
    const std::vector<Rank>& of = trees[trees[me].parent].children;
    ASSERT_EQ(std::count(of.begin(), of.end(), me), 1);
    // Every node descends from the root.
    Rank at = me;
    for (Rank i = 0; i < nodes && at != root; ++i) at = trees[at].parent;
    ASSERT_EQ(at, root);
  }
  EXPECT_EQ(children, nodes - 1);
  for (const auto& [host, count] : entries) {
    EXPECT_EQ(count, 1u) << "messages to host " << host;
  }
  EXPECT_EQ(entries.count(hosts[root]), 0u);
}

TEST(TreeTest, IsWholeAndAHostIsEnteredOnce) {
  std::mt19937 random(1);
  for (Rank nodes = 1; nodes <= 40; ++nodes) {
    for (const Rank hosts : {Rank{1}, nodes, 1 + nodes / 3}) {
      std::vector<uint32_t> of(nodes);
      for (Rank i = 0; i < nodes; ++i) {
        of[i] = hosts == nodes ? i : static_cast<uint32_t>(random() % hosts);
      }
      const auto root = static_cast<Rank>(random() % nodes);
      ExpectWhole(of, root);
      ExpectWhole(of, root, TreeShape::kChain);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(TreeTest, OfManyHostsIsWhole) {
  std::vector<uint32_t> hosts(256);
  for (Rank i = 0; i < 256; ++i) hosts[i] = i;
  ExpectWhole(hosts, 200);
}

TEST(TreeTest, InAChainNobodySendsToMoreThanOneHost) {
  const std::vector<uint32_t> hosts = {7, 7, 3, 3, 5, 1, 7};
  for (Rank me = 0; me < hosts.size(); ++me) {
    const Tree tree = MakeTree(hosts, 2, me, TreeShape::kChain);
    const auto far = [&](Rank child) { return hosts[child] != hosts[me]; };
    EXPECT_LE(std::count_if(tree.children.begin(), tree.children.end(), far), 1)
        << "node " << me;
    // A leader sends to other hosts before it sends within its own host.
    EXPECT_TRUE(
        std::is_partitioned(tree.children.begin(), tree.children.end(), far));
  }
}

// Returns the smallest number of steps after which n nodes can have the data.
// Assumes that in each step every node with the data sends.
uint32_t LeastSteps(uint32_t n, uint32_t latency) {
  std::vector<uint64_t> have = {1};
  while (have.back() < n) {
    const size_t t = have.size();
    // The messages that arrive at step t were sent by all nodes that had the
    // data at step t - 1 - latency.
    const uint64_t sent = t >= 1 + latency ? have[t - 1 - latency] : 0;
    have.push_back(have.back() + sent);
  }
  return static_cast<uint32_t>(have.size() - 1);
}

// Tries every possible sender of each next message, depth first. Returns the
// smallest step in which the last node can get the data.
uint32_t BestOfAll(std::vector<uint32_t>& free_at, uint32_t n, uint32_t latency,
                   uint32_t last) {
  if (free_at.size() == n) return last;
  uint32_t best = UINT32_MAX;
  for (size_t i = 0; i < free_at.size(); ++i) {
    const uint32_t arrives = free_at[i] + 1 + latency;
    ++free_at[i];
    free_at.push_back(arrives);
    best =
        std::min(best, BestOfAll(free_at, n, latency, std::max(last, arrives)));
    free_at.pop_back();
    --free_at[i];
  }
  return best;
}

TEST(BestBroadcastTest, NoneIsFaster) {
  for (uint32_t latency = 0; latency <= 4; ++latency) {
    for (uint32_t n = 1; n <= 300; ++n) {
      const std::vector<TreePlace> places = BestBroadcast(n, latency);
      ASSERT_EQ(places.size(), n);
      uint32_t last = 0;
      std::set<std::pair<uint32_t, uint32_t>> sends;  // (sender, step)
      for (uint32_t i = 1; i < n; ++i) {
        const TreePlace& place = places[i];
        ASSERT_LT(place.parent, i);
        // The parent has had the data long enough, and sends no other message
        // in this step.
        ASSERT_GE(place.step, places[place.parent].step + 1 + latency);
        ASSERT_TRUE(sends.emplace(place.parent, place.step).second);
        last = std::max(last, place.step);
      }
      ASSERT_EQ(last, LeastSteps(n, latency)) << n << ", " << latency;
      if (n > 7) continue;
      std::vector<uint32_t> free_at = {0};
      ASSERT_EQ(last, BestOfAll(free_at, n, latency, 0));
    }
  }
}

}  // namespace
}  // namespace gasnet::coll
