// Misuse of access regions that a build with checks detects (section 3.3.6.1).
#include "conformance/harness.h"

namespace conformance {
namespace {

void BeginTwice() {
  gasnet_begin_nbi_accessregion();
  gasnet_begin_nbi_accessregion();
}

void EndWithoutBegin() { gasnet_end_nbi_accessregion(); }

void EndTwice() {
  gasnet_begin_nbi_accessregion();
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
  gasnet_end_nbi_accessregion();
}

// Calls kSync, an implicit synchronization, inside an access region.
template <auto kSync>
void SyncInside() {
  gasnet_begin_nbi_accessregion();
  kSync();
}

void WaitGets() { gasnet_wait_syncnbi_gets(); }
void WaitPuts() { gasnet_wait_syncnbi_puts(); }
void WaitAll() { gasnet_wait_syncnbi_all(); }
void TryGets() { gasnet_try_syncnbi_gets(); }
void TryPuts() { gasnet_try_syncnbi_puts(); }
void TryAll() { gasnet_try_syncnbi_all(); }

constexpr Case kCases[] = {
    {"begin_twice", BeginTwice},
    {"end_without_begin", EndWithoutBegin},
    {"end_twice", EndTwice},
    {"wait_gets_inside", SyncInside<WaitGets>},
    {"wait_puts_inside", SyncInside<WaitPuts>},
    {"wait_all_inside", SyncInside<WaitAll>},
    {"try_gets_inside", SyncInside<TryGets>},
    {"try_puts_inside", SyncInside<TryPuts>},
    {"try_all_inside", SyncInside<TryAll>},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
