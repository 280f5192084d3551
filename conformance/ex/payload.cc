// Payloads of every size up to the limits, for each category, direction and
// option of local completion. All payloads arrive whole. A Medium arrives in
// memory aligned for any type, and a Long at its destination (GASNet-EX,
// sections 2.7, 2.8 and 11).
#include <string.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kMedium = 200, kLong, kMediumReply, kLongReply };
enum Option { kNow, kGroup, kEvent, kOptions };

// The largest Long to test. Larger Longs would take too long.
constexpr size_t kLargestLong = size_t{1} << 20;

std::atomic<int> replies{0};
char* mine = nullptr;  // own segment; one half for requests, one for replies

bool SuitsAnyType(const void* buffer) {
  return reinterpret_cast<uintptr_t>(buffer) % alignof(std::max_align_t) == 0;
}

gex_Event_t* LcOpt(int option, gex_Event_t* event) {
  return option == kNow     ? GEX_EVENT_NOW
         : option == kGroup ? GEX_EVENT_GROUP
                            : event;
}

// Events of replies. Main-line code syncs them.
gex_Event_t events[2];
std::atomic<int> events_made{0};

gex_Event_t* ReplyLcOpt(int option) {
  return option == kEvent ? &events[events_made] : GEX_EVENT_NOW;
}

void OnMedium(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t key,
              gex_AM_Arg_t option) {
  CHECK(SuitsAnyType(buffer));
  CHECK_PATTERN(buffer, bytes, key);
  // The handler owns the buffer, so it may write to it.
  FillPattern(buffer, bytes, key + 1);
  CHECK(bytes <= gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 2));
  CHECK_EQ(gex_AM_ReplyMedium2(token, kMediumReply, buffer, bytes,
                               ReplyLcOpt(option), 0, key + 1,
                               static_cast<gex_AM_Arg_t>(bytes)),
           0);
  if (option == kEvent) ++events_made;
}
void OnLong(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t key,
            gex_AM_Arg_t option) {
  CHECK(buffer == mine + key % 8);
  CHECK_PATTERN(buffer, bytes, key);
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  char* const to =
      SegmentOf(info.gex_srcrank) + kLargestLong + GASNET_PAGESIZE + key % 8;
  CHECK_EQ(gex_AM_ReplyLong2(token, kLongReply, buffer, bytes, to,
                             ReplyLcOpt(option), 0, key,
                             static_cast<gex_AM_Arg_t>(bytes)),
           0);
  if (option == kEvent) ++events_made;
}
void OnMediumReply(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t key,
                   gex_AM_Arg_t expected) {
  CHECK_EQ(bytes, expected);
  CHECK(SuitsAnyType(buffer));
  CHECK_PATTERN(buffer, bytes, key);
  ++replies;
}
void OnLongReply(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t key,
                 gex_AM_Arg_t expected) {
  CHECK_EQ(bytes, expected);
  CHECK(buffer == mine + kLargestLong + GASNET_PAGESIZE + key % 8);
  CHECK_PATTERN(buffer, bytes, key);
  ++replies;
}

void AwaitLocalCompletion(int option, gex_Event_t event) {
  if (option == kGroup) gex_NBI_Wait(GEX_EC_AM, 0);
  if (option == kEvent) gex_Event_Wait(event);
}

// Sends one message and waits for its reply. All messages use one place, so
// only one may be under way.
void Send(bool is_long, size_t bytes, int option, char* source) {
  const gex_AM_Arg_t key = static_cast<gex_AM_Arg_t>(bytes * 4 + option);
  const int before = replies;
  FillPattern(source, bytes, key);
  gex_Event_t event = GEX_EVENT_NO_OP;  // the call overwrites it
  gex_Event_t* const lc_opt = LcOpt(option, &event);
  CHECK_EQ(is_long ? gex_AM_RequestLong2(tm, Next(), kLong, source, bytes,
                                         SegmentOf(Next()) + key % 8, lc_opt, 0,
                                         key, option)
                   : gex_AM_RequestMedium2(tm, Next(), kMedium, source, bytes,
                                           lc_opt, 0, key, option),
           0);
  AwaitLocalCompletion(option, event);
  memset(source, 0xEE, bytes);
  GASNET_BLOCKUNTIL(replies == before + 1 &&
                    (option != kEvent || events_made == 1));
  if (option == kEvent) {
    gex_Event_Wait(events[0]);
    events_made = 0;
  }
  Barrier();
}

void SendSizes(bool is_long, size_t limit) {
  const auto memory = std::make_unique<char[]>(limit + 1);
  for (size_t bytes = 0; bytes <= limit; bytes = NextSize(bytes, limit)) {
    const int option = static_cast<int>(bytes % kOptions);
    Send(is_long, bytes, option, &memory[bytes < limit]);
  }
  for (int option = 0; option < kOptions; ++option) {
    Send(is_long, limit, option, &memory[0]);
  }
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
constexpr gex_Flags_t kReply = GEX_FLAG_AM_REPLY;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | kRequest, 2),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | kRequest, 2),
    EX_HANDLER(kMediumReply, OnMediumReply, GEX_FLAG_AM_MEDIUM | kReply, 2),
    EX_HANDLER(kLongReply, OnLongReply, GEX_FLAG_AM_LONG | kReply, 2),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers),
          2 * (kLargestLong + GASNET_PAGESIZE));
  mine = SegmentOf(Me());
  const gex_Event_t* const any = nullptr;
  const size_t medium =
      std::min(gex_AM_MaxRequestMedium(conformance::tm, Next(), any, 0, 2),
               gex_AM_MaxReplyMedium(conformance::tm, Next(), any, 0, 2));
  const size_t most_long =
      std::min(gex_AM_MaxRequestLong(conformance::tm, Next(), any, 0, 2),
               gex_AM_MaxReplyLong(conformance::tm, Next(), any, 0, 2));
  Barrier();
  SendSizes(/*is_long=*/false, medium);
  SendSizes(/*is_long=*/true, std::min(kLargestLong, most_long));
  return FinishJob();
}
