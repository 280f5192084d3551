// With GASNET_UDP_PROGRESS=1 and GASNET_OFI_PROGRESS=1, atomics, puts and gets
// of GASNet-EX complete at processes of other hosts that compute and make no
// call. Each atomic is performed exactly once. Over udp and ofi the waits of
// process 0 would never end without these settings. Portals needs none.
#include <sched.h>
#include <string.h>

#include "conformance/ex/atomic_data.h"
#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

constexpr int kRounds = 10;
constexpr int kEach = 100;
constexpr size_t kBytes = 20000;

// The beginning of each segment.
struct Words {
  uint32_t gone;  // written by puts alone: the number of rounds that have ended
  uint32_t swapped;
  int64_t sum;
  double product;
  char area[kBytes];
};

Words* At(gex_Rank_t rank) { return reinterpret_cast<Words*>(segments[rank]); }

// Reads a word that a put may write at the same time. The thread sanitizer must
// not see the read, since nothing orders it with the put.
__attribute__((noinline, no_sanitize("thread"))) uint32_t Peek(
    const volatile uint32_t* word) {
  return *word;
}

// The domains of process 0's operations.
struct Domains {
  gex_AD_t sum;
  gex_AD_t swapped;
  gex_AD_t product;
};

Domains MakeDomains() {
  Domains made;
  gex_AD_Create(&made.sum, tm, GEX_DT_I64,
                GEX_OP_FADD | GEX_OP_ADD | GEX_OP_GET, 0);
  gex_AD_Create(&made.swapped, tm, GEX_DT_U32, GEX_OP_FCAS | GEX_OP_SET, 0);
  gex_AD_Create(&made.product, tm, GEX_DT_DBL, GEX_OP_FMULT, 0);
  return made;
}
void Destroy(const Domains& domains) {
  gex_AD_Destroy(domains.sum);
  gex_AD_Destroy(domains.swapped);
  gex_AD_Destroy(domains.product);
}

void OperateOn(gex_Rank_t rank, const Domains& domains, int round) {
  Words* const there = At(rank);
  int64_t sum = int64_t{round} * 3 * kEach;
  int64_t old = -1;
  for (int i = 0; i < kEach; ++i) {
    gex_Event_Wait(AtomicNb(domains.sum, &old, rank, &there->sum, GEX_OP_FADD,
                            int64_t{1}, int64_t{0}, 0));
    CHECK_EQ(old, sum + i);
  }
  for (int i = 0; i < kEach; ++i) {
    CHECK_EQ(AtomicNbi(domains.sum, static_cast<int64_t*>(nullptr), rank,
                       &there->sum, GEX_OP_ADD, int64_t{2}, int64_t{0}, 0),
             0);
  }
  gex_NBI_Wait(GEX_EC_ALL, 0);
  sum += 3 * kEach;
  gex_Event_Wait(AtomicNb(domains.sum, &old, rank, &there->sum, GEX_OP_GET,
                          int64_t{0}, int64_t{0}, 0));
  CHECK_EQ(old, sum);

  const auto key = static_cast<uint32_t>(round);
  uint32_t found = 0;
  gex_Event_Wait(AtomicNb(domains.swapped, &found, rank, &there->swapped,
                          GEX_OP_FCAS, key, key + 100, 0));
  CHECK_EQ(found, key);
  gex_Event_Wait(AtomicNb(domains.swapped, static_cast<uint32_t*>(nullptr),
                          rank, &there->swapped, GEX_OP_SET, key + 1, 0u, 0));
  double product = 0;
  gex_Event_Wait(AtomicNb(domains.product, &product, rank, &there->product,
                          GEX_OP_FMULT, 2.0, 0.0, 0));
  CHECK_EQ(product, static_cast<double>(uint64_t{1} << round));
}

void Transfer(gex_Rank_t rank, int round) {
  char source[kBytes];
  char got[kBytes];
  FillPattern(source, kBytes, static_cast<uint32_t>(round));
  CHECK_EQ(gex_RMA_PutBlocking(tm, rank, At(rank)->area, source, kBytes, 0), 0);
  CHECK_EQ(gex_RMA_GetBlocking(tm, got, rank, At(rank)->area, kBytes, 0), 0);
  CHECK_PATTERN(got, kBytes, static_cast<uint32_t>(round));
}

void RunRound(const Domains& domains, int round) {
  const auto reached = static_cast<uint32_t>(round) + 1;
  if (Me() == 0) {
    for (gex_Rank_t rank = 1; rank < Size(); ++rank) {
      OperateOn(rank, domains, round);
      Transfer(rank, round);
      CHECK_EQ(gex_RMA_PutBlockingVal(tm, rank, &At(rank)->gone, reached,
                                      sizeof reached, 0),
               0);
    }
  } else {
    while (Peek(&At(Me())->gone) < reached) sched_yield();
  }
  Barrier();
  if (Me() == 0) return;
  CHECK_EQ(At(Me())->sum, int64_t{round + 1} * 3 * kEach);
  CHECK_EQ(At(Me())->swapped, reached);
  CHECK_EQ(At(Me())->product, static_cast<double>(uint64_t{2} << round));
  CHECK_PATTERN(At(Me())->area, kBytes, static_cast<uint32_t>(round));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT: the whole program is in there
  StartEx(&argc, &argv, nullptr, 0, sizeof(Words));
  *At(Me()) = {};
  At(Me())->product = 1;
  Barrier();
  const Domains domains = MakeDomains();
  for (int round = 0; round < kRounds; ++round) {
    RunRound(domains, round);
    Barrier();
  }
  Destroy(domains);
  return FinishJob();
}
