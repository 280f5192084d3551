// A node begins two collectives at the same time. A build with checks reports
// the second call. The first collective is a sort, or a reduction of unequal
// contributions. It calls a function of the client, and this function makes the
// second call. So the two calls certainly overlap.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kFlags =
    GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;

uint64_t dst;
uint64_t src;

void Exchange() {
  gasnet_coll_exchange(GASNET_TEAM_ALL, &dst, &src, sizeof(src), kFlags);
}

int CompareAndExchange(const void*, const void*) {
  Exchange();
  return 0;
}
int CompareBesideAnExchange(const void*, const void*) {
  RunThreads(1, [](int) { Exchange(); });
  return 0;
}

void Sort(int (*compare)(const void*, const void*)) {
  uint64_t elements[] = {2, 1};
  gasnet_all_sort(elements, 2, sizeof(elements[0]), compare, kFlags);
}
void CombineAndExchange(void*, size_t, const void*, size_t, const void*, size_t,
                        int, int) {
  Exchange();
}
void InAReduction() {
  const uint64_t elements[] = {2, 1};
  gasnet_all_reduce_allv(&dst, elements, 2, GASNET_ALL_UINT64,
                         GASNET_ALL_FUNCTION(0), 0, kFlags);
}
void InAFunction() { Sort(CompareAndExchange); }
void InAnotherThread() { Sort(CompareBesideAnExchange); }

const Case kCases[] = {
    {"in_a_function", InAFunction},
    {"in_another_thread", InAnotherThread},
    {"in_a_reduction", InAReduction},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  gasnet_coll_fn_entry_t functions[] = {{conformance::CombineAndExchange, 0}};
  gasnet_coll_init(nullptr, 0, functions, 1, 0);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
