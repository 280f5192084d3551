// Implicit operations by category. A wait for one category does not affect or
// wait for other categories, or explicit operations (GASNet-EX, section 10.4).
// ex_atomics_categories covers atomics.
#include <sched.h>
#include <string.h>

#include <initializer_list>

#include "conformance/ex/ex_rma.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kAwake };  // out-of-band word: the last round that is over

constexpr size_t kBytes = 20000;
constexpr int kHandler = 201;
constexpr size_t kPayload = 400;
constexpr gex_EC_t kMasks[] = {GEX_EC_GET,
                               GEX_EC_PUT,
                               GEX_EC_AM,
                               GEX_EC_LC,
                               GEX_EC_RMW,
                               GEX_EC_GET | GEX_EC_PUT,
                               GEX_EC_AM | GEX_EC_LC | GEX_EC_RMW,
                               GEX_EC_ALL};

std::atomic<uint32_t> messages{0};

void CheckPayload(gex_Token_t, void* payload, size_t bytes, gex_AM_Arg_t key) {
  CHECK_EQ(bytes, kPayload);
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(key));
  ++messages;
}

gex_AM_Entry_t table[] = {
    {kHandler, reinterpret_cast<gex_AM_Fn_t>(CheckPayload),
     GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, nullptr, "CheckPayload"}};

alignas(64) char source[kBytes];
alignas(64) char copy[kBytes];
alignas(64) char payload[kPayload];

char* Slot(gex_Rank_t owner, int which) {
  return BaseOf(owner) + (ex.rank * 3 + which) * kBytes;
}

void NothingOutstanding() {
  for (gex_EC_t mask : kMasks) {
    CHECK_EQ(gex_NBI_Test(mask, 0), 0);
    gex_NBI_Wait(mask, 0);
  }
}

void Put(gex_Rank_t peer, int which, uint32_t key, gex_Event_t* lc_opt) {
  FillPattern(source, kBytes, key);
  CHECK_EQ(
      gex_RMA_PutNBI(ex.tm, peer, Slot(peer, which), source, kBytes, lc_opt, 0),
      0);
}

void CheckSlot(gex_Rank_t peer, int which, uint32_t key) {
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, copy, peer, Slot(peer, which), kBytes, 0),
           0);
  CHECK_PATTERN(copy, kBytes, key);
}

// Begins puts, gets and messages. Checks after the wait for each category that
// the category is complete.
void SyncOneByOne(gex_Rank_t peer, uint32_t key) {
  Put(peer, 0, key, GEX_EVENT_NOW);
  gex_NBI_Wait(GEX_EC_PUT, 0);

  Put(peer, 1, key + 1, GEX_EVENT_GROUP);
  memset(copy, 0, kBytes);
  CHECK_EQ(gex_RMA_GetNBI(ex.tm, copy, peer, Slot(peer, 0), kBytes, 0), 0);
  FillPattern(payload, kPayload, key + 2);
  CHECK_EQ(gex_AM_RequestMedium1(ex.tm, peer, kHandler, payload, kPayload,
                                 GEX_EVENT_GROUP, 0,
                                 static_cast<gex_AM_Arg_t>(key + 2)),
           0);
  gex_NBI_Wait(GEX_EC_AM, 0);
  memset(payload, 0xDD, kPayload);
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK_PATTERN(copy, kBytes, key);
  gex_NBI_Wait(GEX_EC_LC, 0);
  memset(source, 0xDD, kBytes);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  CheckSlot(peer, 1, key + 1);
  NothingOutstanding();
}

void LeaveExplicitAlone(gex_Rank_t peer, uint32_t key) {
  uint64_t word = key;
  const gex_Event_t event =
      gex_RMA_PutNB(ex.tm, peer, Slot(peer, 2), &word, 8, GEX_EVENT_DEFER, 0);
  Put(peer, 0, key, GEX_EVENT_DEFER);
  while (gex_NBI_Test(GEX_EC_PUT | GEX_EC_GET, 0) != 0) {
    CHECK_OK(gasnet_AMPoll());
  }
  CheckSlot(peer, 0, key);
  gex_Event_Wait(event);
  CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, peer, Slot(peer, 2), 8, 0), key);
}

// Checks that gets do not wait for a put to a rank that sleeps. The last rank
// serves no other rank until rank 0 permits it. Until then the put may stay
// under way.
void PeerAsleep(uint32_t round) {
  const gex_Rank_t sleeper = ex.size - 1;
  if (ex.rank == sleeper) {
    while (OutOfBand(kAwake) < round) sched_yield();
  } else if (ex.rank == 0) {
    char* const own = Slot(0, 0);
    FillPattern(own, kBytes, round);
    memset(copy, 0, kBytes);
    uint64_t word = round;
    CHECK_EQ(gex_RMA_PutNBI(ex.tm, sleeper, Slot(sleeper, 2), &word, 8,
                            GEX_EVENT_NOW, 0),
             0);
    const gex_Event_t event =
        gex_RMA_PutNBVal(ex.tm, sleeper, Slot(sleeper, 2) + 8, word, 8, 0);
    CHECK_EQ(gex_RMA_GetNBI(ex.tm, copy, 0, own, kBytes, 0), 0);
    gex_NBI_Wait(GEX_EC_GET, 0);
    CHECK_PATTERN(copy, kBytes, round);
    OutOfBand(kAwake) = round;
    gex_NBI_Wait(GEX_EC_ALL, 0);
    gex_Event_Wait(event);
  }
  Barrier();
  if (ex.rank == sleeper) {
    const uint64_t* words =
        reinterpret_cast<uint64_t*>(BaseOf(sleeper) + 2 * kBytes);
    CHECK_EQ(words[0], round);
    CHECK_EQ(words[1], round);
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 9 * kBytes, table, 1);
  NothingOutstanding();
  uint32_t sent = 0;
  for (uint32_t round = 1; round <= 20; ++round) {
    for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
      SyncOneByOne(peer, round * 100 + peer * 10);
      LeaveExplicitAlone(peer, round * 100 + peer * 10 + 5);
      ++sent;
    }
    GASNET_BLOCKUNTIL(messages == sent);
    Barrier();
    PeerAsleep(round);
  }
  return FinishJob();
}
