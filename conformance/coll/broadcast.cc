// Tests gasnet_coll_broadcast with every root, sizes from nothing to a
// mebibyte, and every synchronisation except NOSYNC. Source and destination are
// in any memory, and broadcasts follow each other without a pause.
#include <string.h>

#include <atomic>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kMax = size_t{1} << 20;
constexpr int kStrict = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;

// The synchronisations under test. They do not include NOSYNC: it forbids
// writes to memory right before and after each call, and these tests make such
// writes.
constexpr int kIn[] = {GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_ALLSYNC};
constexpr int kOut[] = {GASNET_COLL_OUT_MYSYNC, GASNET_COLL_OUT_ALLSYNC};

// Broadcasts from the root's `src` to `dst` on each node. `src` and `dst` do
// not overlap.
void Copy(gasnet_image_t root, char* dst, char* src, size_t bytes, int flags,
          uint32_t key) {
  const bool is_root = gasnet_mynode() == root;
  memset(dst, 0x5a, bytes + 1);
  if (is_root) FillPattern(src, bytes, key);
  gasnet_coll_broadcast(GASNET_TEAM_ALL, dst, root, is_root ? src : nullptr,
                        bytes, flags | GASNET_COLL_LOCAL);
  CHECK_PATTERN(dst, bytes, key);
  CHECK_BYTES(dst + bytes, 1, 0x5a);
}

// Broadcasts all sizes. The largest sizes are tried only with the first and the
// last root.
void Sizes(gasnet_image_t root) {
  const bool at_an_end = root == 0 || root + 1 == gasnet_nodes();
  const size_t most = at_an_end ? kMax : kMax / 16;
  std::vector<char> dst(most + 1);
  std::vector<char> src(most + 1);
  for (size_t n = 0; n <= most; n = NextSize(n, most)) {
    Copy(root, dst.data(), src.data(), n, kStrict,
         static_cast<uint32_t>(n + root));
  }
}

// Broadcasts between places inside and outside of segments, at any alignment,
// and at different addresses on each node.
void Places(gasnet_image_t root) {
  constexpr size_t kBytes = 3000;
  char* const mine = SharedMemory(gasnet_mynode());
  std::vector<char> heap(2 * kBytes + 8);
  Copy(root, mine, heap.data(), kBytes, kStrict, root);
  Copy(root, mine + 1 + gasnet_mynode(), mine + 2 * kBytes, kBytes, kStrict,
       root + 1);
  Copy(root, heap.data() + 3, mine, kBytes, kStrict, root + 2);
  char on_stack[100];
  Copy(root, on_stack, mine, sizeof(on_stack) - 1, kStrict, root + 3);
}

// Broadcasts in place: the root copies onto itself. With SINGLE, all nodes give
// the same address.
void InPlace(gasnet_image_t root) {
  static char buffer[20000];  // at different addresses on each node if
                              // addresses are randomised
  if (gasnet_mynode() == root) FillPattern(buffer, sizeof(buffer), root);
  gasnet_coll_broadcast(GASNET_TEAM_ALL, buffer, root, buffer, sizeof(buffer),
                        GASNET_COLL_LOCAL | kStrict);
  CHECK_PATTERN(buffer, sizeof(buffer), root);
#if GASNET_ALIGNED_SEGMENTS
  char* const segment = SharedMemory(0);
  if (gasnet_mynode() == root) FillPattern(segment, 999, root + 1);
  gasnet_coll_broadcast(GASNET_TEAM_ALL, segment, root, segment, 999,
                        GASNET_COLL_SINGLE | kStrict |
                            GASNET_COLL_DST_IN_SEGMENT |
                            GASNET_COLL_SRC_IN_SEGMENT);
  CHECK_PATTERN(segment, 999, root + 1);
#endif
}

// Broadcasts many times in a row, with nothing in between. Root,
// synchronisation and size change each time.
void InARow(int rounds) {
  std::vector<char> dst(5000);
  std::vector<char> src(5000);
  for (int round = 0; round < rounds; ++round) {
    const gasnet_image_t root = static_cast<uint32_t>(round) % gasnet_nodes();
    Copy(root, dst.data(), src.data(), static_cast<size_t>(round % 5) * 700,
         kIn[round % 2] | kOut[round / 2 % 2], static_cast<uint32_t>(round));
  }
}

// Broadcasts while another thread polls. That thread may run the handlers.
void WhileOthersPoll() {
  std::atomic<bool> done{false};
  RunThreads(2, [&done](int thread) {
    if (thread == 0) {
      InARow(100);
      done = true;
    }
    while (!done) CHECK_OK(gasnet_AMPoll());
  });
}

// Broadcasts between notify and the end of a barrier. Some nodes leave the
// barrier before the broadcast, and some after it. This is illegal, but works
// in builds without checks.
void AcrossBarriers(int rounds) {
#ifdef GASNET_DEBUG
  rounds = 0;
#endif
  for (int round = 0; round < rounds; ++round) {
    const gasnet_image_t root = static_cast<uint32_t>(round) % gasnet_nodes();
    const bool early = (gasnet_mynode() + static_cast<uint32_t>(round)) % 2;
    int word = round;
    gasnet_barrier_notify(round, 0);
    if (early) CHECK_OK(gasnet_barrier_wait(round, 0));
    gasnet_coll_broadcast(GASNET_TEAM_ALL, &word, root, &word, sizeof(word),
                          GASNET_COLL_LOCAL | kStrict);
    CHECK_EQ(word, round);
    if (!early) CHECK_OK(gasnet_barrier_wait(round, 0));
  }
}

// Checks OUT_ALLSYNC: when the call has returned on any node, all nodes have
// the data. So each node may read the destinations of all others.
void AllHaveIt(gasnet_image_t root) {
  int* const word =
      reinterpret_cast<int*>(SharedMemory(gasnet_mynode()) + 16384);
  *word = -1;
  int source = static_cast<int>(root);
  gasnet_coll_broadcast(GASNET_TEAM_ALL, word, root, &source, sizeof(source),
                        GASNET_COLL_LOCAL | kStrict);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK_EQ(gasnet_get_val(node, SharedMemory(node) + 16384, sizeof(int)),
             root);
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, nullptr, 0, 32768);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  for (gasnet_image_t root = 0; root < gasnet_nodes(); ++root) {
    Sizes(root);
    Places(root);
    InPlace(root);
    AllHaveIt(root);
  }
  InARow(200);
  WhileOthersPoll();
  AcrossBarriers(60);
  return FinishJob();
}
