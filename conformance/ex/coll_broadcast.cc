// Broadcasts with every root, many sizes and any alignment, and in place on the
// root. Only the destination changes, and only the root reads the source
// (GASNet-EX, section 16.3).
#include <string.h>

#include <initializer_list>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 100000;
constexpr size_t kGuard = 32;
constexpr int kGuardByte = 0xA5;

char source[kLargest + 2 * kGuard];
char destination[kLargest + 2 * kGuard];
uint32_t key = 0;

enum class Place { kApart, kInPlace, kInSegment };

void Test(gex_TM_t tm, gex_Rank_t root, size_t bytes, Place place) {
  ++key;
  const bool is_root = gex_TM_QueryRank(tm) == root;
  // Each member uses a different alignment.
  const size_t shift = (bytes + ex.rank * 3 + key) % 8;
  char* const block = place == Place::kInSegment
                          ? BaseOf(ex.rank)
                          : static_cast<char*>(destination);
  char* const to = block + kGuard / 2 + shift;
  char* const from = is_root && place == Place::kInPlace ? to : source + shift;
  memset(block, kGuardByte, bytes + 2 * kGuard);
  FillPattern(from, bytes, is_root ? key : ~key);
  const gex_Event_t event = gex_Coll_BroadcastNB(
      tm, root, to, is_root || key % 2 == 0 ? from : nullptr, bytes, 0);
  CHECK(event != GEX_EVENT_NO_OP);
  gex_Event_Wait(event);
  CHECK_PATTERN(to, bytes, key);
  CHECK_BYTES(block, to - block, kGuardByte);
  CHECK_BYTES(to + bytes, block + bytes + 2 * kGuard - (to + bytes),
              kGuardByte);
  // This member may now reuse its source, even if other members have not
  // finished.
  if (from != to) {
    CHECK_PATTERN(from, bytes, is_root ? key : ~key);
    memset(from, 0xDD, bytes);
  } else {
    memset(to, 0xDD, bytes);
  }
}

void TestTeam(gex_TM_t tm) {
  for (gex_Rank_t root = 0; root < gex_TM_QuerySize(tm); ++root) {
    for (Place place : {Place::kApart, Place::kInPlace, Place::kInSegment}) {
      for (size_t n = 0; n <= kLargest; n = NextSize(n, kLargest)) {
        Test(tm, root, n, place);
      }
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, kLargest + 2 * kGuard);
  TestTeam(ex.tm);
  gex_TM_t reversed = GEX_TM_INVALID;
  gex_TM_Split(&reversed, ex.tm, 0, -static_cast<int>(ex.rank), nullptr, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  TestTeam(reversed);
  gex_TM_Destroy(reversed, nullptr, 0);
  return FinishJob();
}
