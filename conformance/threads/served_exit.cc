// When exit() destroys objects that are older than the job, the library's
// progress thread must run no handler any more. Node 1 exits while node 0
// floods it with requests. With the argument "stuck", node 1 exits while its
// progress thread is in a handler that does not end.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kGo };

constexpr int kBefore = 1000;  // requests that are handled before node 1 leaves
// Long enough to show a handler that wrongly runs during the destruction.
constexpr useconds_t kDestructionTakes = 300'000;

std::atomic<bool> sticks{false};
std::atomic<int> handled{0};
std::atomic<bool> goes{false};
std::atomic<bool> is_destroyed{false};

void OnRequest(gasnet_token_t) {
  if (is_destroyed) {
    fprintf(stderr, "a handler runs after the destruction\n");
    abort();
  }
  ++handled;
  while (sticks) pause();
}

void OnGo(gasnet_token_t) { goes = true; }

// Stands for the destructor of an object that handlers use.
void Destroy() {
  is_destroyed = !sticks;
  usleep(kDestructionTakes);
}

[[noreturn]] void RunJob(int argc, char** argv) {
  gasnet_handlerentry_t handlers[] = {HANDLER(kRequest, OnRequest),
                                      HANDLER(kGo, OnGo)};
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  sticks = argc > 1 && strcmp(argv[1], "stuck") == 0;
  if (gasnet_mynode() == 0) {
    GASNET_BLOCKUNTIL(goes);
    for (;;) CHECK_OK(gasnet_AMRequestShort0(1, kRequest));
  }
  // This thread polls no more after this call. So only the library's progress
  // thread handles requests.
  CHECK_OK(gasnet_AMRequestShort0(0, kGo));
  const int enough = sticks ? 1 : kBefore;
  while (handled < enough) usleep(100);
  printf("leaving\n");
  exit(7);  // ends the job
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  if (atexit(&conformance::Destroy) != 0) return 2;
  conformance::RunJob(argc, argv);
}
