// GASNet-EX's calls between two ranks. The baseline of most rows is the time of
// the equivalent GASNet-1 call in the same run.
#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnetex.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/flood.h"
#include "bench/ranks/ranks.h"
#include "bench/ranks/round_trip.h"
#include "bench/ranks/transfer.h"

namespace gasnet::bench {
namespace {

constexpr gex_Rank_t kPeer = 1;

gex_TM_t team;
gex_AD_t domain;
volatile uint64_t answered = 0;
volatile uint64_t counted = 0;
volatile bool stopped = false;

void Answered(gex_Token_t) { answered = answered + 1; }
void AnsweredMedium(gex_Token_t, void*, size_t) { answered = answered + 1; }
void Count(gex_Token_t) { counted = counted + 1; }
void CountMedium(gex_Token_t, void*, size_t) { counted = counted + 1; }
void Stop(gex_Token_t) { stopped = true; }
void Ask(gex_Token_t token);
void AskMedium(gex_Token_t token, void* data, size_t nbytes);

template <class Function>
gex_AM_Entry_t Entry(Function* function, gex_Flags_t flags) {
  return {0,      reinterpret_cast<gex_AM_Fn_t>(function), flags, 0, nullptr,
          nullptr};
}
constexpr gex_Flags_t kShort = GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQREP;
constexpr gex_Flags_t kMedium = GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQREP;
gex_AM_Entry_t table[] = {
    Entry(&Ask, kShort),        Entry(&Answered, kShort),
    Entry(&AskMedium, kMedium), Entry(&AnsweredMedium, kMedium),
    Entry(&Count, kShort),      Entry(&CountMedium, kMedium),
    Entry(&Stop, kShort),
};
enum Place {
  kAsk,
  kAnswered,
  kAskMedium,
  kAnsweredMedium,
  kCount,
  kCountMedium,
  kStop
};
gex_AM_Index_t IndexOf(Place place) { return table[place].gex_index; }

void Ask(gex_Token_t token) {
  gex_AM_ReplyShort0(token, IndexOf(kAnswered), 0);
}
void AskMedium(gex_Token_t token, void* data, size_t nbytes) {
  gex_AM_ReplyMedium0(token, IndexOf(kAnsweredMedium), data, nbytes,
                      GEX_EVENT_NOW, 0);
}

// Runs `work` on rank 0. The other rank serves the network until a message from
// rank 0 stops it.
template <class Work>
double Served(uint64_t rounds, Work work) {
  stopped = false;
  Barrier();
  double nanos = 0;
  if (gasnet_mynode() == 0) {
    const int64_t start = NowNanos();
    work();
    nanos = static_cast<double>(NowNanos() - start);
    gex_AM_RequestShort0(team, kPeer, IndexOf(kStop), 0);
  } else {
    GASNET_BLOCKUNTIL(stopped);
  }
  Barrier();
  return nanos / static_cast<double>(rounds);
}

template <class Send>
double RoundTrips(uint64_t rounds, Send send) {
  return Served(rounds, [=] {
    const uint64_t before = answered;
    for (uint64_t i = 1; i <= rounds; ++i) {
      send();
      GASNET_BLOCKUNTIL(answered == before + i);
    }
  });
}
double ShortThereAndBack(size_t, uint64_t rounds) {
  return RoundTrips(
      rounds, [] { gex_AM_RequestShort0(team, kPeer, IndexOf(kAsk), 0); });
}
double MediumThereAndBack(size_t size, uint64_t rounds) {
  return RoundTrips(rounds, [=] {
    gex_AM_RequestMedium0(team, kPeer, IndexOf(kAskMedium), PrivateBuffer(),
                          size, GEX_EVENT_NOW, 0);
  });
}

// Sends a flood and returns nanoseconds per message. The time includes the
// handling of the last message.
template <class Send>
double Flood(uint64_t rounds, Send send) {
  counted = 0;
  Barrier();
  const int64_t start = NowNanos();
  if (gasnet_mynode() == 0) {
    const uint64_t before = answered;
    for (uint64_t i = 0; i < rounds; ++i) send();
    GASNET_BLOCKUNTIL(answered == before + 1);
  } else {
    GASNET_BLOCKUNTIL(counted == rounds);
    gex_AM_RequestShort0(team, 0, IndexOf(kAnswered), 0);
  }
  const int64_t nanos = NowNanos() - start;
  Barrier();
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}
double ManyShorts(size_t, uint64_t rounds) {
  return Flood(rounds,
               [] { gex_AM_RequestShort0(team, kPeer, IndexOf(kCount), 0); });
}
double ManyMediums(size_t size, uint64_t rounds) {
  return Flood(rounds, [=] {
    gex_AM_RequestMedium0(team, kPeer, IndexOf(kCountMedium), PrivateBuffer(),
                          size, GEX_EVENT_NOW, 0);
  });
}

// Measure messages together with the writing of the payload. MadeInPlace writes
// the payload into the library's buffer, MadeOutside into a buffer of the
// client.
double MadeInPlace(size_t size, uint64_t rounds) {
  return Flood(rounds, [=] {
    const gex_AM_SrcDesc_t message = gex_AM_PrepareRequestMedium(
        team, kPeer, nullptr, size, size, nullptr, 0, 0);
    memset(gex_AM_SrcDescAddr(message), 1, size);
    gex_AM_CommitRequestMedium0(message, IndexOf(kCountMedium), size);
  });
}
double MadeOutside(size_t size, uint64_t rounds) {
  return Flood(rounds, [=] {
    memset(PrivateBuffer(), 1, size);
    gex_AM_RequestMedium0(team, kPeer, IndexOf(kCountMedium), PrivateBuffer(),
                          size, GEX_EVENT_NOW, 0);
  });
}

uint64_t* Words() { return reinterpret_cast<uint64_t*>(DataOf(kPeer)); }

double PutWord(size_t, uint64_t rounds) {
  uint64_t* const there = Words();
  const gex_TM_t tm = team;
  return OnRankZero(rounds, [=](uint64_t i) {
    gex_RMA_PutBlocking(tm, kPeer, &there[i % kLoopWords], &i, sizeof(i), 0);
  });
}
double PutWords(size_t, uint64_t rounds) {
  uint64_t* const there = Words();
  const gex_TM_t tm = team;
  const double nanos = OnRankZero(rounds, [=](uint64_t i) {
    gex_RMA_PutNBI(tm, kPeer, &there[i % kLoopWords], &i, sizeof(i),
                   GEX_EVENT_NOW, 0);
  });
  gex_NBI_Wait(GEX_EC_PUT, 0);
  return nanos;
}
double GetWord(size_t, uint64_t rounds) {
  uint64_t* const there = Words();
  const gex_TM_t tm = team;
  return OnRankZero(rounds, [=](uint64_t i) {
    uint64_t value;
    gex_RMA_GetBlocking(tm, &value, kPeer, &there[i % kLoopWords],
                        sizeof(value), 0);
    Use(value);
  });
}
double PutBytes(size_t size, uint64_t rounds) {
  return OnRankZero(rounds, [=](uint64_t) {
    gex_RMA_PutBlocking(team, kPeer, DataOf(kPeer), PrivateBuffer(), size, 0);
  });
}
double PutWithEvents(size_t size, uint64_t rounds) {
  return OnRankZero(rounds, [=](uint64_t) {
    gex_Event_t events[2];
    events[0] = gex_RMA_PutNB(team, kPeer, DataOf(kPeer), PrivateBuffer(), size,
                              &events[1], 0);
    gex_Event_WaitAll(events, 2, 0);
  });
}
double PutAndWait(size_t size, uint64_t rounds) {
  return OnRankZero(rounds, [=](uint64_t) {
    gasnet_wait_syncnb(
        gasnet_put_nb_bulk(kPeer, DataOf(kPeer), PrivateBuffer(), size));
  });
}

double FetchAndAdd(size_t, uint64_t rounds) {
  uint64_t* const there = Words();
  return OnRankZero(rounds, [=](uint64_t) {
    int64_t old;
    const gex_Event_t event =
        gex_AD_OpNB_I64(domain, &old, kPeer, there, GEX_OP_FADD, 1, 0, 0);
    if (gex_Event_Test(event) != 0) gex_Event_Wait(event);
    Use(old);
  });
}
// Calls gex_Event_Wait for each operation. This call serves the network even if
// the operation is already complete.
double FetchAndAddWithWait(size_t, uint64_t rounds) {
  uint64_t* const there = Words();
  return OnRankZero(rounds, [=](uint64_t) {
    int64_t old;
    gex_Event_Wait(
        gex_AD_OpNB_I64(domain, &old, kPeer, there, GEX_OP_FADD, 1, 0, 0));
    Use(old);
  });
}
double LockedAdd(size_t, uint64_t rounds) {
  static std::atomic<int64_t> word{0};
  return OnRankZero(rounds, [](uint64_t) { Use(word.fetch_add(1)); });
}

double Barriers(size_t, uint64_t rounds) {
  Barrier();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) {
    gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  }
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

constexpr Limit kShortLimit = {"gasnet_AMRequestShort", ShortRoundTrip};
constexpr Limit kMediumLimit = {"gasnet_AMRequestMedium", MediumRoundTrip};
constexpr Limit kShortFloodLimit = {"gasnet_AMRequestShort", ShortFlood};
constexpr Limit kMediumFloodLimit = {"gasnet_AMRequestMedium", MediumFlood};
constexpr Limit kOutsideLimit = {"gex_AM_RequestMedium", MadeOutside};
constexpr Limit kPutLimit = {"gasnet_put", PutConstant};
constexpr Limit kPutsLimit = {"gasnet_put_nbi", PutManyConstant};
constexpr Limit kGetLimit = {"gasnet_get", GetConstant};
constexpr Limit kPutBulkLimit = {"gasnet_put_bulk", Put};
constexpr Limit kPutNbLimit = {"gasnet_put_nb_bulk", PutAndWait};
constexpr Limit kBarrierLimit = {"gasnet_barrier", OneBarrier};
constexpr Limit kAddLimit = {"a locked add", LockedAdd};

constexpr double kAsFast = 1.02;
const Row kRows[] = {
    {"gex Short there and back", 0, ShortThereAndBack, kShortLimit, kAsFast},
    {"gex Medium there and back", 512, MediumThereAndBack, kMediumLimit,
     kAsFast},
    {"gex flood of Shorts, each", 0, ManyShorts, kShortFloodLimit, kAsFast},
    {"gex flood of Mediums, each", 8, ManyMediums, kMediumFloodLimit, kAsFast},
    {"gex prepared Medium, each", size_t{64} << 10, MadeInPlace, kOutsideLimit,
     0.8},
    {"gex put, constant size", 8, PutWord, kPutLimit, kAsFast},
    {"gex put, implicit, constant size", 8, PutWords, kPutsLimit, kAsFast},
    {"gex get, constant size", 8, GetWord, kGetLimit, kAsFast},
    {"gex put", 4096, PutBytes, kPutBulkLimit, kAsFast},
    {"gex put with two events", 4096, PutWithEvents, kPutNbLimit, 1.1},
    {"gex fetch and add", 8, FetchAndAdd, kAddLimit, 1.3},
    {"gex fetch and add, waited for", 8, FetchAndAddWithWait, kAddLimit, 1.3},
    {"gex barrier", 0, Barriers, kBarrierLimit, kAsFast},
};

// Makes the objects that the rows use. Collective.
void Prepare() {
  gex_EP_t endpoint;
  gasnet_QueryGexObjects(nullptr, &endpoint, &team, nullptr);
  gex_EP_RegisterHandlers(endpoint, table, sizeof(table) / sizeof(table[0]));
  gex_AD_Create(&domain, team, GEX_DT_I64, GEX_OP_FADD, 0);
  Barrier();
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  HandlerTable handlers;
  AddRoundTripHandlers(handlers);
  AddFloodHandlers(handlers);
  const Options options = StartRanks(argc, argv, handlers, 2);
  Prepare();
  MeasureRows(kRows, options);
}
