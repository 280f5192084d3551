// Every thread has its own non-blocking operations in flight. A thread's
// handles and implicit synchronization apply only to its own operations
// (sections 3.3.2 and 3.3.5).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 60;
constexpr size_t kWords = 64;

// The part of each node's memory that one thread of one node owns.
struct Area {
  uint64_t by_handle[kWords];
  uint64_t implicit[kWords];
};

Area* There(gasnet_node_t owner, int thread) {
  const size_t number = gasnet_mynode() * kThreads + thread;
  return reinterpret_cast<Area*>(SharedMemory(owner)) + number;
}

uint64_t Value(int thread, int round, size_t word) {
  return ((gasnet_mynode() * 100 + thread) * 1000 + round) * 1000 + word;
}

// Puts each word separately, by explicit and by implicit puts, and waits for
// all.
void PutWords(gasnet_node_t peer, Area* there, int thread, int round) {
  gasnet_handle_t handles[kWords];
  for (size_t i = 0; i < kWords; ++i) {
    uint64_t value = Value(thread, round, i);
    handles[i] =
        gasnet_put_nb(peer, &there->by_handle[i], &value, sizeof(value));
    value = ~value;
    gasnet_put_nbi(peer, &there->implicit[i], &value, sizeof(value));
    if (i % 16 == 5) LetOthersRun();
  }
  LetOthersRun();
  gasnet_wait_syncnb_all(handles, kWords);
  gasnet_wait_syncnbi_puts();
}

// Gets each word separately, by explicit and by implicit gets, waits for all,
// and checks the words.
void GetWords(gasnet_node_t peer, Area* there, int thread, int round) {
  gasnet_handle_t handles[kWords];
  Area copy;
  for (size_t i = 0; i < kWords; ++i) {
    handles[i] = gasnet_get_nb(&copy.by_handle[i], peer, &there->by_handle[i],
                               sizeof(uint64_t));
    gasnet_get_nbi(&copy.implicit[i], peer, &there->implicit[i],
                   sizeof(uint64_t));
    if (i % 16 == 10) LetOthersRun();
  }
  LetOthersRun();
  gasnet_wait_syncnbi_gets();
  for (size_t i = 0; i < kWords; ++i) gasnet_wait_syncnb(handles[i]);
  for (size_t i = 0; i < kWords; ++i) {
    CHECK_EQ(copy.by_handle[i], Value(thread, round, i));
    CHECK_EQ(copy.implicit[i], ~Value(thread, round, i));
  }
}

// Puts in an access region, while other threads have their own regions open.
void PutInRegion(gasnet_node_t peer, Area* there, int thread, int round) {
  gasnet_begin_nbi_accessregion();
  for (size_t i = 0; i < kWords; ++i) {
    gasnet_put_nbi_val(peer, &there->by_handle[i], Value(thread, round, i), 8);
    gasnet_put_nbi_val(peer, &there->implicit[i], ~Value(thread, round, i), 8);
    if (i % 16 == 15) LetOthersRun();
  }
  const gasnet_handle_t handle = gasnet_end_nbi_accessregion();
  LetOthersRun();
  gasnet_wait_syncnb(handle);
}

void Work(int thread) {
  for (int round = 0; round < kRounds; ++round) {
    const gasnet_node_t peer =
        (gasnet_mynode() + round + thread) % gasnet_nodes();
    Area* const there = There(peer, thread);
    if (round % 2 == 0) PutWords(peer, there, thread, round);
    if (round % 2 == 1) PutInRegion(peer, there, thread, round);
    GetWords(peer, there, thread, round);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kThreads;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0,
                         gasnet_nodes() * kThreads * sizeof(conformance::Area));
  conformance::RunThreads(kThreads, conformance::Work);
  return conformance::FinishJob();
}
