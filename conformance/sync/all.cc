// Synchronizes all operations of an array. GASNET_INVALID_HANDLE overwrites the
// handles of completed operations. Entries that already hold
// GASNET_INVALID_HANDLE are ignored (section 3.3.3.2).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kHandles = 24;
constexpr size_t kBytes = 3000;

char sources[kHandles][kBytes];
char copies[kHandles][kBytes];
bool seen_in_flight = false;

char* There(gasnet_node_t owner, int i) {
  return SharedMemory(owner) + (gasnet_mynode() * kHandles + i) * kBytes;
}

// Returns true for every third entry. These entries hold GASNET_INVALID_HANDLE
// from the beginning.
bool IsEmpty(int i) { return i % 3 == 2; }

void StartPuts(gasnet_node_t peer, gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    FillPattern(sources[i], kBytes, i);
    handles[i] = IsEmpty(i) ? GASNET_INVALID_HANDLE
                            : gasnet_put_nb_bulk(peer, There(peer, i),
                                                 sources[i], kBytes - i);
  }
}

void StartGets(gasnet_node_t peer, gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    memset(copies[i], 0, kBytes);
    handles[i] = IsEmpty(i) ? GASNET_INVALID_HANDLE
                            : gasnet_get_nb_bulk(copies[i], peer,
                                                 There(peer, i), kBytes - i);
    // Only gets set seen_in_flight: a put may already be complete when its
    // handle is returned.
    if (handles[i] != GASNET_INVALID_HANDLE) seen_in_flight = true;
  }
}

void CheckAllInvalid(const gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    CHECK(handles[i] == GASNET_INVALID_HANDLE);
  }
}

// Tries until all operations are complete. If a failed attempt marks a handle
// as complete, the data must have arrived and the mark must stay.
void TryAll(gasnet_handle_t* handles) {
  int result;
  do {
    result = gasnet_try_syncnb_all(handles, kHandles);
    for (int i = 0; i < kHandles; ++i) {
      if (handles[i] != GASNET_INVALID_HANDLE || IsEmpty(i)) continue;
      CHECK_PATTERN(copies[i], kBytes - i, i);
    }
  } while (result == GASNET_ERR_NOT_READY);
  CHECK_OK(result);
}

void TestPeer(gasnet_node_t peer) {
  gasnet_handle_t handles[kHandles];
  StartPuts(peer, handles);
  gasnet_wait_syncnb_all(handles, kHandles);
  CheckAllInvalid(handles);
  StartGets(peer, handles);
  TryAll(handles);
  CheckAllInvalid(handles);
  CHECK_OK(gasnet_try_syncnb_all(handles, kHandles));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kBytes;
  using conformance::kHandles;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * kHandles * kBytes);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::TestPeer(peer);
  }
  conformance::SkipUnlessInFlight(conformance::seen_in_flight);
  return conformance::FinishJob();
}
