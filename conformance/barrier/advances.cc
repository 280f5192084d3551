// The barrier makes progress in every call that blocks. So a node that has
// notified and blocks in another call holds up no other node (sections 3.5 and
// 2.3.3.1).
//
// Node 0 blocks in a call that cannot return before node 1 acts. Node 1 makes
// no call until node 2 has left the barrier. Node 2 cannot leave before node 0
// takes a step of the barrier. With the argument `center`, node 0 is the center
// of a barrier by messages, and node 1 makes no calls once it has notified.
// Without the argument, node 1 makes no calls once it has left the barrier. If
// node 1's memory is mapped, no call blocks, and nothing is tested.
#include <sched.h>

#include <string_view>

#include "conformance/harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

// Out-of-band words. Each holds the last phase in which
//
// - kNotified: node 0 has notified
// - kDeaf: node 1 has stopped making calls
// - kThrough: node 2 has left the barrier
enum { kNotified, kDeaf, kThrough };
enum { kMessage = 128 };

constexpr gasnet_node_t kBlocked = 0, kPeer = 1, kWitness = 2, kLate = 3;

bool center = false;
char* there;

void OnMessage(gasnet_token_t, void*, size_t) {}

void Await(int what, uint32_t phase) {
  while (OutOfBand(what) < phase) sched_yield();
}

void Put() {
  const uint64_t value = 7;
  gasnet_put(kPeer, there, &value, sizeof(value));
}
void Get() {
  uint64_t value;
  gasnet_get(&value, kPeer, there, sizeof(value));
}
void Memset() { gasnet_memset(kPeer, there, 7, 8); }
void Value() {
  gasnet_put_val(kPeer, there, 7, 8);
  CHECK_EQ(gasnet_get_val(kPeer, there, 8), 7);
}
void Nb() { gasnet_wait_syncnb(gasnet_put_nb_val(kPeer, there, 7, 8)); }
void NbSome() {
  gasnet_handle_t put = gasnet_put_nb_val(kPeer, there, 7, 8);
  gasnet_wait_syncnb_some(&put, 1);
}
void Nbi() {
  gasnet_put_nbi_val(kPeer, there, 7, 8);
  gasnet_wait_syncnbi_all();
}
// Sends requests to node 1 until node 2 has left the barrier. A request blocks
// once there is no more room. Does nothing with `center`, because the center
// would have no room for its own barrier messages to node 1 either.
void Requests() {
  if (center) return;
  static char payload[512];
  while (OutOfBand(kThrough) != OutOfBand(kNotified)) {
    CHECK_OK(
        gasnet_AMRequestMedium0(kPeer, kMessage, payload, sizeof(payload)));
  }
}

void (*const kCalls[])() = {Put, Get, Memset, Value, Nb, NbSome, Nbi, Requests};

void Notify(uint32_t phase) {
  gasnet_barrier_notify(phase, 0);
  if (gasnet_mynode() == kBlocked) OutOfBand(kNotified) = phase;
}
void Wait(uint32_t phase) { CHECK_OK(gasnet_barrier_wait(phase, 0)); }

void Block(void (*call)(), uint32_t phase) {
  Notify(phase);
  Await(kDeaf, phase);
  call();
  Wait(phase);
}

void BeDeaf(uint32_t phase) {
  Notify(phase);
  if (!center) Wait(phase);
  OutOfBand(kDeaf) = phase;
  Await(kThrough, phase);
  if (center) Wait(phase);
}

// Waits until node 0 has notified, and takes part in the barrier. So the
// message of this node reaches node 0 after node 0 has taken its first step.
void Meet(uint32_t phase) {
  Await(kNotified, phase);
  Notify(phase);
  Wait(phase);
  if (gasnet_mynode() == kWitness) OutOfBand(kThrough) = phase;
}

void Phase(void (*call)(), uint32_t phase) {
  switch (gasnet_mynode()) {
    case kBlocked:
      Block(call, phase);
      break;
    case kPeer:
      BeDeaf(phase);
      break;
    default:
      Meet(phase);
  }
  Barrier();
}

// Blocks node 0 in a broadcast. The other nodes enter the broadcast when the
// barrier is over. Does nothing in a build with checks: such a build refuses a
// collective between notify and wait.
void Broadcast([[maybe_unused]] uint32_t phase) {
#ifndef GASNET_DEBUG
  const bool blocked = gasnet_mynode() == kBlocked;
  int value = blocked ? 7 : 0;
  if (!blocked) Await(kNotified, phase);
  Notify(phase);
  if (!blocked) Wait(phase);
  gasnet_coll_broadcast(
      GASNET_TEAM_ALL, &value, kBlocked, &value, sizeof(value),
      GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
  CHECK_EQ(value, 7);
  if (blocked) Wait(phase);
#endif
}

// Runs small operations on a team that has only this node. Each operation
// completes within its call.
void SmallOnes([[maybe_unused]] uint32_t phase) {
#ifndef GASNET_DEBUG
  const gasnet_team_handle_t alone =
      gasnet_coll_team_split(GASNET_TEAM_ALL, gasnet_mynode(), 0, nullptr);
  const bool blocked = gasnet_mynode() == kBlocked;
  if (!blocked) Await(kNotified, phase);
  Notify(phase);
  if (!blocked) Wait(phase);
  if (gasnet_mynode() == kWitness) OutOfBand(kThrough) = phase;
  while (blocked && OutOfBand(kThrough) != phase) {
    int value = 7;
    gasnet_coll_broadcast(
        alone, &value, 0, &value, sizeof(value),
        GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
  }
  if (blocked) Wait(phase);
  Barrier();
#endif
}

gasnet_handlerentry_t handlers[] = {HANDLER(kMessage, OnMessage)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), sizeof(uint64_t));
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  CHECK_EQ(gasnet_nodes(), kLate + 1);
  center = argc > 1 && std::string_view(argv[1]) == "center";
  there = SharedMemory(kPeer);
  uint32_t phase = 0;
  for (void (*const call)() : kCalls) Phase(call, ++phase);
  Broadcast(++phase);
  SmallOnes(++phase);
  return FinishJob();
}
