// A try that does not poll the network finds completed operations, and runs no
// handler.
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kNote = 201 };

constexpr int kHandles = 8;
constexpr size_t kBytes = 3000;

char sources[kHandles][kBytes];
char copies[kHandles][kBytes];
volatile int notes = 0;
bool may_handle = true;

void OnNote(gasnet_token_t) {
  CHECK(may_handle);
  notes = notes + 1;
}

char* There(gasnet_node_t owner, int i) {
  return SharedMemory(owner) + (gasnet_mynode() * kHandles + i) * kBytes;
}

// Returns the result of `attempt`. No handler may run during it.
template <class Try>
int Quietly(Try attempt) {
  may_handle = false;
  const int result = attempt();
  may_handle = true;
  return result;
}

// Tries until done. Polls between tries, like a program that polls by itself.
template <class Try>
void TryUntilDone(Try attempt) {
  int result;
  while ((result = Quietly(attempt)) == GASNET_ERR_NOT_READY) gasnet_AMPoll();
  CHECK_OK(result);
}

void Put(gasnet_node_t peer, gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    FillPattern(sources[i], kBytes, i);
    handles[i] = gasnet_put_nb_bulk(peer, There(peer, i), sources[i], kBytes);
  }
}

void Get(gasnet_node_t peer, gasnet_handle_t* handles) {
  for (int i = 0; i < kHandles; ++i) {
    memset(copies[i], 0, kBytes);
    handles[i] = gasnet_get_nb_bulk(copies[i], peer, There(peer, i), kBytes);
  }
}

void CheckCopies() {
  for (int i = 0; i < kHandles; ++i) CHECK_PATTERN(copies[i], kBytes, i);
}

void TestPeer(gasnet_node_t peer) {
  gasnet_handle_t handles[kHandles];
  CHECK_OK(gasnet_AMRequestShort0(peer, kNote));
  Put(peer, handles);
  for (gasnet_handle_t handle : handles) {
    TryUntilDone([&] { return gasnet_try_syncnb_nopoll(handle); });
  }
  Get(peer, handles);
  TryUntilDone([&] { return gasnet_try_syncnb_all_nopoll(handles, kHandles); });
  CheckCopies();
  Get(peer, handles);
  for (bool any = true; any;) {
    TryUntilDone(
        [&] { return gasnet_try_syncnb_some_nopoll(handles, kHandles); });
    any = false;
    for (gasnet_handle_t handle : handles) {
      any = any || handle != GASNET_INVALID_HANDLE;
    }
  }
  CheckCopies();
}

gasnet_handlerentry_t handlers[] = {HANDLER(kNote, OnNote)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 1 << 20);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) TestPeer(peer);
  GASNET_BLOCKUNTIL(notes == static_cast<int>(gasnet_nodes()));
  return FinishJob();
}
