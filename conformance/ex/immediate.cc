// With GEX_FLAG_IMMEDIATE, a message that would have to wait is not sent, and
// the call reports this at once. Sent messages arrive exactly once. Refused
// messages never arrive (GASNet-EX, section 2.6). The first process sends until
// a message is refused, while the last process serves nothing. The last process
// learns out of band when to begin serving.
#include <sched.h>
#include <string.h>

#include <atomic>
#include <memory>

#include "conformance/ex/ex_harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kShort = 200, kMedium, kLong, kEnd };
enum Words { kQuiet, kGo };

// one of this many messages in a row must be refused
constexpr int kMax = 1 << 17;
constexpr size_t kBytes = 1500;  // less than any conduit's largest Medium
constexpr size_t kSlots = 512;

std::unique_ptr<std::atomic<bool>[]> seen;
std::atomic<int> arrived{0}, ended{-1};

void TickOff(gex_AM_Arg_t number) {
  CHECK(number >= 0 && number < 4 * kMax);
  CHECK(!seen[number].exchange(true));
  ++arrived;
}
void OnShort(gex_Token_t, gex_AM_Arg_t number) { TickOff(number); }
void OnMedium(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t number) {
  CHECK_EQ(bytes, kBytes);
  CHECK_PATTERN(buffer, bytes, number % 7);
  TickOff(number);
}
void OnLong(gex_Token_t, void*, size_t bytes, gex_AM_Arg_t number) {
  CHECK_EQ(bytes, kBytes);
  TickOff(number);
}
void OnEnd(gex_Token_t, gex_AM_Arg_t count) { ended = count; }

gex_Rank_t Last() { return Size() - 1; }

int accepted = 0;
int number = 0;

// SendShort and the functions below each send a message, and then overwrite the
// message's source. They return 0 if the message was sent.
int SendShort() {
  return gex_AM_RequestShort1(tm, Last(), kShort, GEX_FLAG_IMMEDIATE, number);
}
char source[kBytes];
int SendMedium() {
  FillPattern(source, kBytes, number % 7);
  gex_Event_t event = GEX_EVENT_NO_OP;
  gex_Event_t* const lc_opt = number % 3 == 0   ? GEX_EVENT_NOW
                              : number % 3 == 1 ? GEX_EVENT_GROUP
                                                : &event;
  const int refused = gex_AM_RequestMedium1(tm, Last(), kMedium, source, kBytes,
                                            lc_opt, GEX_FLAG_IMMEDIATE, number);
  if (refused == 0 && number % 3 == 2) gex_Event_Wait(event);
  memset(source, 0xEE, kBytes);
  return refused;
}
int SendLong() {
  return gex_AM_RequestLong1(tm, Last(), kLong, source, kBytes,
                             SegmentOf(Last()) + number % kSlots * kBytes,
                             GEX_EVENT_NOW, GEX_FLAG_IMMEDIATE, number);
}
int SendPrepared() {
  const gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(
      tm, Last(), nullptr, kBytes, kBytes, nullptr, GEX_FLAG_IMMEDIATE, 1);
  if (sd == GEX_AM_SRCDESC_NO_OP) return 1;
  FillPattern(gex_AM_SrcDescAddr(sd), kBytes, number % 7);
  const int refused = gex_AM_CommitRequestMedium1_v2(
      sd, kMedium, kBytes, GEX_FLAG_IMMEDIATE, number);
  if (refused != 0) {
    CHECK_EQ(gex_AM_SrcDescSize(sd), kBytes);
    CHECK_PATTERN(gex_AM_SrcDescAddr(sd), kBytes, number % 7);
    CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
  }
  return refused;
}

// Sends until a message is refused. Fails if the library accepts messages
// forever.
void Burst(int (*send)()) {
  for (int in_row = 0; in_row < kMax; ++in_row) {
    const int refused = send();
    if (refused != 0) return;
    ++accepted;
    ++number;
  }
  CHECK(!"an IMMEDIATE message refused");
}

void AwaitWord(Words word) {
  while (OutOfBand(word) == 0) sched_yield();
}

void Serve() {
  OutOfBand(kQuiet) = 1;
  AwaitWord(kGo);
  GASNET_BLOCKUNTIL(ended >= 0 && arrived == ended);
  // Checks that no message arrives late.
  for (int i = 0; i < 1000; ++i) CHECK_OK(gasnet_AMPoll());
  CHECK_EQ(arrived, ended);
}

void SendAll() {
  AwaitWord(kQuiet);
  Burst(SendMedium);
  Burst(SendPrepared);
  Burst(SendLong);
  Burst(SendShort);
  OutOfBand(kGo) = 1;
  // This message is sent without GEX_FLAG_IMMEDIATE. The call waits until there
  // is room.
  CHECK_EQ(gex_AM_RequestShort1(tm, Last(), kEnd, 0, accepted), 0);
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kShort, OnShort, GEX_FLAG_AM_SHORT | kRequest, 1),
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | kRequest, 1),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | kRequest, 1),
    EX_HANDLER(kEnd, OnEnd, GEX_FLAG_AM_SHORT | kRequest, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  seen = std::make_unique<std::atomic<bool>[]>(4 * kMax);
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), kSlots * kBytes);
  Barrier();
  if (Me() == Last()) Serve();
  if (Me() == 0) SendAll();
  return FinishJob();
}
