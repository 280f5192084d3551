// Collectives without a call of gasnet_coll_init. This is an error. A build
// without checks reports it once and initialises the collectives itself. It
// does not matter if some nodes have called gasnet_coll_init. A later call may
// still register functions.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kFlags =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;

void Add(void* results, size_t count, const void* left, size_t,
         const void* right, size_t, int, int) {
  for (size_t i = 0; i < count; ++i) {
    static_cast<int*>(results)[i] =
        static_cast<const int*>(left)[i] + static_cast<const int*>(right)[i];
  }
}

gasnet_coll_fn_entry_t functions[] = {{&Add, 0}};

void Broadcast(gasnet_team_handle_t team) {
  int word = gasnet_mynode() == 0 ? 25 : 0;
  gasnet_coll_broadcast(team, &word, 0, &word, sizeof(word), kFlags);
  CHECK_EQ(word, 25);
}

void Reduce() {
  int word = 1;
  int sum = 0;
  gasnet_coll_reduce(GASNET_TEAM_ALL, 0, &sum, &word, 0, 0, sizeof(word), 1, 0,
                     0, kFlags);
  if (gasnet_mynode() == 0) {
    CHECK_EQ(sum, static_cast<int>(gasnet_nodes()));
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(build/namespaces)
  const bool some_have = argc > 1;
  StartJob(&argc, &argv, nullptr, 0, 0);
  const bool have = some_have && gasnet_mynode() == 0;
  if (have) gasnet_coll_init(nullptr, 0, functions, 1, 0);
  Broadcast(GASNET_TEAM_ALL);
  Broadcast(
      gasnet_coll_team_split(GASNET_TEAM_ALL, 1, gasnet_mynode(), nullptr));
  CHECK_OK(gasnet_coll_barrier(GASNET_TEAM_ALL, 1, 0));
  if (!have) gasnet_coll_init(nullptr, 0, functions, 1, 0);
  Reduce();
  return FinishJob();
}
