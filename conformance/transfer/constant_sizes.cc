// Transfers of sizes that the compiler knows. An implementation may have
// special code for these. Tests every small power of two, and some other sizes
// (section 3.1).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kSlot = 1024;

struct alignas(64) Block {
  char bytes[128];
};

template <size_t kBytes>
void TestSize(gasnet_node_t peer) {
  char* const there = SharedMemory(peer) + gasnet_mynode() * kSlot;
  Block source, copy, around;
  memset(&copy, 0xEE, sizeof(copy));
  FillPattern(&source, kBytes, kBytes);
  gasnet_memset(peer, there, 0xEE, sizeof(Block));

  gasnet_put(peer, there, &source, kBytes);
  gasnet_get(&copy, peer, there, kBytes);
  gasnet_get(&around, peer, there, sizeof(around));

  CHECK_PATTERN(&copy, kBytes, kBytes);
  CHECK_BYTES(copy.bytes + kBytes, sizeof(copy) - kBytes, 0xEE);
  CHECK_PATTERN(&around, kBytes, kBytes);
  CHECK_BYTES(around.bytes + kBytes, sizeof(around) - kBytes, 0xEE);
}

template <size_t... kSizes>
void TestSizes(gasnet_node_t peer) {
  (TestSize<kSizes>(peer), ...);
}

// Transfers an object of some type, as compiled programs do.
template <typename T>
void TestType(gasnet_node_t peer, T value) {
  T* const there =
      reinterpret_cast<T*>(SharedMemory(peer) + gasnet_mynode() * kSlot);
  T copy{};
  gasnet_put(peer, there, &value, sizeof(T));
  gasnet_get(&copy, peer, there, sizeof(T));
  CHECK(copy == value);
}

void TestPeer(gasnet_node_t peer) {
  TestSizes<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 24, 32, 33, 64, 100>(
      peer);
  TestType<char>(peer, 'x');
  TestType<int16_t>(peer, -12345);
  TestType<int32_t>(peer, -1234567890);
  TestType<int64_t>(peer, INT64_MIN + 1);
  TestType<float>(peer, 1.5f);
  TestType<double>(peer, -2.25);
  TestType<void*>(peer, &peer);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * conformance::kSlot);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::TestPeer(peer);
  }
  return conformance::FinishJob();
}
