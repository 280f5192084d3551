#include "coll/tree.h"

#include <functional>
#include <queue>
#include <utility>

#include "coll/tuning.h"

namespace gasnet::coll {

std::vector<TreePlace> BestBroadcast(uint32_t n, uint32_t latency) {
  std::vector<TreePlace> places(n);
  // The positions that have the data. Each is stored with the step in which it
  // can next send. The position with the earliest step sends to the next one.
  using Sender = std::pair<uint32_t, uint32_t>;  // step, position
  std::priority_queue<Sender, std::vector<Sender>, std::greater<>> senders;
  if (n > 0) senders.emplace(0, 0);
  for (uint32_t next = 1; next < n; ++next) {
    const auto [step, position] = senders.top();
    senders.pop();
    const uint32_t arrives = step + 1 + latency;
    places[next] = {position, arrives};
    senders.emplace(step + 1, position);
    senders.emplace(arrives, next);
  }
  return places;
}

std::vector<TreePlace> Chain(uint32_t n) {
  std::vector<TreePlace> places(n);
  for (uint32_t i = 1; i < n; ++i) places[i] = {i - 1, i};
  return places;
}

namespace {

// `nodes` lists the leaders of hosts, the root first. position_of is indexed by
// node. It has the position, in `nodes`, of the leader of the node's host.
struct Leaders {
  std::vector<Rank> nodes;
  std::vector<uint32_t> position_of;
};

Leaders LeadersOf(std::span<const uint32_t> hosts, Rank root) {
  Leaders leaders;
  leaders.nodes.push_back(root);
  leaders.position_of.resize(hosts.size());
  std::vector<std::pair<uint32_t, uint32_t>> known = {{hosts[root], 0}};
  for (Rank node = 0; node < hosts.size(); ++node) {
    uint32_t position = UINT32_MAX;
    for (const auto& [host, at] : known) {
      if (host == hosts[node]) position = at;
    }
    if (position == UINT32_MAX) {
      position = static_cast<uint32_t>(leaders.nodes.size());
      known.emplace_back(hosts[node], position);
      leaders.nodes.push_back(node);
    }
    leaders.position_of[node] = position;
  }
  return leaders;
}

}  // namespace

Tree MakeTree(std::span<const uint32_t> hosts, Rank root, Rank me,
              TreeShape shape) {
  const Leaders leaders = LeadersOf(hosts, root);
  const uint32_t position = leaders.position_of[me];
  const Rank leader = leaders.nodes[position];
  if (leader != me) return {.parent = leader, .children = {}};
  const auto count = static_cast<uint32_t>(leaders.nodes.size());
  const std::vector<TreePlace> places = shape == TreeShape::kChain
                                            ? Chain(count)
                                            : BestBroadcast(count, kLatency);
  Tree tree = {.parent = leaders.nodes[places[position].parent],
               .children = {}};
  for (uint32_t other = 1; other < places.size(); ++other) {
    if (places[other].parent == position) {
      tree.children.push_back(leaders.nodes[other]);
    }
  }
  for (Rank node = 0; node < hosts.size(); ++node) {
    if (node != me && leaders.position_of[node] == position) {
      tree.children.push_back(node);
    }
  }
  return tree;
}

}  // namespace gasnet::coll
