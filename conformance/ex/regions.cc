// Access regions. A region has one event for all implicit operations inside it,
// with leaves for their categories. Operations outside a region and the region
// do not wait for each other. Both interfaces may open and close regions
// (GASNet-EX, section 10.3).
#include <sched.h>
#include <string.h>

#include <initializer_list>

#include "conformance/ex/ex_rma.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kAwake };  // out-of-band word: the last round that is over

constexpr size_t kBytes = 9000;
constexpr int kSlots = 4;  // slots on each peer, by a transfer's number
constexpr int kHandler = 202;
constexpr size_t kPayload = 300;

std::atomic<uint32_t> messages{0};

void CheckPayload(gex_Token_t, void* payload, size_t bytes, gex_AM_Arg_t key) {
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(key));
  ++messages;
}

gex_AM_Entry_t table[] = {
    {kHandler, reinterpret_cast<gex_AM_Fn_t>(CheckPayload),
     GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, nullptr, "CheckPayload"}};

alignas(64) char sources[kSlots][kBytes];
alignas(64) char got[kBytes];
alignas(64) char copy[kBytes];
alignas(64) char payload[kPayload];
uint32_t key = 0;

char* Slot(gex_Rank_t owner, int which) {
  return BaseOf(owner) + (ex.rank * kSlots + which) * kBytes;
}

void PutNbi(gex_Rank_t peer, int which, gex_Event_t* lc_opt) {
  FillPattern(sources[which], kBytes, key + which);
  CHECK_EQ(gex_RMA_PutNBI(ex.tm, peer, Slot(peer, which), sources[which],
                          kBytes, lc_opt, 0),
           0);
}

void CheckSlot(gex_Rank_t peer, int which) {
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, copy, peer, Slot(peer, which), kBytes, 0),
           0);
  CHECK_PATTERN(copy, kBytes, key + which);
}

gex_Event_t EmptyRegion() {
  gex_NBI_BeginAccessRegion(0);
  const gex_Event_t event = gex_NBI_EndAccessRegion(0);
  CHECK(event != GEX_EVENT_NO_OP);
  return event;
}

// Begins the operations of a region. `get_from` has kBytes bytes of the pattern
// that the region's get must fetch.
void Fill(gex_Rank_t peer, char* get_from) {
  PutNbi(peer, 0, GEX_EVENT_GROUP);
  PutNbi(peer, 1, GEX_EVENT_DEFER);
  CHECK_EQ(gex_RMA_PutNBIVal(ex.tm, peer, Slot(peer, 2), key, 4, 0), 0);
  CHECK_EQ(gex_RMA_GetNBI(ex.tm, got, peer, get_from, kBytes, 0), 0);
  FillPattern(payload, kPayload, key);
  CHECK_EQ(
      gex_AM_RequestMedium1(ex.tm, peer, kHandler, payload, kPayload,
                            GEX_EVENT_GROUP, 0, static_cast<gex_AM_Arg_t>(key)),
      0);
}

void CheckFilled(gex_Rank_t peer, uint32_t key_got) {
  CHECK_PATTERN(got, kBytes, key_got);
  CheckSlot(peer, 0);
  CheckSlot(peer, 1);
  CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, peer, Slot(peer, 2), 4, 0), key);
}

enum class Part { kRoot, kLeaves, kLeavesInArray, kTests };

void Test(gex_Rank_t peer, Part part) {
  const uint32_t before = key;
  key += 10;
  // outside the region; puts the data that the get fetches
  PutNbi(peer, 3, GEX_EVENT_NOW);
  char* const get_from = Slot(peer, 3);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  PutNbi(peer, 2, GEX_EVENT_NOW);
  gex_NBI_Wait(GEX_EC_ALL, 0);

  memset(got, 0, kBytes);
  gex_NBI_BeginAccessRegion(0);
  Fill(peer, get_from);
  const gex_Event_t explicit_put =
      gex_RMA_PutNBVal(ex.tm, peer, Slot(peer, 2) + 16, before, 4, 0);
  // not part of the region, because it is explicit
  gex_Event_Wait(explicit_put);
  gex_Event_t root = gex_NBI_EndAccessRegion(0);
  CHECK(root != GEX_EVENT_NO_OP);
  // no operation is under way outside the region
  CHECK_EQ(gex_NBI_Test(GEX_EC_ALL, 0), 0);

  if (part == Part::kLeaves) {
    gex_Event_Wait(gex_Event_QueryLeaf(root, GEX_EC_AM));
    memset(payload, 0xDD, kPayload);
    gex_Event_Wait(gex_Event_QueryLeaf(root, GEX_EC_LC));
    memset(sources[0], 0xDD, kBytes);
    const gex_Event_t gets = gex_Event_QueryLeaf(root, GEX_EC_GET);
    while (gex_Event_Test(gets) != 0) CHECK_OK(gasnet_AMPoll());
    CHECK_PATTERN(got, kBytes, key + 3);
    gex_Event_Wait(gex_Event_QueryLeaf(root, GEX_EC_RMW));
    gex_Event_Wait(gex_Event_QueryLeaf(root, GEX_EC_PUT));
    CheckSlot(peer, 0);
    CheckSlot(peer, 1);
    gex_Event_Wait(root);
  } else if (part == Part::kLeavesInArray) {
    gex_Event_t events[6] = {gex_Event_QueryLeaf(root, GEX_EC_GET),
                             gex_Event_QueryLeaf(root, GEX_EC_LC),
                             root,
                             gex_Event_QueryLeaf(root, GEX_EC_AM),
                             gex_Event_QueryLeaf(root, GEX_EC_PUT),
                             gex_Event_QueryLeaf(root, GEX_EC_RMW)};
    gex_Event_WaitAll(events, 6, 0);
    for (gex_Event_t event : events) CHECK(event == GEX_EVENT_INVALID);
  } else if (part == Part::kTests) {
    while (gex_Event_Test(root) != 0) CHECK_OK(gasnet_AMPoll());
  } else {
    gex_Event_Wait(root);
  }
  CheckFilled(peer, key + 3);
}

// Opens a region by one interface. Closes the region, or syncs its event, by
// the other interface.
void Hybrid(gex_Rank_t peer) {
  key += 10;
  PutNbi(peer, 3, GEX_EVENT_NOW);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  gasnet_begin_nbi_accessregion();
  Fill(peer, Slot(peer, 3));
  FillPattern(sources[2], 64, key);
  gasnet_put_nbi(peer, Slot(peer, 2) + 64, sources[2], 64);
  gasnet_wait_syncnb(gex_NBI_EndAccessRegion(0));
  CheckFilled(peer, key + 3);
  gasnet_get(copy, peer, Slot(peer, 2) + 64, 64);
  CHECK_PATTERN(copy, 64, key);

  key += 10;
  PutNbi(peer, 3, GEX_EVENT_NOW);
  gasnet_wait_syncnbi_puts();
  gex_NBI_BeginAccessRegion(0);
  Fill(peer, Slot(peer, 3));
  gex_Event_Wait(gasnet_end_nbi_accessregion());
  CheckFilled(peer, key + 3);
}

// The last rank serves no other rank until rank 0 permits it. A put to it
// inside a region must not delay operations outside the region. A put outside
// must not delay the region.
void PeerAsleep(uint32_t round) {
  const gex_Rank_t sleeper = ex.size - 1;
  if (ex.rank == sleeper) {
    while (OutOfBand(kAwake) < round) sched_yield();
  } else if (ex.rank == 0) {
    char* const there = Slot(sleeper, 0);
    gex_NBI_BeginAccessRegion(0);
    CHECK_EQ(gex_RMA_PutNBIVal(ex.tm, sleeper, there, round, 4, 0), 0);
    const gex_Event_t region = gex_NBI_EndAccessRegion(0);
    gex_NBI_Wait(GEX_EC_ALL, 0);
    CHECK_EQ(gex_NBI_Test(GEX_EC_ALL, 0), 0);
    CHECK_EQ(gex_RMA_PutNBIVal(ex.tm, sleeper, there + 8, round, 4, 0), 0);
    gex_Event_Wait(EmptyRegion());
    OutOfBand(kAwake) = round;
    gex_Event_Wait(region);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, sleeper, there, 4, 0), round);
    CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, sleeper, there + 8, 4, 0), round);
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 3 * kSlots * kBytes, table, 1);
  uint32_t sent = 0;
  for (uint32_t round = 1; round <= 20; ++round) {
    for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
      for (Part part :
           {Part::kRoot, Part::kLeaves, Part::kLeavesInArray, Part::kTests}) {
        Test(peer, part);
        gex_Event_Wait(EmptyRegion());
      }
      Hybrid(peer);
      sent += 6;
    }
    GASNET_BLOCKUNTIL(messages == sent);
    Barrier();
    PeerAsleep(round);
  }
  return FinishJob();
}
