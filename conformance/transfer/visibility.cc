// Once a put is synchronized, loads of its target node and gets of any other
// node see its bytes. Gets also see bytes that the target node has stored
// (section 3.3.1).
//
// In each round every node writes to one peer. Then all nodes check all areas.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kRounds = 24;
constexpr size_t kWords = 40;

struct Area {
  uint64_t put[kWords];     // written by another node
  uint64_t stored[kWords];  // written by the node itself
};

volatile Area* Mine() {
  return reinterpret_cast<Area*>(SharedMemory(gasnet_mynode()));
}

Area* Of(gasnet_node_t node) {
  return reinterpret_cast<Area*>(SharedMemory(node));
}

uint64_t Value(gasnet_node_t owner, int round, size_t word) {
  return (owner * 1000 + round) * 1000 + word;
}

void PutBy(int method, gasnet_node_t peer, const uint64_t* words) {
  void* const there = Of(peer)->put;
  void* const source = const_cast<uint64_t*>(words);
  const size_t bytes = kWords * sizeof(*words);
  if (method == 0) gasnet_put(peer, there, source, bytes);
  if (method == 1) gasnet_put_bulk(peer, there, source, bytes);
  if (method == 2) {
    gasnet_wait_syncnb(gasnet_put_nb(peer, there, source, bytes));
  }
  if (method == 3) {
    gasnet_put_nbi(peer, there, source, bytes);
    gasnet_wait_syncnbi_all();
  }
}

void Write(int round) {
  const gasnet_node_t peer = (gasnet_mynode() + round) % gasnet_nodes();
  uint64_t words[kWords];
  for (size_t i = 0; i < kWords; ++i) {
    words[i] = Value(peer, round, i);
    Mine()->stored[i] = Value(gasnet_mynode(), round, i);
  }
  PutBy(round % 4, peer, words);
}

void CheckByLoads(int round) {
  for (size_t i = 0; i < kWords; ++i) {
    CHECK_EQ(Mine()->put[i], Value(gasnet_mynode(), round, i));
  }
}

void CheckByGets(int round) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    Area copy;
    gasnet_get(&copy, peer, Of(peer), sizeof(copy));
    for (size_t i = 0; i < kWords; ++i) {
      CHECK_EQ(copy.put[i], Value(peer, round, i));
      CHECK_EQ(copy.stored[i], Value(peer, round, i));
    }
    CHECK_EQ(gasnet_get_val(peer, &Of(peer)->put[0], sizeof(uint64_t)),
             Value(peer, round, 0));
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, sizeof(conformance::Area));
  for (int round = 0; round < conformance::kRounds; ++round) {
    conformance::Write(round);
    conformance::Barrier();
    conformance::CheckByLoads(round);
    conformance::CheckByGets(round);
    conformance::Barrier();
  }
  return conformance::FinishJob();
}
