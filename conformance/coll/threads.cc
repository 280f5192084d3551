// Threads of a node take turns at collectives. Any thread may make the next
// call, whichever thread made the last one. A thread that waits for its turn
// serves the network.
#include <atomic>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kThreads = 3;
constexpr int kRounds = 30;
constexpr size_t kBytes = 2000;

// Broadcasts with every root and size in turn. The synchronisations are those
// that permit writes to memory right before and after the call.
void Broadcast(int round, std::vector<char>& buffer) {
  constexpr int kFlags[] = {
      GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC,
      GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC,
  };
  const auto key = static_cast<uint32_t>(round);
  const gasnet_image_t root = key % gasnet_nodes();
  const size_t nbytes = key % 5 * kBytes / 4;
  if (gasnet_mynode() == root) FillPattern(buffer.data(), nbytes, key);
  gasnet_coll_broadcast(GASNET_TEAM_ALL, buffer.data(), root, buffer.data(),
                        nbytes, kFlags[round / 3 % 2] | GASNET_COLL_LOCAL);
  CHECK_PATTERN(buffer.data(), nbytes, key);
}

void TakeTurns() {
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  std::atomic<int> turn{0};
  RunThreads(kThreads, [&turn, peer](int thread) {
    char* const theirs = SharedMemory(peer) + 8 * thread;
    std::vector<char> buffer(kBytes);
    for (int round = thread; round < kRounds; round += kThreads) {
      while (turn != round) {
        gasnet_put_val(peer, theirs, 0, 8);
        CHECK_OK(gasnet_AMPoll());
      }
      Broadcast(round, buffer);
      turn = round + 1;
    }
  });
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  conformance::TakeTurns();
  return conformance::FinishJob();
}
