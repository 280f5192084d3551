// Synchronizes some operations of an array. Each call reports at least one more
// operation, and overwrites the handles of reported operations with
// GASNET_INVALID_HANDLE. It ignores entries that were marked before (section
// 3.3.3.3).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kHandles = 16;
constexpr size_t kBytes = 2000;

char copies[kHandles][kBytes];
bool seen_in_flight = false;

// Returns the address of data number `i` in the memory of `owner`. The owner
// has written these data before the gets. All nodes get the same data.
char* There(gasnet_node_t owner, int i) {
  return SharedMemory(owner) + i * kBytes;
}

void StartGets(gasnet_node_t peer, gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    memset(copies[i], 0, kBytes);
    handles[i] = i % 4 == 1 ? GASNET_INVALID_HANDLE
                            : gasnet_get_nb_bulk(copies[i], peer,
                                                 There(peer, i), kBytes);
  }
}

int CountValid(const gasnet_handle_t* handles) {
  int valid = 0;
  for (int i = 0; i < kHandles; ++i) {
    valid += handles[i] != GASNET_INVALID_HANDLE;
  }
  if (valid > 0) seen_in_flight = true;
  return valid;
}

void CheckCompleted(const gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    if (i % 4 == 1 || handles[i] != GASNET_INVALID_HANDLE) continue;
    CHECK_PATTERN(copies[i], kBytes, i);
  }
}

void WaitForSome(gasnet_node_t peer) {
  gasnet_handle_t handles[kHandles];
  StartGets(peer, handles);
  for (int before = CountValid(handles); before > 0;) {
    gasnet_wait_syncnb_some(handles, kHandles);
    const int after = CountValid(handles);
    CHECK(after < before);
    CheckCompleted(handles);
    before = after;
  }
}

void TryForSome(gasnet_node_t peer) {
  gasnet_handle_t handles[kHandles];
  StartGets(peer, handles);
  for (int before = CountValid(handles); before > 0;) {
    const int result = gasnet_try_syncnb_some(handles, kHandles);
    const int after = CountValid(handles);
    CHECK_RESULT(result, after < before ? GASNET_OK : GASNET_ERR_NOT_READY);
    CheckCompleted(handles);
    before = after;
  }
}

void FillOwnMemory() {
  for (int i = 0; i < kHandles; ++i) {
    FillPattern(There(gasnet_mynode(), i), kBytes, i);
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0,
                        conformance::kHandles * conformance::kBytes);
  conformance::FillOwnMemory();
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::WaitForSome(peer);
    conformance::TryForSome(peer);
  }
  conformance::SkipUnlessInFlight(conformance::seen_in_flight);
  return conformance::FinishJob();
}
