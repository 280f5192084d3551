// Generalized puts and gets wait for their partners only in their own sync. A
// partner may enter and then make no call. This does not delay other nodes that
// begin an operation, try to sync it, poll, or run other collectives.
#include <sched.h>
#include <stdint.h>

#include <vector>

#include "conformance/harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

// Out-of-band words:
//
// - kWaiting: the number of other nodes that wait for the partner
// - kEntered: the number of rounds that the partner has entered
// - kWentOn: the number of other nodes that have gone on without the
//   partner
enum { kWaiting, kEntered, kWentOn };

constexpr gasnet_node_t kPartner = 1;
constexpr int kRounds = 20;
constexpr size_t kSizes[] = {8, 3000, 20000};
constexpr int kFlags =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;

void Await(int which, uint32_t value) {
  while (OutOfBand(which) < value) sched_yield();
}
// Waits for a word, and polls. Other nodes may still need earlier messages of
// this node. Some networks make no progress by themselves, and then the polls
// send these messages.
void AwaitServing(int which, uint32_t value) {
  while (OutOfBand(which) < value) CHECK_OK(gasnet_AMPoll());
}

// The lists of a transfer. They must stay valid until the transfer is synced.
struct Lists {
  void* far;
  void* near;
  gasnet_node_t partner;
};

// Begins the transfer. Node 0 puts into the partner's memory, or gets from it.
// The other nodes only take part in the call.
gasnet_all_handle_t Begin(bool puts, const Lists& lists, size_t nbytes) {
  const size_t partners = gasnet_mynode() == kPartner ? 1 : 0;
  const size_t count = gasnet_mynode() == 0 ? 1 : 0;
  return puts ? gasnet_all_puti_nb(&kPartner, &lists.far, &lists.near, count,
                                   &lists.partner, partners, nbytes, kFlags)
              : gasnet_all_geti_nb(&lists.near, &kPartner, &lists.far, count,
                                   &lists.partner, partners, nbytes, kFlags);
}

// Does everything that a node may do before the sync. If a try syncs the
// operation, sets the handle to the invalid handle.
void GoOn(gasnet_all_handle_t& handle, gasnet_team_handle_t others) {
  for (int i = 0; i < 50; ++i) {
    if (gasnet_all_try_sync(handle) == GASNET_OK) {
      handle = GASNET_ALL_INVALID_HANDLE;
    }
    CHECK_OK(gasnet_AMPoll());
    uint64_t mine = gasnet_mynode();
    std::vector<uint64_t> all(gasnet_nodes() - 1);
    gasnet_coll_gather_all(others, all.data(), &mine, sizeof(mine), kFlags);
    CHECK_EQ(all[0], 0u);
    CHECK_EQ(all.back(), gasnet_nodes() == 2 ? 0 : gasnet_nodes() - 1);
  }
  OutOfBand(kWentOn).fetch_add(1);
}

void RunRound(uint32_t round, bool puts, gasnet_team_handle_t others) {
  const size_t nbytes = kSizes[round % std::size(kSizes)];
  const bool is_partner = gasnet_mynode() == kPartner;
  std::vector<char> local(nbytes);
  FillPattern(local.data(), nbytes, is_partner || puts ? round : 0);
  char* const shared = SharedMemory(kPartner);
  if (is_partner) FillPattern(shared, nbytes, puts ? 0 : round);
  const uint32_t all_others = round * (gasnet_nodes() - 1);
  Barrier();
  if (is_partner) {
    AwaitServing(kWaiting, all_others);
  } else {
    OutOfBand(kWaiting).fetch_add(1);
    AwaitServing(kEntered, round);
  }
  const Lists lists = {shared, local.data(), 0};
  gasnet_all_handle_t handle = Begin(puts, lists, nbytes);
  if (is_partner) {
    OutOfBand(kEntered) = round;
    Await(kWentOn, all_others);
  } else {
    GoOn(handle, others);
  }
  gasnet_all_wait_sync(handle);
  if (is_partner) CHECK_PATTERN(shared, nbytes, round);
  if (gasnet_mynode() == 0) CHECK_PATTERN(local.data(), nbytes, round);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, nullptr, 0, size_t{32} * 1024);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  const gasnet_team_handle_t others = gasnet_coll_team_split(
      GASNET_TEAM_ALL, gasnet_mynode() == kPartner ? 1 : 0, gasnet_mynode(),
      nullptr);
  for (int round = 1; round <= kRounds; ++round) {
    RunRound(static_cast<uint32_t>(round), round % 2 != 0, others);
  }
  return FinishJob();
}
