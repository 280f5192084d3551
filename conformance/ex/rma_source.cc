// Tests when the source of a put may change. Tests each value of lc_opt, with
// sources in the client's memory and in the segment (GASNet-EX, section 2.7).
#include <string.h>

#include <initializer_list>
#include <memory>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 70000;
constexpr size_t kSlot = 70016;

// The way in which the client waits until a source is free: the function,
// lc_opt, and what is synced.
enum class Way {
  kNow,            // PutNB, NOW
  kLeafFirst,      // PutNB, an event: the leaf, then the root
  kRootAlone,      // PutNB, an event: only the root
  kLeafTested,     // PutNB, an event: the leaf by tests, then the root
  kDefer,          // PutNB, DEFER: the root
  kImplicitNow,    // PutNBI, NOW
  kImplicitDefer,  // PutNBI, DEFER: GEX_EC_PUT
  kGroup,          // PutNBI, GROUP: GEX_EC_LC, then GEX_EC_PUT
  kGroupPut,       // PutNBI, GROUP: GEX_EC_PUT, which includes GEX_EC_LC
  kGroupAll,       // PutNBI, GROUP: GEX_EC_ALL
};
constexpr int kWays = static_cast<int>(Way::kGroupAll) + 1;

alignas(64) char elsewhere[kLargest];
alignas(64) char copy[kLargest];

char* Slot(gex_Rank_t owner, int way) {
  return BaseOf(owner) + (ex.rank * kWays + way) * kSlot;
}

// One put of each way, all from one source. The source is overwritten as soon
// as each put permits it.
class Puts {
 public:
  Puts(gex_Rank_t peer, char* source, size_t bytes)
      : peer_(peer), source_(source), bytes_(bytes) {}

  // Starts a put, waits until its source is free, and overwrites the source.
  // SyncRest syncs the rest of the put.
  void Start(Way way) {
    const int number = static_cast<int>(way);
    FillPattern(source_, bytes_, KeyOf(number));
    gex_Event_t leaf = GEX_EVENT_NO_OP;
    switch (way) {
      case Way::kNow:
        roots_[number] = PutNb(number, GEX_EVENT_NOW);
        break;
      case Way::kLeafFirst:
        roots_[number] = PutNb(number, &leaf);
        CHECK(leaf != GEX_EVENT_NO_OP);
        gex_Event_Wait(leaf);
        break;
      case Way::kLeafTested:
        roots_[number] = PutNb(number, &leaf);
        CHECK(leaf != GEX_EVENT_NO_OP);
        while (gex_Event_Test(leaf) != 0) CHECK_OK(gasnet_AMPoll());
        break;
      case Way::kRootAlone:
        gex_Event_Wait(PutNb(number, &leaf));
        break;
      case Way::kDefer:
        gex_Event_Wait(PutNb(number, GEX_EVENT_DEFER));
        break;
      case Way::kImplicitNow:
        PutNbi(number, GEX_EVENT_NOW);
        break;
      case Way::kImplicitDefer:
        PutNbi(number, GEX_EVENT_DEFER);
        gex_NBI_Wait(GEX_EC_PUT, 0);
        break;
      case Way::kGroup:
        PutNbi(number, GEX_EVENT_GROUP);
        gex_NBI_Wait(GEX_EC_LC, 0);
        break;
      case Way::kGroupPut:
        PutNbi(number, GEX_EVENT_GROUP);
        gex_NBI_Wait(GEX_EC_PUT, 0);
        break;
      case Way::kGroupAll:
        PutNbi(number, GEX_EVENT_GROUP);
        while (gex_NBI_Test(GEX_EC_ALL, 0) != 0) CHECK_OK(gasnet_AMPoll());
        break;
    }
    memset(source_, 0xDD, bytes_);
  }

  void SyncRest() {
    gex_Event_WaitAll(roots_, kWays, 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
  }

  void Check() {
    for (int way = 0; way < kWays; ++way) {
      CHECK_EQ(
          gex_RMA_GetBlocking(ex.tm, copy, peer_, Slot(peer_, way), bytes_, 0),
          0);
      CHECK_PATTERN(copy, bytes_, KeyOf(way));
    }
  }

 private:
  uint32_t KeyOf(int way) const {
    return static_cast<uint32_t>(bytes_) * kWays + way + peer_;
  }
  gex_Event_t PutNb(int way, gex_Event_t* lc_opt) {
    return gex_RMA_PutNB(ex.tm, peer_, Slot(peer_, way), source_, bytes_,
                         lc_opt, 0);
  }
  void PutNbi(int way, gex_Event_t* lc_opt) {
    CHECK_EQ(gex_RMA_PutNBI(ex.tm, peer_, Slot(peer_, way), source_, bytes_,
                            lc_opt, 0),
             0);
  }

  gex_Rank_t peer_;
  char* source_;
  size_t bytes_;
  gex_Event_t roots_[kWays] = {};
};

// Tests the ways in one order. A second call uses the reverse order. So each
// way is tested while other puts are under way.
void Test(gex_Rank_t peer, char* source, size_t bytes, bool forwards) {
  Puts puts(peer, source, bytes);
  for (int i = 0; i < kWays; ++i) {
    puts.Start(static_cast<Way>(forwards ? i : kWays - 1 - i));
  }
  puts.SyncRest();
  puts.Check();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 3 * kWays * kSlot + kSlot);
  char* const in_segment = BaseOf(ex.rank) + 3 * kWays * kSlot;
  for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
    for (char* source : {elsewhere, in_segment}) {
      for (size_t n = 1; n <= kLargest; n = NextSize(n, kLargest)) {
        Test(peer, source, n, n % 2 == 0);
      }
    }
  }
  return FinishJob();
}
