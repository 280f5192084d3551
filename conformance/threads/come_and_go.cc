// A client may create threads at any time. Each thread may use GASNet without
// announcing itself first, and may end when its operations are complete
// (sections 1.4, 1.5 and 3.6).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kGenerations = 12;
constexpr int kThreads = 6;

// Uses GASNet. The first call differs from thread to thread.
void Use(int generation, int thread) {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  char* const there = SharedMemory(next) + thread * 8;
  const int value = generation * kThreads + thread;
  if (thread % 3 == 1) CHECK_OK(gasnet_AMPoll());
  if (thread % 3 == 2) gasnet_wait_syncnbi_all();
  LetOthersRun();
  gasnet_put_nbi_val(next, there, value, 8);
  LetOthersRun();
  gasnet_wait_syncnbi_puts();
  CHECK_EQ(gasnet_get_val(next, there, 8), value);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kGenerations;
  using conformance::kThreads;
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  for (int generation = 0; generation < kGenerations; ++generation) {
    conformance::RunThreads(kThreads, [generation](int thread) {
      conformance::Use(generation, thread);
    });
  }
  return conformance::FinishJob();
}
