// Puts, gets, atomics and transfers in pieces with GEX_FLAG_IMMEDIATE. A call
// that would have to wait does nothing, and reports this at once. Each
// operation that is started happens once (GASNet-EX, section 2.6).
//
// There is a round for each kind of operation. The first process starts
// operations until one is refused, while the last process serves nothing. The
// last process learns out of band when to begin and end serving. While the last
// process serves, every call succeeds in the end. Transfers of mapped memory
// are never refused.
#include <gasnet_vis.h>
#include <sched.h>
#include <string.h>

#include <functional>
#include <memory>
#include <vector>

#include "conformance/ex/atomic_data.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

// Out-of-band words. Each holds the last round in which the last process serves
// nothing (kQuiet), may begin to serve (kGo), or learned of the end (kOver).
enum Words { kQuiet, kGo, kOver };

constexpr int kMax = 1 << 15;  // one of this many calls must be refused
constexpr int kCounted = 64;   // calls of a kind that have their own slot
constexpr size_t kSlot = 4096;
constexpr size_t kLarge = 600'000;  // more bytes than any conduit has room for
constexpr size_t kWords = 4096;     // bytes for the targets of atomics
// bytes of a piece; pieces lie twice as far apart
constexpr size_t kPiece = 24;
constexpr size_t kPieces = kSlot / kPiece / 2;

gex_Rank_t Last() { return ex.size - 1; }
char* There() { return BaseOf(Last()); }

// Bytes of memory for one kind, on each side: the slots, and one large block.
constexpr size_t kOfKind = kCounted * kSlot + kLarge;

// The result of one call.
struct Started {
  bool refused;
  gex_Event_t event = GEX_EVENT_INVALID;
};
Started ByEvent(gex_Event_t event) { return {event == GEX_EVENT_NO_OP, event}; }
Started ByCode(int code) { return {code != 0}; }

// A kind of call, with its own memory. `here` and `there` are the local and the
// remote address of the call's slot.
struct Kind {
  bool puts;
  size_t bytes;  // bytes that a call moves from the start of its slot
  bool in_pieces;
  std::function<Started(char* there, char* here)> start;
};

constexpr gex_Flags_t kNow = GEX_FLAG_IMMEDIATE;

struct Pieces {
  explicit Pieces(char* base) {
    for (size_t i = 0; i < kPieces; ++i) {
      list[i] = base + 2 * i * kPiece;
      entries[i] = {list[i], kPiece};
    }
  }
  void* list[kPieces];
  gex_Memvec_t entries[kPieces];
};
// Lists of pieces. They must stay valid until the transfers are complete.
std::vector<std::unique_ptr<Pieces>> kept;
Pieces& Keep(char* base) {
  kept.push_back(std::make_unique<Pieces>(base));
  return *kept.back();
}

const ptrdiff_t kStride[] = {2 * kPiece};
const size_t kCount[] = {kPieces};

// Returns the bytes at `here` as a value.
gex_RMA_Value_t ValueAt(const char* here) {
  gex_RMA_Value_t value;
  memcpy(&value, here, sizeof value);
  return value;
}

std::vector<Kind> Kinds() {
  const auto put_nb = [](size_t bytes, gex_Event_t* lc_opt) {
    return [=](char* there, char* here) {
      return ByEvent(
          gex_RMA_PutNB(ex.tm, Last(), there, here, bytes, lc_opt, kNow));
    };
  };
  const auto put_nbi = [](size_t bytes, gex_Event_t* lc_opt) {
    return [=](char* there, char* here) {
      return ByCode(
          gex_RMA_PutNBI(ex.tm, Last(), there, here, bytes, lc_opt, kNow));
    };
  };
  const auto get_nb = [](size_t bytes) {
    return [=](char* there, char* here) {
      return ByEvent(gex_RMA_GetNB(ex.tm, here, Last(), there, bytes, kNow));
    };
  };
  const auto get_nbi = [](size_t bytes) {
    return [=](char* there, char* here) {
      return ByCode(gex_RMA_GetNBI(ex.tm, here, Last(), there, bytes, kNow));
    };
  };
  return {
      {true, kLarge, false, put_nb(kLarge, GEX_EVENT_DEFER)},
      {true, kLarge, false, put_nbi(kLarge, GEX_EVENT_GROUP)},
      {false, kLarge, false, get_nb(kLarge)},
      {false, kLarge, false, get_nbi(kLarge)},
      {true, 8, false, put_nb(8, GEX_EVENT_DEFER)},
      {true, 700, false, put_nb(700, GEX_EVENT_DEFER)},
      {true, kSlot, false, put_nb(kSlot, GEX_EVENT_DEFER)},
      {true, 700, false, put_nbi(700, GEX_EVENT_DEFER)},
      {true, 8, false,
       [](char* there, char* here) {
         return ByEvent(
             gex_RMA_PutNBVal(ex.tm, Last(), there, ValueAt(here), 8, kNow));
       }},
      {true, 8, false,
       [](char* there, char* here) {
         return ByCode(
             gex_RMA_PutNBIVal(ex.tm, Last(), there, ValueAt(here), 8, kNow));
       }},
      {false, 8, false, get_nb(8)},
      {false, kSlot, false, get_nb(kSlot)},
      {false, 700, false, get_nbi(700)},
      {true, kSlot, true,
       [](char* there, char* here) {
         return ByEvent(gex_VIS_StridedPutNB(ex.tm, Last(), there, kStride,
                                             here, kStride, kPiece, kCount, 1,
                                             kNow));
       }},
      {true, kSlot, true,
       [](char* there, char* here) {
         Pieces& to = Keep(there);
         Pieces& from = Keep(here);
         return ByCode(gex_VIS_VectorPutNBI(ex.tm, Last(), kPieces, to.entries,
                                            kPieces, from.entries, kNow));
       }},
      {true, kSlot, true,
       [](char* there, char* here) {
         Pieces& to = Keep(there);
         Pieces& from = Keep(here);
         return ByEvent(gex_VIS_IndexedPutNB(ex.tm, Last(), kPieces, to.list,
                                             kPiece, kPieces, from.list, kPiece,
                                             kNow));
       }},
      {false, kSlot, true,
       [](char* there, char* here) {
         return ByCode(gex_VIS_StridedGetNBI(ex.tm, here, kStride, Last(),
                                             there, kStride, kPiece, kCount, 1,
                                             kNow));
       }},
      {false, kSlot, true,
       [](char* there, char* here) {
         Pieces& to = Keep(here);
         Pieces& from = Keep(there);
         return ByEvent(gex_VIS_VectorGetNB(ex.tm, kPieces, to.entries, Last(),
                                            kPieces, from.entries, kNow));
       }},
      {false, kSlot, true,
       [](char* there, char* here) {
         Pieces& to = Keep(here);
         Pieces& from = Keep(there);
         return ByCode(gex_VIS_IndexedGetNBI(ex.tm, kPieces, to.list, kPiece,
                                             Last(), kPieces, from.list, kPiece,
                                             kNow));
       }},
  };
}

// A flood of calls of one kind. The first calls have their own slots. All later
// calls share the last slot and its data.
class Flood {
 public:
  Flood(size_t number, const Kind& kind, char* memory)
      : kind_(kind),
        here_(memory),
        there_(There() + kWords + number * kOfKind),
        key_(static_cast<uint32_t>(number + 1)) {
    FillPattern(here_, kOfKind, kind.puts ? key_ : 0);
  }

  // Starts a call. Returns true if it was refused.
  bool Start() {
    const size_t at = std::min(accepted_, kCounted - 1) * kSlot;
    const Started started = kind_.start(there_ + at, here_ + at);
    if (started.refused) return true;
    ++accepted_;
    events_.push_back(started.event);
    return false;
  }
  // Starts calls until one is refused, but at most `most` calls. If the memory
  // is mapped, checks that no call is refused.
  void StartUntilRefused(bool mapped) {
    const int most = mapped ? 2 * kCounted : kMax;
    while (accepted_ < most && !Start()) {
    }
    if (mapped) CHECK_EQ(accepted_, most);
  }
  void Retry() {
    for (int i = 0; i < kCounted; ++i) {
      while (Start()) CHECK_OK(gasnet_AMPoll());
    }
  }

  void Check() {
    gex_Event_WaitAll(events_.data(), events_.size(), 0);
    gex_NBI_Wait(GEX_EC_ALL, 0);
    std::vector<char> got(kOfKind), expected(kOfKind);
    if (kind_.puts) {
      CHECK_EQ(
          gex_RMA_GetBlocking(ex.tm, got.data(), Last(), there_, kOfKind, 0),
          0);
      Spread(expected.data(), here_);
    } else {
      memcpy(got.data(), here_, kOfKind);
      FillPattern(expected.data(), kOfKind, 0);
      std::vector<char> source(kOfKind);
      FillPattern(source.data(), kOfKind, key_);
      Spread(expected.data(), source.data());
    }
    CHECK_EQ(memcmp(got.data(), expected.data(), kOfKind), 0);
  }

 private:
  // Copies the data that the accepted calls must have moved.
  void Spread(char* to, const char* from) const {
    for (int i = 0; i < std::min(accepted_, kCounted); ++i) {
      const size_t at = static_cast<size_t>(i) * kSlot;
      if (!kind_.in_pieces) {
        memcpy(to + at, from + at, kind_.bytes);
        continue;
      }
      for (size_t piece = 0; piece < kPieces; ++piece) {
        memcpy(to + at + 2 * piece * kPiece, from + at + 2 * piece * kPiece,
               kPiece);
      }
    }
  }

  const Kind& kind_;
  char* const here_;
  char* const there_;
  const uint32_t key_;
  int accepted_ = 0;
  std::vector<gex_Event_t> events_;
};

// A flood of atomics. Their target counts the operations that were performed.
class Counter {
 public:
  explicit Counter(gex_AD_t ad) : ad_(ad) {}

  bool Start() {
    const bool implicit = started_ % 2 != 0;
    int64_t* const result = &results_[static_cast<size_t>(started_)];
    gex_Event_t event = GEX_EVENT_INVALID;
    if (implicit) {
      if (gex_AD_OpNBI_I64(ad_, nullptr, Last(), There(), GEX_OP_ADD, 1, 0,
                           kNow) != 0)
        return true;
    } else {
      event = gex_AD_OpNB_I64(ad_, result, Last(), There(), GEX_OP_FADD, 1, 0,
                              kNow);
      if (event == GEX_EVENT_NO_OP) return true;
    }
    events_.push_back(event);
    ++started_;
    return false;
  }
  void StartUntilRefused(bool mapped) {
    while (started_ < kMax && !Start()) {
    }
    CHECK_EQ(started_ == kMax, mapped);
  }
  void Retry() {
    for (int i = 0; i < 1000; ++i) {
      while (Start()) CHECK_OK(gasnet_AMPoll());
    }
  }
  void Check() {
    gex_Event_WaitAll(events_.data(), events_.size(), 0);
    gex_NBI_Wait(GEX_EC_RMW, 0);
    int64_t total = 0;
    gex_Event_Wait(
        gex_AD_OpNB_I64(ad_, &total, Last(), There(), GEX_OP_GET, 0, 0, 0));
    CHECK_EQ(total, started_);
  }

 private:
  const gex_AD_t ad_;
  int started_ = 0;
  std::vector<int64_t> results_ = std::vector<int64_t>(kMax + 1001);
  std::vector<gex_Event_t> events_;
};

// Tries blocking calls while the peer serves. A blocking call is complete when
// it returns.
void TryBlocking() {
  char* const there = There() + 2048;
  for (int i = 1; i <= 200; ++i) {
    char source[1000], got[1000];
    FillPattern(source, sizeof source, static_cast<uint32_t>(i));
    while (gex_RMA_PutBlocking(ex.tm, Last(), there, source, sizeof source,
                               kNow) != 0) {
      CHECK_OK(gasnet_AMPoll());
    }
    while (gex_RMA_PutBlockingVal(ex.tm, Last(), there + 8, 77, 1, kNow) != 0)
      CHECK_OK(gasnet_AMPoll());
    while (gex_VIS_StridedPutBlocking(ex.tm, Last(), there + 16, kStride,
                                      source + 500, kStride, kPiece, kCount, 0,
                                      kNow) != 0) {
      CHECK_OK(gasnet_AMPoll());
    }
    while (gex_RMA_GetBlocking(ex.tm, got, Last(), there, sizeof got, kNow) !=
           0) {
      CHECK_OK(gasnet_AMPoll());
    }
    memcpy(source + 16, source + 500, kPiece);
    source[8] = 77;
    CHECK_EQ(memcmp(source, got, sizeof got), 0);
    CHECK_EQ(gex_RMA_GetBlockingVal(ex.tm, Last(), there + 8, 1, kNow), 77);
  }
}

bool IsMapped() {
  void* local = nullptr;
  uintptr_t bytes = 0;
  gex_Event_Wait(
      gex_EP_QueryBoundSegmentNB(ex.tm, Last(), nullptr, &local, &bytes, 0));
  return local != nullptr;
}

// Runs all rounds on the last process: serves only when the first process
// allows it.
void Serve(uint32_t rounds) {
  for (uint32_t round = 1; round <= rounds; ++round) {
    OutOfBand(kQuiet) = round;
    while (OutOfBand(kGo) < round) sched_yield();
    while (OutOfBand(kOver) < round) CHECK_OK(gasnet_AMPoll());
  }
}

// Runs one round on the first process.
template <class Calls>
void Run(uint32_t round, bool mapped, Calls&& calls) {
  while (OutOfBand(kQuiet) < round) sched_yield();
  calls.StartUntilRefused(mapped);
  OutOfBand(kGo) = round;
  calls.Retry();
  calls.Check();
  if (round == 1) TryBlocking();
  OutOfBand(kOver) = round;
}

void RunAll(gex_AD_t ad, const std::vector<Kind>& kinds) {
  const bool mapped = IsMapped();
  uint32_t round = 0;
  Run(++round, mapped, Counter(ad));
  std::vector<char> memory(kOfKind);
  for (size_t i = 0; i < kinds.size(); ++i)
    Run(++round, mapped, Flood(i, kinds[i], memory.data()));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  const std::vector<Kind> kinds = Kinds();
  StartExJob(&argc, &argv, kWords + kinds.size() * kOfKind);
  gex_AD_t ad;
  gex_AD_Create(&ad, ex.tm, GEX_DT_I64, GEX_OP_ADD | GEX_OP_FADD | GEX_OP_GET,
                0);
  char* const mine = BaseOf(ex.rank);
  memset(mine, 0, kWords);
  for (size_t i = 0; i < kinds.size(); ++i) {
    char* const of_kind = mine + kWords + i * kOfKind;
    // The memory of gets holds the data that gets fetch. The memory of puts is
    // 0, and must stay 0 where no put writes.
    memset(of_kind, 0, kOfKind);
    if (!kinds[i].puts)
      FillPattern(of_kind, kOfKind, static_cast<uint32_t>(i + 1));
  }
  Barrier();
  if (ex.rank == Last()) Serve(static_cast<uint32_t>(kinds.size() + 1));
  if (ex.rank == 0) RunAll(ad, kinds);
  Barrier();
  gex_AD_Destroy(ad);
  return FinishJob();
}
