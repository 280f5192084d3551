// Tests how far the flags of wait and try may differ from those of notify.
// Section 3.5.0.2 allows no difference. With GASNET_BARRIER_FLAGS=relaxed, the
// flags may differ as long as the names agree. The argument selects one of
// these two rules.
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kAnonymous = GASNET_BARRIERFLAG_ANONYMOUS;
constexpr int kMismatch = GASNET_BARRIERFLAG_MISMATCH;

bool relaxed;

struct Call {
  int id;
  int flags;
};

// Runs one phase. Completes it by gasnet_barrier_try if `trying`, else by wait.
void Phase(Call notify, Call wait, bool matches, bool trying) {
  gasnet_barrier_notify(notify.id, notify.flags);
  int result;
  if (trying) {
    do {
      result = gasnet_barrier_try(wait.id, wait.flags);
    } while (result == GASNET_ERR_NOT_READY);
  } else {
    result = gasnet_barrier_wait(wait.id, wait.flags);
  }
  CHECK_RESULT(result, matches ? GASNET_OK : GASNET_ERR_BARRIER_MISMATCH);
}

void Phases(bool trying) {
  // Cases with the same flags in both calls, or with a mismatch flag.
  Phase({5, 0}, {5, 0}, true, trying);
  Phase({5, 0}, {6, 0}, false, trying);
  Phase({5, kAnonymous}, {6, kAnonymous}, true, trying);
  Phase({5, 0}, {5, kMismatch}, false, trying);
  Phase({5, kMismatch}, {5, 0}, false, trying);
  Phase({5, kMismatch}, {5, kAnonymous}, false, trying);
  // Cases with different flags in the two calls.
  Phase({5, 0}, {5, kAnonymous}, relaxed, trying);
  Phase({5, 0}, {6, kAnonymous}, relaxed, trying);
  Phase({5, kAnonymous}, {7, 0}, relaxed, trying);
  Phase({5, kAnonymous}, {5, GASNET_BARRIERFLAG_UNNAMED}, relaxed, trying);
}

// Gives a name on node 0 only. Then the whole barrier has this name.
void NamedByOthers() {
  if (gasnet_nodes() == 1) return;
  const bool names = gasnet_mynode() == 0;
  Phase({9, names ? 0 : kAnonymous}, {9, 0}, names || relaxed, false);
  Phase({9, names ? 0 : kAnonymous}, {8, 0}, false, false);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  CHECK_EQ(argc, 2);
  conformance::relaxed = strcmp(argv[1], "relaxed") == 0;
  conformance::Phases(false);
  conformance::Phases(true);
  conformance::NamedByOthers();
  return conformance::FinishJob();
}
