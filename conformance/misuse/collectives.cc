// What the nodes of a broadcast must give alike and do not: whoever is the root
// tells, in every build, where the nodes would wait for each other for ever.
#include "conformance/harness.h"

namespace conformance {
namespace {

char memory[64];

bool IsRoot() { return gasnet_mynode() == 1; }

void Broadcast(size_t nbytes, int out) {
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  gasnet_coll_broadcast(GASNET_TEAM_ALL, memory, 1, memory, nbytes,
                        GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | out);
}

void RootHasLess() { Broadcast(IsRoot() ? 8 : 16, GASNET_COLL_OUT_ALLSYNC); }
void RootHasMore() { Broadcast(IsRoot() ? 16 : 8, GASNET_COLL_OUT_ALLSYNC); }
void RootHasNothing() { Broadcast(IsRoot() ? 0 : 8, GASNET_COLL_OUT_MYSYNC); }
void RootDoesNotWait() {
  Broadcast(8, IsRoot() ? GASNET_COLL_OUT_NOSYNC : GASNET_COLL_OUT_ALLSYNC);
}
void RootAloneWaits() {
  Broadcast(8, IsRoot() ? GASNET_COLL_OUT_ALLSYNC : GASNET_COLL_OUT_MYSYNC);
}

constexpr Case kCases[] = {
    {"root_has_less", RootHasLess},
    {"root_has_more", RootHasMore},
    {"root_has_nothing", RootHasNothing},
    {"root_does_not_wait", RootDoesNotWait},
    {"root_alone_waits", RootAloneWaits},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  // What nobody has detected is not accepted.
  gasnet_exit(0);
  return 1;
}
