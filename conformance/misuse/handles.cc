// Misuse of explicit handles that a build with checks detects: a handle is
// synchronized a second time, or by a thread that did not start the operation
// (section 3.3.2 and 3.3.3.1).
//
// Only operations that do not complete at once have handles. So the runner uses
// the reference implementation, and two nodes.
#include "conformance/harness.h"

namespace conformance {
namespace {

int64_t word;

gasnet_handle_t StartPut() {
  const gasnet_node_t last = gasnet_nodes() - 1;
  const gasnet_handle_t handle =
      gasnet_put_nb(last, SharedMemory(last), &word, sizeof(word));
  CHECK(handle != GASNET_INVALID_HANDLE);
  return handle;
}

void WaitTwice() {
  const gasnet_handle_t handle = StartPut();
  gasnet_wait_syncnb(handle);
  gasnet_wait_syncnb(handle);
}

void TryAfterWait() {
  const gasnet_handle_t handle = StartPut();
  gasnet_wait_syncnb(handle);
  gasnet_try_syncnb(handle);
}

void TwiceInArray() {
  gasnet_handle_t handles[2];
  handles[0] = StartPut();
  handles[1] = handles[0];
  gasnet_wait_syncnb_all(handles, 2);
}

gasnet_handle_t handed_over;

void WaitInOtherThread() {
  handed_over = StartPut();
  RunThreads(1, [](int) { gasnet_wait_syncnb(handed_over); });
}

void TryArrayInOtherThread() {
  handed_over = StartPut();
  RunThreads(1, [](int) { gasnet_try_syncnb_some(&handed_over, 1); });
}

constexpr Case kCases[] = {
    {"wait_twice", WaitTwice},
    {"try_after_wait", TryAfterWait},
    {"twice_in_array", TwiceInArray},
    {"wait_in_other_thread", WaitInOtherThread},
    {"try_array_in_other_thread", TryArrayInOtherThread},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
