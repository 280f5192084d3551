// Arguments that the nodes of a collective must give alike and do not: a node
// that sees it reports it, with what both gave, in every build, where they
// would wait for each other for ever. One node differs from all others.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kStrict =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;
constexpr int kLoose =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;

alignas(16) char dst[4096];
alignas(16) char src[4096];

bool Differs() { return gasnet_mynode() == 1; }

void Broadcast(gasnet_image_t root, size_t nbytes, int flags) {
  gasnet_coll_broadcast(GASNET_TEAM_ALL, dst, root, src, nbytes, flags);
}

void RootHasLess() { Broadcast(1, Differs() ? 8 : 16, kStrict); }
void RootHasMore() { Broadcast(1, Differs() ? 16 : 8, kStrict); }
void RootHasNothing() { Broadcast(1, Differs() ? 0 : 8, kLoose); }
void ReaderHasMore() { Broadcast(0, Differs() ? 1000 : 8, kLoose); }
void OtherRoot() { Broadcast(Differs() ? 0 : 2, 8, kStrict); }
void OtherIn() {
  Broadcast(0, 8,
            Differs() ? kLoose | GASNET_COLL_OUT_MYSYNC
                      : GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC |
                            GASNET_COLL_OUT_MYSYNC);
}
void OtherOut() {
  Broadcast(1, 8,
            Differs() ? GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC |
                            GASNET_COLL_OUT_MYSYNC
                      : kStrict);
}
void OtherAddressing() {
  Broadcast(0, 8,
            Differs() ? kLoose
                      : GASNET_COLL_SINGLE | GASNET_COLL_IN_MYSYNC |
                            GASNET_COLL_OUT_MYSYNC);
}

void OtherKind() {
  if (Differs()) {
    gasnet_all_gather_all(dst, src, 8, kStrict);
  } else {
    gasnet_all_exchange(dst, src, 8, kStrict);
  }
}

// The second of two; the first is right.
void OtherOrder() {
  gasnet_all_handle_t handles[2];
  for (int i = 0; i < 2; ++i) {
    const bool gathers = (i == 0) == Differs();
    handles[i] = gathers
                     ? gasnet_all_gather_all_nb(dst, src, 8, kLoose)
                     : gasnet_all_broadcast_nb(dst + 1024, 0, src, 8, kLoose);
  }
  gasnet_all_wait_sync_all(handles, 2);
}

void OtherCount() {
  gasnet_all_reduce_all(dst, src, Differs() ? 7 : 6, GASNET_ALL_UINT64,
                        GASNET_ALL_SUM, 0, kLoose);
}
void OtherType() {
  gasnet_all_reduce_all(dst, src, 4,
                        Differs() ? GASNET_ALL_INT64 : GASNET_ALL_DOUBLE,
                        GASNET_ALL_SUM, 0, kLoose);
}
void OtherOperation() {
  gasnet_all_reduce_all(dst, src, 4, GASNET_ALL_INT32,
                        Differs() ? GASNET_ALL_MIN : GASNET_ALL_MAX, 0, kLoose);
}
void OtherFarSize() {
  gasnet_all_exchange(dst, src, Differs() ? 600 : 700, kLoose);
}

void WrongPermutation() { gasnet_all_permute(dst, 0, src, 8, kLoose); }
void WrongSizes() {
  const size_t sizes[] = {8, 16, 8};
  gasnet_all_gatherv(0, dst, sizes, src, 8, kLoose);
}
void BlocksMissing() {
  void* const list[] = {dst};
  gasnet_all_broadcasti(nullptr, list, 0, src, 1, 8, 0, 3, kLoose);
  gasnet_all_scatteri(nullptr, list, 0, src, 1, 8,
                      gasnet_mynode() == 2 ? 3 : gasnet_mynode(), 4, kLoose);
}

constexpr Case kCases[] = {
    {"root_has_less", RootHasLess},
    {"root_has_more", RootHasMore},
    {"root_has_nothing", RootHasNothing},
    {"reader_has_more", ReaderHasMore},
    {"other_root", OtherRoot},
    {"other_in", OtherIn},
    {"other_out", OtherOut},
    {"other_addressing", OtherAddressing},
    {"other_kind", OtherKind},
    {"other_order", OtherOrder},
    {"other_count", OtherCount},
    {"other_type", OtherType},
    {"other_operation", OtherOperation},
    {"other_far_size", OtherFarSize},
    {"wrong_permutation", WrongPermutation},
    {"wrong_sizes", WrongSizes},
    {"blocks_missing", BlocksMissing},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  // A mistake that nobody has detected is not accepted.
  conformance::Barrier();
  gasnet_exit(0);
  return 1;
}
