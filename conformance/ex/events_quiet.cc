// Tests of events never serve the network: no handler runs in them, however
// often they are called. Handlers run in a poll or a wait (GASNet-EX, sections
// 2.5, 10).
#include <sched.h>

#include "conformance/ex/ex_rma.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

// out-of-band words: the last round requested, and the last round sent
enum { kAsked, kSent };

constexpr int kRounds = 30;
constexpr int kLooks = 3000;
constexpr size_t kBytes = 3000;

std::atomic<int> handled{0};

void Count(gex_Token_t) { ++handled; }

gex_AM_Entry_t table[] = {{200, reinterpret_cast<gex_AM_Fn_t>(Count),
                           GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, nullptr,
                           "Count"}};

char buffer[2][kBytes];

void LookOften(gex_Event_t* events, size_t count) {
  for (int look = 0; look < kLooks; ++look) {
    (void)gex_NBI_Test(GEX_EC_ALL, 0);
    (void)gex_Event_TestAll(events, count, 0);
    (void)gex_Event_TestSome(events, count, 0);
    if (events[0] != GEX_EVENT_INVALID && gex_Event_Test(events[0]) == 0) {
      events[0] = GEX_EVENT_INVALID;
    }
    if (look % 100 == 0) sched_yield();
  }
}

// Tests events while a message arrives. The events belong to operations that
// need the message's sender.
void Watch(gex_Rank_t sender, int round) {
  char* const there = BaseOf(sender);
  gex_Event_t leaf;
  gex_Event_t events[] = {
      gex_RMA_GetNB(ex.tm, buffer[0], sender, there, kBytes, 0),
      gex_RMA_PutNB(ex.tm, sender, there + kBytes, buffer[1], kBytes, &leaf, 0),
      GEX_EVENT_INVALID};
  events[2] = leaf;
  CHECK_EQ(gex_RMA_GetNBI(ex.tm, buffer[0], ex.rank, BaseOf(ex.rank), 8, 0), 0);
  OutOfBand(kAsked) = round;
  while (OutOfBand(kSent) != static_cast<uint32_t>(round)) sched_yield();
  LookOften(events, 3);
  CHECK_EQ(handled, round - 1);

  gex_Event_WaitAll(events, 3, 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  while (handled < round) CHECK_OK(gasnet_AMPoll());
  CHECK_EQ(handled, round);
}

void Send(int round) {
  while (OutOfBand(kAsked) != static_cast<uint32_t>(round)) sched_yield();
  CHECK_EQ(gex_AM_RequestShort0(ex.tm, 0, 200, 0), 0);
  OutOfBand(kSent) = round;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 2 * kBytes, table, 1);
  const gex_Rank_t sender = ex.size - 1;
  // Skips the test if the library has threads of its own. These may run
  // handlers at any time.
  const bool is_quiet = gex_System_QueryHiddenAMConcurrencyLevel() == 0;
  for (int round = 1; is_quiet && round <= kRounds; ++round) {
    if (ex.rank == 0) Watch(sender, round);
    if (ex.rank == sender) Send(round);
    Barrier();
  }
  return FinishJob();
}
