// Implicit atomics belong to categories: SET to puts, GET to gets, and all
// others to read-modify-writes. Events of access regions have leaves for these
// categories. If a flag is set with REL and seen with ACQ, the data that were
// put before are visible (GASNet-EX, sections 10.4 and 15.2).
#include <sched.h>
#include <string.h>

#include "conformance/ex/atomic_data.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kAwake };  // out-of-band word: the last round that is over

constexpr int kRounds = 60;
constexpr size_t kData = 4096;
constexpr size_t kBytes = 5000;
constexpr gex_OP_t kOperations64 =
    GEX_OP_SET | GEX_OP_GET | GEX_OP_ADD | GEX_OP_FADD;

char data[kBytes];

uint64_t* Word(gex_Rank_t owner, int which) {
  return reinterpret_cast<uint64_t*>(BaseOf(owner)) + ex.rank * 8 + which;
}

void Start(gex_AD_t ad, gex_Rank_t owner, int which, gex_OP_t op,
           uint64_t operand, uint64_t* result) {
  CHECK_EQ(gex_AD_OpNBI_U64(ad, result, owner, Word(owner, which), op, operand,
                            0, 0),
           0);
}

uint64_t Read(gex_AD_t ad, gex_Rank_t owner, int which) {
  uint64_t value = 0;
  gex_Event_Wait(gex_AD_OpNB_U64(ad, &value, owner, Word(owner, which),
                                 GEX_OP_GET, 0, 0, 0));
  return value;
}

// Starts operations of one category, and waits for that category. Checks that
// another operation then sees their effect.
void Categories(gex_AD_t ad, gex_Rank_t owner, uint64_t round) {
  Start(ad, owner, 0, GEX_OP_SET, round, nullptr);
  Start(ad, owner, 1, GEX_OP_ADD, 5, nullptr);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  CHECK_EQ(Read(ad, owner, 0), round);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  CHECK_EQ(Read(ad, owner, 1), round * 15 - 10);
  uint64_t got = 0;
  uint64_t added = 0;
  Start(ad, owner, 0, GEX_OP_GET, 0, &got);
  Start(ad, owner, 1, GEX_OP_FADD, 5, &added);
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK_EQ(got, round);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  CHECK_EQ(added, round * 15 - 10);

  gex_NBI_BeginAccessRegion(0);
  Start(ad, owner, 2, GEX_OP_SET, round, nullptr);
  Start(ad, owner, 1, GEX_OP_FADD, 5, &added);
  Start(ad, owner, 0, GEX_OP_GET, 0, &got);
  const gex_Event_t region = gex_NBI_EndAccessRegion(0);
  CHECK_EQ(gex_NBI_Test(GEX_EC_ALL, 0), 0);
  gex_Event_Wait(gex_Event_QueryLeaf(region, GEX_EC_RMW));
  CHECK_EQ(added, round * 15 - 5);
  gex_Event_Wait(gex_Event_QueryLeaf(region, GEX_EC_GET));
  CHECK_EQ(got, round);
  gex_Event_Wait(gex_Event_QueryLeaf(region, GEX_EC_PUT));
  CHECK_EQ(Read(ad, owner, 2), round);
  gex_Event_Wait(region);
}

// Checks that categories do not wait for each other. The last rank serves no
// other rank until rank 0 permits it. Until then an operation on the last
// rank's memory may stay under way.
void TargetAsleep(gex_AD_t ad, uint32_t round) {
  const gex_Rank_t sleeper = ex.size - 1;
  if (ex.rank == sleeper) {
    while (OutOfBand(kAwake) < round) sched_yield();
  } else if (ex.rank == 0) {
    uint64_t added = 0;
    uint64_t got = 0;
    Start(ad, sleeper, 3, GEX_OP_FADD, 1, &added);
    Start(ad, 0, 4, GEX_OP_GET, 0, &got);
    Start(ad, 0, 5, GEX_OP_SET, round, nullptr);
    gex_NBI_Wait(GEX_EC_GET | GEX_EC_PUT, 0);
    OutOfBand(kAwake) = round;
    gex_NBI_Wait(GEX_EC_RMW, 0);
    CHECK_EQ(added, round - 1);
    CHECK_EQ(Read(ad, 0, 5), round);
  }
}

// Passes data around the ring, beginning with rank 0. Each rank puts the data
// into the next rank's memory and then sets a flag there with the atomic
// domain. The next rank waits for the flag and reads the data with plain loads.
void PassOn(gex_AD_t ad, uint32_t round) {
  const gex_Rank_t next = (ex.rank + 1) % ex.size;
  const gex_Rank_t before = (ex.rank + ex.size - 1) % ex.size;
  const auto flag = [](gex_Rank_t owner, gex_Rank_t by) {
    return reinterpret_cast<uint64_t*>(BaseOf(owner)) + by * 8 + 6;
  };
  const auto send = [&] {
    FillPattern(data, kBytes, round * 10 + ex.rank);
    CHECK_EQ(
        gex_RMA_PutBlocking(ex.tm, next, BaseOf(next) + kData, data, kBytes, 0),
        0);
    gex_Event_Wait(gex_AD_OpNB_U64(ad, nullptr, next, flag(next, ex.rank),
                                   GEX_OP_SET, round, 0, GEX_FLAG_AD_REL));
  };
  const auto receive = [&] {
    for (uint64_t seen = 0; seen != round;) {
      gex_Event_Wait(gex_AD_OpNB_U64(ad, &seen, ex.rank, flag(ex.rank, before),
                                     GEX_OP_GET, 0, 0,
                                     GEX_FLAG_AD_ACQ | GEX_FLAG_AD_MY_RANK));
      CHECK_OK(gasnet_AMPoll());
    }
    CHECK_PATTERN(BaseOf(ex.rank) + kData, kBytes, round * 10 + before);
  };
  if (ex.rank == 0) send();
  receive();
  if (ex.rank != 0) send();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, kData + kBytes);
  memset(BaseOf(ex.rank), 0, kData);
  gex_AD_t ad = GEX_AD_INVALID;
  gex_AD_Create(&ad, ex.tm, GEX_DT_U64, kOperations64, 0);
  gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  for (uint32_t round = 1; round <= kRounds; ++round) {
    for (gex_Rank_t owner = 0; owner < ex.size; ++owner) {
      Categories(ad, owner, round);
    }
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
    TargetAsleep(ad, round);
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
    PassOn(ad, round);
    gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  }
  gex_AD_Destroy(ad);
  return FinishJob();
}
