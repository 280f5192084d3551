// If peers may reach all memory, there is no separate segment. Longs, puts and
// gets go to any address from the start (GASNet-EX, sections 5.1 and 7.2).
#include <string.h>

#include <algorithm>
#include <atomic>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kTell = 200, kLong };

constexpr size_t kBytes = 60000;

char block[kBytes];
std::atomic<char*> theirs{nullptr};
std::atomic<int> handled{0};

void OnTell(gex_Token_t, void* buffer, size_t bytes) {
  char* address;
  CHECK_EQ(bytes, sizeof address);
  memcpy(&address, buffer, bytes);
  theirs = address;
}
void OnLong(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t key) {
  CHECK(buffer == block + 1);
  CHECK_PATTERN(buffer, bytes, key);
  ++handled;
}

char out[kBytes], in[kBytes];

void Transfer(int round) {
  FillPattern(out, kBytes, round);
  const size_t bytes = std::min<size_t>(
      kBytes - 1, gex_AM_MaxRequestLong(tm, Next(), GEX_EVENT_NOW, 0, 1));
  CHECK_EQ(gex_AM_RequestLong1(tm, Next(), kLong, out, bytes, theirs.load() + 1,
                               GEX_EVENT_NOW, 0, round),
           0);
  GASNET_BLOCKUNTIL(handled == round);
  Barrier();
  FillPattern(out, kBytes, round + 50);
  CHECK_EQ(gex_RMA_PutBlocking(tm, Next(), theirs.load(), out, kBytes, 0), 0);
  Barrier();
  CHECK_PATTERN(block, kBytes, round + 50);
  CHECK_EQ(gex_RMA_GetBlocking(tm, in, Next(), theirs.load(), kBytes, 0), 0);
  CHECK_PATTERN(in, kBytes, round + 50);
  Barrier();
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kTell, OnTell, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  char* const address = block;
  CHECK_EQ(
      gex_AM_RequestMedium0(conformance::tm, (Me() + Size() - 1) % Size(),
                            kTell, &address, sizeof address, GEX_EVENT_NOW, 0),
      0);
  GASNET_BLOCKUNTIL(theirs != nullptr);
  Transfer(1);
  CHECK_OK(gex_Segment_Attach(&segment, conformance::tm, GASNET_PAGESIZE));
  CHECK(segment == GEX_SEGMENT_INVALID);
  Transfer(2);
  return FinishJob();
}
