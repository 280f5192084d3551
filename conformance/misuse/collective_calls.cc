// Calls of collectives that a build with checks refuses on the calling node:
// bad flags, bad memory, forbidden contexts.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kModes = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC;
constexpr int kFlags = GASNET_COLL_LOCAL | kModes;

constexpr gasnet_handler_t kCall = 200;

alignas(8) char dst[256];
char src[256];

void Exchange(int flags) {
  gasnet_coll_exchange(GASNET_TEAM_ALL, dst, src, 8, flags);
}

// --- Flags ---

void NoMode() { Exchange(GASNET_COLL_LOCAL | GASNET_COLL_OUT_MYSYNC); }
void TwoModes() { Exchange(kFlags | GASNET_COLL_OUT_ALLSYNC); }
void NoAddressing() { Exchange(kModes); }
void BothAddressings() { Exchange(kFlags | GASNET_COLL_SINGLE); }
void SinglePut() {
  gasnet_all_put(0, dst, src, nullptr, 0, 8, GASNET_ALL_SINGLE | kModes);
}

// --- Memory ---

void NotInSegment() { Exchange(kFlags | GASNET_COLL_SRC_IN_SEGMENT); }
void Overlap() { gasnet_all_exchange(dst, dst + 8, 8, kFlags); }
void UnequalOverlap() {
  gasnet_all_prefix_reducev(dst + 8, dst, 3, GASNET_ALL_INT64, GASNET_ALL_SUM,
                            0, kFlags);
}
void Null() { gasnet_all_gather_all(dst, nullptr, 8, kFlags); }

// --- Contexts ---

void InBarrier() {
  gasnet_barrier_notify(0, 0);
  Exchange(kFlags);
}
void CallInHandler(gasnet_token_t) { Exchange(kFlags); }
void InHandler() { CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kCall)); }
void WithInterruptsHeld() {
  gasnet_hold_interrupts();
  Exchange(kFlags);
}
void SyncWithLock() {
  static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  gasnet_hsl_lock(&lock);
  gasnet_coll_try_sync(GASNET_COLL_INVALID_HANDLE);
}
void NoHandles() { gasnet_all_wait_sync_all(nullptr, 2); }

const Case kCases[] = {
    {"no_mode", NoMode},
    {"two_modes", TwoModes},
    {"no_addressing", NoAddressing},
    {"both_addressings", BothAddressings},
    {"single_put", SinglePut},
    {"not_in_segment", NotInSegment},
    {"overlap", Overlap},
    {"unequal_overlap", UnequalOverlap},
    {"null", Null},
    {"in_barrier", InBarrier},
    {"in_handler", InHandler},
    {"with_interrupts_held", WithInterruptsHeld},
    {"sync_with_lock", SyncWithLock},
    {"no_handles", NoHandles},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  gasnet_handlerentry_t handlers[] = {
      HANDLER(conformance::kCall, conformance::CallInHandler)};
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
