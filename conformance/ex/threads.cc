// Threads of a process (GASNet-EX, section 2.4):
//
// - A thread may sync events of operations that another thread began.
// - Each thread has its own implicit operations and access regions.
// - Atomics of several threads are atomic.
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "conformance/ex/atomic_data.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kAwake };  // out-of-band word: the last round that is over

constexpr int kThreads = 4;
constexpr int kHandOvers = 300;
constexpr size_t kBytes = 9000;
constexpr int kEach = 200;  // atomics of each thread

// Operations that one thread began and the next thread syncs.
struct Parcel {
  std::atomic<bool> is_full{false};
  gex_Event_t events[3];  // root and leaf of a put, and a get
  gex_Rank_t peer;
  size_t bytes;
  uint32_t key;
};

Parcel parcels[kThreads];
char sources[kThreads][kBytes];
char got[kThreads][kBytes];

char* Slot(gex_Rank_t owner, int thread, int which) {
  const size_t number = (ex.rank * kThreads + thread) * 2 + which;
  return BaseOf(owner) + number * kBytes;
}

// Waits until the other thread has done its part. Yields to that thread.
void Await(const Parcel& parcel, bool is_full) {
  while (parcel.is_full.load(std::memory_order_acquire) != is_full) {
    CHECK_OK(gasnet_AMPoll());
    sched_yield();
  }
}

void Begin(int thread, Random& random, uint32_t key) {
  Parcel& parcel = parcels[thread];
  Await(parcel, false);
  parcel.peer = static_cast<gex_Rank_t>(random.Below(ex.size));
  parcel.bytes = 1 + random.Below(random.Below(2) == 0 ? 16 : kBytes);
  parcel.key = key;
  // This thread alone starts and completes the put. Then it gets the data back,
  // and another thread syncs the get.
  FillPattern(sources[thread], parcel.bytes, ~key);
  CHECK_EQ(gex_RMA_PutBlocking(ex.tm, parcel.peer, Slot(parcel.peer, thread, 1),
                               sources[thread], parcel.bytes, 0),
           0);
  FillPattern(sources[thread], parcel.bytes, key);
  parcel.events[0] =
      gex_RMA_PutNB(ex.tm, parcel.peer, Slot(parcel.peer, thread, 0),
                    sources[thread], parcel.bytes, &parcel.events[1], 0);
  if (key % 3 == 0) {
    gex_NBI_BeginAccessRegion(0);
    CHECK_EQ(gex_RMA_GetNBI(ex.tm, got[thread], parcel.peer,
                            Slot(parcel.peer, thread, 1), parcel.bytes, 0),
             0);
    parcel.events[2] = gex_NBI_EndAccessRegion(0);
  } else {
    parcel.events[2] =
        gex_RMA_GetNB(ex.tm, got[thread], parcel.peer,
                      Slot(parcel.peer, thread, 1), parcel.bytes, 0);
  }
  parcel.is_full.store(true, std::memory_order_release);
}

void End(int thread, char* copy, uint32_t key) {
  Parcel& parcel = parcels[thread];
  Await(parcel, true);
  CHECK_EQ(parcel.key, key);
  switch (key % 4) {
    case 0:
      gex_Event_WaitAll(parcel.events, 3, 0);
      break;
    case 1:
      gex_Event_Wait(parcel.events[1]);
      memset(sources[thread], 0xDD, parcel.bytes);
      gex_Event_Wait(parcel.events[0]);
      gex_Event_Wait(parcel.events[2]);
      break;
    case 2:
      while (gex_Event_Test(parcel.events[2]) != 0) CHECK_OK(gasnet_AMPoll());
      gex_Event_Wait(parcel.events[0]);
      break;
    default:
      while (gex_Event_TestSome(parcel.events, 3, 0) != 0) {
        CHECK_OK(gasnet_AMPoll());
      }
      gex_Event_WaitAll(parcel.events, 3, 0);
  }
  CHECK_PATTERN(got[thread], parcel.bytes, ~key);
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, copy, parcel.peer,
                               Slot(parcel.peer, thread, 0), parcel.bytes, 0),
           0);
  CHECK_PATTERN(copy, parcel.bytes, key);
  parcel.is_full.store(false, std::memory_order_release);
}

void HandOver(int thread) {
  Random random(ex.rank * kThreads + thread);
  const int other = (thread + 1) % kThreads;
  const auto copy = std::make_unique<char[]>(kBytes);
  const auto key_of = [](int of, int turn) {
    return static_cast<uint32_t>(turn * kThreads + of);
  };
  for (int turn = 0; turn < kHandOvers; ++turn) {
    Begin(thread, random, key_of(thread, turn));
    End(other, copy.get(), key_of(other, turn));
  }
}

// Tests that implicit operations belong to one thread. Some threads keep an
// implicit put or an open region under way. The target of their puts is the
// last rank. It serves no other rank until the other threads have synced their
// implicit operations.
std::atomic<int> begun{0};
std::atomic<int> over{0};

void OwnSets(int thread, uint32_t round) {
  const gex_Rank_t sleeper = ex.size - 1;
  char* const there = Slot(sleeper, thread, 0);
  const bool is_holder = thread % 2 == 0;
  if (is_holder) {
    if (thread == 2) gex_NBI_BeginAccessRegion(0);
    CHECK_EQ(gex_RMA_PutNBIVal(ex.tm, sleeper, there, round, 4, 0), 0);
    ++begun;
    while (over < kThreads / 2) sched_yield();
    OutOfBand(kAwake) = round;
    if (thread == 2) {
      gex_Event_Wait(gex_NBI_EndAccessRegion(0));
    } else {
      gex_NBI_Wait(GEX_EC_PUT, 0);
    }
    CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, sleeper, there, 4, 0), round);
    return;
  }
  while (begun < kThreads / 2) sched_yield();
  char* const own = Slot(ex.rank, thread, 1);
  CHECK_EQ(gex_NBI_Test(GEX_EC_ALL, 0), 0);
  CHECK_EQ(gex_RMA_PutNBIVal(ex.tm, ex.rank, own, round, 4, 0), 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, ex.rank, own, 4, 0), round);
  ++over;
}

void TestOwnSets(uint32_t round) {
  if (ex.rank == 0) {
    begun = 0;
    over = 0;
    RunThreads(kThreads, [round](int thread) { OwnSets(thread, round); });
  } else if (ex.rank == ex.size - 1) {
    while (OutOfBand(kAwake) < round) sched_yield();
  }
  Barrier();
}

// Checks that all threads of all ranks together fetch each value once.
void Count() {
  gex_AD_t ad = GEX_AD_INVALID;
  uint64_t* const target = reinterpret_cast<uint64_t*>(BaseOf(0));
  if (ex.rank == 0) *target = 0;
  gex_AD_Create(&ad, ex.tm, GEX_DT_U64, GEX_OP_FADD | GEX_OP_GET, 0);
  gex_Event_Wait(gex_Coll_BarrierNB(ex.tm, 0));
  const size_t total = static_cast<size_t>(ex.size) * kThreads * kEach;
  std::vector<std::vector<uint64_t>> fetched(kThreads,
                                             std::vector<uint64_t>(kEach));
  RunThreads(kThreads, [&](int thread) {
    for (int i = 0; i < kEach; ++i) {
      if (i % 2 == 0) {
        gex_Event_Wait(gex_AD_OpNB_U64(ad, &fetched[thread][i], 0, target,
                                       GEX_OP_FADD, 1, 0, 0));
      } else {
        CHECK_EQ(gex_AD_OpNBI_U64(ad, &fetched[thread][i], 0, target,
                                  GEX_OP_FADD, 1, 0, 0),
                 0);
      }
    }
    gex_NBI_Wait(GEX_EC_RMW, 0);
  });
  // The number of times that each value was fetched, by all threads of all
  // ranks.
  std::vector<uint32_t> seen(total);
  for (const std::vector<uint64_t>& values : fetched) {
    for (uint64_t value : values) {
      CHECK(value < total);
      ++seen[value];
    }
  }
  gex_Event_Wait(gex_Coll_ReduceToAllNB(ex.tm, seen.data(), seen.data(),
                                        GEX_DT_U32, 4, total, GEX_OP_ADD,
                                        nullptr, nullptr, 0));
  CHECK(std::all_of(seen.begin(), seen.end(),
                    [](uint32_t times) { return times == 1; }));
  gex_AD_Destroy(ad);
}

// Begins collectives in one thread, and syncs their events in others.
void SyncCollective() {
  for (int i = 0; i < 50; ++i) {
    int value = ex.rank == 0 ? i : -1;
    const gex_Event_t broadcast =
        gex_Coll_BroadcastNB(ex.tm, 0, &value, &value, sizeof(value), 0);
    const gex_Event_t barrier = gex_Coll_BarrierNB(ex.tm, 0);
    RunThreads(2, [&](int thread) {
      gex_Event_Wait(thread == 0 ? broadcast : barrier);
    });
    CHECK_EQ(value, i);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 3 * kThreads * 2 * kBytes);
  RunThreads(kThreads, HandOver);
  Barrier();
  for (uint32_t round = 1; round <= 20; ++round) TestOwnSets(round);
  Count();
  SyncCollective();
  return FinishJob();
}
