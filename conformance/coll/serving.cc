// Node 0 only begins small collectives, and these never have to wait. Node 0
// must still serve the messages of other nodes. It must also serve messages
// that arrive behind those of a collective that node 0 has not yet begun.
#include <sched.h>
#include <stdint.h>

#include <atomic>
#include <vector>

#include "conformance/harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kRequest = 128 };
// Out-of-band words. kHere and kSent count over all rounds.
//
// - kHere: the number of other nodes that need no earlier messages of node 0
// - kAlone: the round in which node 0 now only calls collectives of its own
//   team
// - kSent: the number of other nodes that have sent their requests
enum { kHere, kAlone, kSent };

constexpr int kRounds = 20;
constexpr int kFlags =
    GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL;

std::atomic<uint32_t> handled{0};

void OnRequest(gasnet_token_t) { ++handled; }

uint32_t Others() { return gasnet_nodes() - 1; }

void Await(int which, uint32_t value) {
  while (OutOfBand(which) < value) sched_yield();
}
// Waits for a word, and serves the network. Some networks make no progress by
// themselves, and then these polls send earlier messages.
void AwaitServing(int which, uint32_t value) {
  while (OutOfBand(which) < value) CHECK_OK(gasnet_AMPoll());
}

// Runs a collective on a team that has only this node.
void RunOwn(gasnet_team_handle_t team) {
  uint64_t mine = 7, all = 0;
  gasnet_coll_gather_all(team, &all, &mine, sizeof(mine), kFlags);
  CHECK_EQ(all, 7u);
}

void RunRound(uint32_t round, gasnet_team_handle_t own) {
  const gasnet_node_t me = gasnet_mynode();
  uint64_t mine = me + round;
  std::vector<uint64_t> all(gasnet_nodes());
  const auto begin = [&] {
    return gasnet_coll_gather_all_nb(GASNET_TEAM_ALL, all.data(), &mine,
                                     sizeof(mine), kFlags);
  };
  gasnet_coll_handle_t handle;
  if (me == 0) {
    AwaitServing(kHere, round * Others());
    OutOfBand(kAlone) = round;
    Await(kSent, round * Others());
    while (handled < round * Others()) RunOwn(own);
    handle = begin();
  } else {
    OutOfBand(kHere).fetch_add(1);
    AwaitServing(kAlone, round);
    handle = begin();
    CHECK_EQ(gasnet_AMRequestShort0(0, kRequest), GASNET_OK);
    OutOfBand(kSent).fetch_add(1);
  }
  gasnet_coll_wait_sync(handle);
  for (uint64_t node = 0; node < all.size(); ++node) {
    CHECK_EQ(all[node], node + round);
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  gasnet_handlerentry_t table[] = {HANDLER(kRequest, OnRequest)};
  StartJob(&argc, &argv, table, COUNT_OF(table), GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  const gasnet_team_handle_t own =
      gasnet_coll_team_split(GASNET_TEAM_ALL, gasnet_mynode(), 0, nullptr);
  for (int round = 1; round <= kRounds; ++round) RunRound(round, own);
  return FinishJob();
}
