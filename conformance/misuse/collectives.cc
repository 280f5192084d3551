// Arguments that must be equal on all nodes of a collective, but are not. One
// node differs from all others. In every build, a node that detects the
// difference reports its own arguments and those of its peer. Without this
// report the two nodes would wait for each other forever.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kStrict =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC;
constexpr int kLoose =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;

constexpr size_t kArea = 128 * 1024;
alignas(16) char dst[kArea];
alignas(16) char src[kArea];

void Combine(void*, size_t, const void*, size_t, const void*, size_t, int,
             int) {}

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

// Makes one node call two collectives in the reverse order. The report must
// name both collectives.
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
void OtherRootedType() {
  gasnet_all_reduce(2, dst, src, 4,
                    Differs() ? GASNET_ALL_INT64 : GASNET_ALL_DOUBLE,
                    GASNET_ALL_SUM, 0, kLoose);
}
void OtherRootedOperation() {
  gasnet_all_reduce(2, dst, src, 4, GASNET_ALL_INT32,
                    Differs() ? GASNET_ALL_MIN : GASNET_ALL_MAX, 0, kLoose);
}
void OtherFunction() {
  gasnet_all_reduce(2, dst, src, 4, GASNET_ALL_INT32,
                    GASNET_ALL_FUNCTION(Differs() ? 1 : 0), 0, kLoose);
}
void Prefix(size_t elements) {
  gasnet_all_prefix_reduce(dst, src, elements, GASNET_ALL_INT32, GASNET_ALL_SUM,
                           0, kLoose | (Differs() ? GASNET_ALL_EXCLUSIVE : 0));
}
void OtherPrefix() { Prefix(1000); }
void OtherSmallPrefix() { Prefix(2); }

// Reduces contributions of unequal length. Lengths may legally differ between
// nodes. So only the type or another argument can be wrong.
void ReduceUnequal(gasnet_all_type_t type, int flags) {
  gasnet_all_reduce_allv(dst, src, gasnet_mynode(), type, GASNET_ALL_SUM, 0,
                         flags);
}
void OtherUnequalType() {
  ReduceUnequal(Differs() ? GASNET_ALL_INT64 : GASNET_ALL_DOUBLE, kLoose);
}
void OtherUnequalArgument() {
  gasnet_all_reducev(2, dst, src, gasnet_mynode(), GASNET_ALL_INT32,
                     GASNET_ALL_FUNCTION(1), Differs() ? 6 : 7, kLoose);
}
void PrefixUnequal(int flags) {
  gasnet_all_prefix_reducev(dst, src, gasnet_mynode(), GASNET_ALL_INT64,
                            GASNET_ALL_SUM, 0, flags);
}
void OtherUnequalCall() {
  if (Differs()) return PrefixUnequal(kLoose);
  ReduceUnequal(GASNET_ALL_INT64, kLoose);
}
void OtherUnequalIn() {
  ReduceUnequal(GASNET_ALL_INT64, Differs() ? kLoose
                                            : GASNET_COLL_LOCAL |
                                                  GASNET_COLL_IN_ALLSYNC |
                                                  GASNET_COLL_OUT_MYSYNC);
}
void OtherUnequalOut() {
  ReduceUnequal(GASNET_ALL_INT64, Differs() ? kLoose
                                            : GASNET_COLL_LOCAL |
                                                  GASNET_COLL_IN_MYSYNC |
                                                  GASNET_COLL_OUT_ALLSYNC);
}
void OtherUnequalPrefix() {
  PrefixUnequal(kLoose | (Differs() ? GASNET_ALL_EXCLUSIVE : 0));
}

void OtherFarSize() {
  gasnet_all_exchange(dst, src, Differs() ? 600 : 700, kLoose);
}

// --- All nodes wait for each other, and none has anything to send ---

void RootsOfEachOther() { Broadcast(Differs() ? 0 : 1, 8, kLoose); }
void RootReduces() {
  if (!Differs()) return Broadcast(1, 8, kLoose);
  gasnet_all_reduce(1, dst, src, 1, GASNET_ALL_UINT64, GASNET_ALL_SUM, 0,
                    kLoose);
}
void RootGathers() {
  if (!Differs()) return Broadcast(1, 8, kLoose);
  gasnet_coll_gather(GASNET_TEAM_ALL, 1, dst, src, 8, kLoose);
}
void RootExpectsLess() {
  gasnet_coll_gather(GASNET_TEAM_ALL, 0, dst, src, Differs() ? 4096 : 8,
                     kLoose);
}
void ReaderExpectsLess() { Broadcast(0, Differs() ? 8 : 20000, kLoose); }

// --- Other arguments ---

void WrongPermutation() { gasnet_all_permute(dst, 0, src, 8, kLoose); }
void WrongSizes() {
  const size_t sizes[] = {8, 16, 8};
  gasnet_all_gatherv(0, dst, sizes, src, 8, kLoose);
}
// Scatters sizes on both sides of the eager limit between nodes that share no
// memory.
void Scatter(size_t sent, size_t expected) {
  const size_t sizes[] = {8, sent, 8};
  gasnet_all_scatterv(dst, Differs() ? expected : 8, 0, src, sizes, kLoose);
}
void ScattersMore() { Scatter(20000, 10000); }
void ScattersLess() { Scatter(10000, 20000); }
void ScattersMuchMore() { Scatter(30000, 20000); }
void ScattersMuchLess() { Scatter(20000, 30000); }

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
    {"other_rooted_type", OtherRootedType},
    {"other_rooted_operation", OtherRootedOperation},
    {"other_function", OtherFunction},
    {"other_prefix", OtherPrefix},
    {"other_small_prefix", OtherSmallPrefix},
    {"other_unequal_type", OtherUnequalType},
    {"other_unequal_argument", OtherUnequalArgument},
    {"other_unequal_call", OtherUnequalCall},
    {"other_unequal_in", OtherUnequalIn},
    {"other_unequal_out", OtherUnequalOut},
    {"other_unequal_prefix", OtherUnequalPrefix},
    {"other_far_size", OtherFarSize},
    {"roots_of_each_other", RootsOfEachOther},
    {"root_reduces", RootReduces},
    {"root_gathers", RootGathers},
    {"root_expects_less", RootExpectsLess},
    {"reader_expects_less", ReaderExpectsLess},
    {"wrong_permutation", WrongPermutation},
    {"wrong_sizes", WrongSizes},
    {"scatters_more", ScattersMore},
    {"scatters_less", ScattersLess},
    {"scatters_much_more", ScattersMuchMore},
    {"scatters_much_less", ScattersMuchLess},
    {"blocks_missing", BlocksMissing},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, 4096);
  gasnet_coll_fn_entry_t functions[] = {{conformance::Combine, 0},
                                        {conformance::Combine, 0}};
  gasnet_coll_init(nullptr, 0, functions, 2, 0);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  // If the job gets here, no node detected the mistake, and the test fails.
  conformance::Barrier();
  gasnet_exit(0);
  return 1;
}
