// With GASNET_COLL_PROGRESS=thread, a node that has begun collectives and then
// makes no call delays no other node. The other nodes complete their
// collectives while that node computes.
#include <sched.h>
#include <stdint.h>

#include <vector>

#include "conformance/harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

// An out-of-band word. It counts how often any node, except the computing one,
// has synced all operations of a round.
enum { kSynced };

constexpr size_t kWords = 20000;  // words of a block
constexpr int kStrict =
    GASNET_ALL_IN_ALLSYNC | GASNET_ALL_OUT_ALLSYNC | GASNET_ALL_LOCAL;
constexpr int kMine =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;

using Words = std::vector<uint64_t>;

// The operations of one round. Even after all nodes have begun an operation, it
// needs further steps of every node: barriers, fetches of blocks, or sums of
// slices.
struct Round {
  explicit Round(gasnet_node_t root)
      : mine(kWords * gasnet_nodes(), gasnet_mynode() + 1),
        broadcast(kWords),
        exchanged(kWords * gasnet_nodes()),
        sum(kWords) {
    handles.push_back(
        gasnet_all_broadcast_nb(broadcast.data(), root, mine.data(),
                                kWords * sizeof(uint64_t), kStrict));
    handles.push_back(gasnet_all_exchange_nb(exchanged.data(), mine.data(),
                                             kWords * sizeof(uint64_t), kMine));
    handles.push_back(gasnet_all_reduce_all_nb(sum.data(), mine.data(), kWords,
                                               GASNET_ALL_UINT64,
                                               GASNET_ALL_SUM, 0, kMine));
  }

  void Sync(gasnet_node_t root) {
    gasnet_all_wait_sync_all(handles.data(), handles.size());
    const uint64_t nodes = gasnet_nodes();
    for (size_t i = 0; i < kWords; ++i) {
      CHECK_EQ(broadcast[i], root + 1);
      CHECK_EQ(sum[i], nodes * (nodes + 1) / 2);
    }
    for (size_t i = 0; i < exchanged.size(); ++i) {
      CHECK_EQ(exchanged[i], i / kWords + 1);
    }
  }

  Words mine, broadcast, exchanged, sum;
  std::vector<gasnet_all_handle_t> handles;
};

void Compute(uint32_t synced) {
  while (OutOfBand(kSynced) < synced) sched_yield();
}

void RunRounds(uint32_t rounds) {
  const uint32_t others = gasnet_nodes() - 1;
  for (uint32_t round = 1; round <= rounds; ++round) {
    const gasnet_node_t computing = round % gasnet_nodes();
    Round at_once(computing);
    if (gasnet_mynode() == computing) Compute(round * others);
    at_once.Sync(computing);
    if (gasnet_mynode() != computing) OutOfBand(kSynced).fetch_add(1);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  conformance::RunRounds(20);
  return conformance::FinishJob();
}
