// Shared by tests of observing (seam.h): an observer of a job of kRanks ranks,
// and functions that are observed like functions of clients.
#ifndef CORE_OBSERVE_TESTING_OBSERVED_TEST_H_
#define CORE_OBSERVE_TESTING_OBSERVED_TEST_H_

#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "core/observe/call.h"
#include "core/observe/mask.h"
#include "core/observe/observer.h"
#include "core/observe/seam.h"
#include "core/observe/totals.h"
#include "core/observe/transfer_kind.h"
#include "core/rank.h"
#include "gtest/gtest.h"

namespace gasnet::observe {

inline constexpr Rank kRanks = 4;

inline void DoNothing() {}

// Simulates a GASNet function that the client calls with a peer and a size.
template <Call call, class Body = void (*)()>
void Function(Rank peer = kNobody, size_t nbytes = 0, Body body = &DoNothing) {
  if (IsObserved()) [[unlikely]] {
    const CallScope scope(call, {.peer = peer, .nbytes = nbytes});
    return Function<call>(peer, nbytes, body);
  }
  body();
}

// Returns once the clock's time has changed.
inline void AwaitTick() {
  const int64_t now = NowNanos();
  while (NowNanos() == now) {
  }
}
// Waits a millisecond. The test's other work takes much less time.
inline uint64_t PassTime() {
  const int64_t begun = NowNanos();
  while (NowNanos() - begun < kNanosPerMilli) {
  }
  return static_cast<uint64_t>(kNanosPerMilli);
}

class ObservedTest : public testing::Test {
 protected:
  ObservedTest() {
    std::string name = testing::TempDir() + "/observed.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) abort();
    setenv("GASNET_STATSFILE", (name + "/%").c_str(), 1);
    unsetenv("GASNET_STATSNODES");
    unsetenv("GASNET_STATSMASK");
    Start();
  }
  ~ObservedTest() override { End(); }

  void Start() {
    observer_ = Observer::Make({.ranks = kRanks, .conduit = "loop"},
                               /*for_launcher=*/false);
    if (observer_ == nullptr) abort();
    SetObserver(observer_.get());
  }
  void End() {
    SetObserver(nullptr);
    observer_.reset();
  }
  void SetMask(const char* text) {
    Mask mask;
    ASSERT_TRUE(Mask::Parse(text, mask));
    observer_->SetStatisticsMask(mask);
  }

  // Returns the present counts.
  const Totals& Now() {
    totals_.Collect(observer_->newest());
    return totals_;
  }
  const CallTotal& Of(Call call) {
    return Now().calls[static_cast<size_t>(call)];
  }
  const HandlerTotal& OfHandler(size_t handler) {
    return Now().handlers[handler];
  }
  const TransferTotal& OfTransfers(TransferKind kind) {
    return Now().transfers[static_cast<size_t>(kind)];
  }
  const TotalTimes& OfWait(WaitFor what) {
    return Now().waits[static_cast<size_t>(what)];
  }

  std::unique_ptr<Observer> observer_;
  Totals totals_{kRanks};
};

}  // namespace gasnet::observe

#endif  // CORE_OBSERVE_TESTING_OBSERVED_TEST_H_
