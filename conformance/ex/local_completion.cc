// The source of a message may be reused at once, when the thread's implicit
// operations or those of an access region complete, or when an event completes.
// Any thread may sync the event. Many messages are under way (GASNet-EX,
// sections 2.4, 2.7, 10.3 and 10.4).
#include <string.h>

#include <atomic>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kMedium = 200, kLong, kReply };

constexpr int kMessages = 60;
constexpr size_t kBytes = 1500;

std::atomic<int> arrived{0}, replied{0};
std::atomic<bool> seen[2 * kMessages];
char sources[kMessages][kBytes];
gex_Event_t events[kMessages];
gex_Event_t reply_events[kMessages];
char reply_sources[kMessages][kBytes];
std::atomic<int> reply_events_made{0};

void CheckPayload(const void* buffer, size_t bytes, gex_AM_Arg_t number) {
  CHECK_EQ(bytes, kBytes);
  CHECK_PATTERN(buffer, bytes, number);
}

// Replies to requests with odd numbers. Each reply's source has an event.
// Requests may be handled as soon as they are sent.
void OnRequest(gex_Token_t token, void* buffer, size_t bytes,
               gex_AM_Arg_t number) {
  CheckPayload(buffer, bytes, number);
  if (number % 2 != 0) {
    const int slot = number / 2;
    memcpy(reply_sources[slot], buffer, bytes);
    reply_events[slot] = GEX_EVENT_NO_OP;
    CHECK_EQ(gex_AM_ReplyMedium1(token, kReply, reply_sources[slot], bytes,
                                 &reply_events[slot], 0, number),
             0);
    CHECK(reply_events[slot] != GEX_EVENT_NO_OP);
    ++reply_events_made;
  }
  CHECK(!seen[number].exchange(true));
  ++arrived;
}
void OnReply(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t number) {
  CheckPayload(buffer, bytes, number);
  ++replied;
}

void Send(int number, gex_Event_t* lc_opt) {
  char* const source = sources[number];
  FillPattern(source, kBytes, number);
  CHECK_EQ(number % 3 == 0
               ? gex_AM_RequestLong1(tm, Next(), kLong, source, kBytes,
                                     SegmentOf(Next()) + number * kBytes,
                                     lc_opt, 0, number)
               : gex_AM_RequestMedium1(tm, Next(), kMedium, source, kBytes,
                                       lc_opt, 0, number),
           0);
}

void SpoilSources() { memset(sources, 0xEE, sizeof sources); }

void AwaitArrival() {
  GASNET_BLOCKUNTIL(arrived == kMessages && replied == kMessages / 2);
  // The handlers made the events on one thread. Another thread syncs them.
  RunThreads(1, [](int) {
    CHECK_EQ(reply_events_made, kMessages / 2);
    gex_Event_WaitAll(reply_events, kMessages / 2, 0);
    for (int i = 0; i < kMessages / 2; ++i) {
      CHECK(reply_events[i] == GEX_EVENT_INVALID);
    }
  });
  Barrier();
  arrived = replied = reply_events_made = 0;
  for (std::atomic<bool>& one : seen) one = false;
  Barrier();
}

void Now() {
  for (int i = 0; i < kMessages; ++i) {
    Send(i, GEX_EVENT_NOW);
    memset(sources[i], 0xEE, kBytes);
  }
  AwaitArrival();
}
void Group() {
  for (int i = 0; i < kMessages; ++i) Send(i, GEX_EVENT_GROUP);
  gex_NBI_Wait(GEX_EC_AM, 0);
  CHECK_EQ(gex_NBI_Test(GEX_EC_AM, 0), 0);
  SpoilSources();
  AwaitArrival();
}
void Region() {
  gex_NBI_BeginAccessRegion(0);
  for (int i = 0; i < kMessages; ++i) Send(i, GEX_EVENT_GROUP);
  gex_Event_Wait(gex_NBI_EndAccessRegion(0));
  SpoilSources();
  AwaitArrival();
}
void OtherThread() {
  RunThreads(1, [](int) {
    for (int i = 0; i < kMessages; ++i) {
      events[i] = GEX_EVENT_NO_OP;
      Send(i, &events[i]);
      CHECK(events[i] != GEX_EVENT_NO_OP);
    }
  });
  RunThreads(2, [](int thread) {
    for (int i = thread; i < kMessages; i += 2) gex_Event_Wait(events[i]);
  });
  SpoilSources();
  AwaitArrival();
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kMedium, OnRequest, GEX_FLAG_AM_MEDIUM | kRequest, 1),
    EX_HANDLER(kLong, OnRequest, GEX_FLAG_AM_LONG | kRequest, 1),
    EX_HANDLER(kReply, OnReply, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), kMessages * kBytes);
  Now();
  Group();
  Region();
  OtherThread();
  return FinishJob();
}
