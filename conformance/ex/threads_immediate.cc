// Threads start large puts and gets with GEX_FLAG_IMMEDIATE. Each thread also
// posts the remaining parts of other threads' transfers. Every transfer that is
// not refused happens once, completely. Transfers of different threads are not
// mixed up (GASNet-EX, sections 2.4 and 2.6).
#include <sched.h>

#include <memory>
#include <vector>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 10;
constexpr int kWindow = 3;        // transfers that a thread has under way
constexpr size_t kMax = 200'000;  // more bytes than there is room for at once
constexpr int kTries = 30;

char* Slot(gex_Rank_t owner, int thread, int which) {
  const size_t number = (ex.rank * kThreads + thread) * kWindow + which;
  return BaseOf(owner) + number * kMax;
}

// A transfer: the place at another rank, and the local copy of its contents.
struct Transfer {
  gex_Rank_t peer;
  char* there;
  size_t bytes;
  uint32_t key;
  std::unique_ptr<char[]> here = std::make_unique<char[]>(kMax);
  gex_Event_t event = GEX_EVENT_INVALID;
};

// Calls `start` with GEX_FLAG_IMMEDIATE until it succeeds. The last try is
// without this flag, and may wait.
template <class Start>
gex_Event_t Insist(Start start) {
  for (int i = 0; i < kTries; ++i) {
    const gex_Event_t event = start(GEX_FLAG_IMMEDIATE);
    if (event != GEX_EVENT_NO_OP) return event;
    CHECK_OK(gasnet_AMPoll());
    sched_yield();
  }
  return start(0);
}

// Syncs the transfers in order or in reverse order, at random.
void Sync(std::vector<Transfer>& transfers, Random& random) {
  const bool backwards = random.Below(2) == 0;
  for (int i = 0; i < kWindow; ++i) {
    gex_Event_t& event = transfers[backwards ? kWindow - 1 - i : i].event;
    if (random.Below(2) == 0) {
      gex_Event_Wait(event);
    } else {
      while (gex_Event_Test(event) != 0) CHECK_OK(gasnet_AMPoll());
    }
  }
}

void PutAndGet(int thread) {
  Random random(ex.rank * kThreads + thread);
  std::vector<Transfer> transfers(kWindow);
  for (int round = 0; round < kRounds; ++round) {
    for (int which = 0; which < kWindow; ++which) {
      Transfer& put = transfers[which];
      put.peer = static_cast<gex_Rank_t>(random.Below(ex.size));
      put.there = Slot(put.peer, thread, which);
      put.bytes = 1 + random.Below(random.Below(3) == 0 ? 100 : kMax);
      put.key = random.Below(1u << 30);
      FillPattern(put.here.get(), put.bytes, put.key);
      put.event = Insist([&](gex_Flags_t flags) {
        return gex_RMA_PutNB(ex.tm, put.peer, put.there, put.here.get(),
                             put.bytes, GEX_EVENT_DEFER, flags);
      });
    }
    Sync(transfers, random);
    for (Transfer& get : transfers) {
      FillPattern(get.here.get(), get.bytes, ~get.key);
      get.event = Insist([&](gex_Flags_t flags) {
        return gex_RMA_GetNB(ex.tm, get.here.get(), get.peer, get.there,
                             get.bytes, flags);
      });
    }
    Sync(transfers, random);
    for (const Transfer& get : transfers) {
      CHECK_PATTERN(get.here.get(), get.bytes, get.key);
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 3 * kThreads * kWindow * kMax);
  RunThreads(kThreads, PutAndGet);
  return FinishJob();
}
