// Messages work before there are segments. A Long of no bytes passes its
// destination on unchanged. Then the processes attach segments while messages
// go on (GASNet-EX, sections 2.2, 2.8, 5.1, 6.5 and 7.2).
#include <string.h>

#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kShort = 200, kMedium, kLong, kFilled, kAnswer, kLongReply };

constexpr size_t kBytes = 1500;  // less than any conduit's largest Medium

std::atomic<void*> places[8];
std::atomic<int> shorts{0}, mediums{0}, longs{0}, filled{0}, answers{0};

void* NoPlace(gex_Rank_t from) {
  return reinterpret_cast<void*>(uintptr_t{0x123456789} + from);
}

void OnShort(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  CHECK_EQ(a, -5);
  CHECK_EQ(b, INT32_MIN);
  CHECK_EQ(gex_AM_ReplyMedium0(token, kAnswer, &b, 2, GEX_EVENT_NOW, 0), 0);
  ++shorts;
}
void OnMedium(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t key) {
  CHECK_EQ(bytes, kBytes);
  CHECK_PATTERN(buffer, bytes, key);
  CHECK_EQ(gex_AM_ReplyMedium0(token, kAnswer, buffer, 2, GEX_EVENT_NOW, 0), 0);
  ++mediums;
}
void OnLong(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t from) {
  CHECK_EQ(bytes, 0);
  CHECK(buffer == NoPlace(from));
  CHECK_EQ(gex_AM_ReplyLong1(token, kLongReply, nullptr, 0, NoPlace(Me()),
                             GEX_EVENT_NOW, 0, Me()),
           0);
  ++longs;
}
void OnLongReply(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t from) {
  CHECK_EQ(bytes, 0);
  CHECK(buffer == NoPlace(from));
  ++answers;
}
void OnAnswer(gex_Token_t, void*, size_t bytes) {
  CHECK_EQ(bytes, 2);
  ++answers;
}
void OnFilled(gex_Token_t, void* buffer, size_t bytes, gex_AM_Arg_t from) {
  CHECK_EQ(bytes, kBytes);
  // The message may arrive before this process has left gex_Segment_Attach. So
  // the place of the payload is checked later.
  places[from] = buffer;
  CHECK_PATTERN(buffer, bytes, from);
  ++filled;
}

char source[kBytes];

void SendAll() {
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    CHECK_EQ(gex_AM_RequestShort2(tm, peer, kShort, 0, -5, INT32_MIN), 0);
    FillPattern(source, kBytes, Me() + 77);
    CHECK_EQ(gex_AM_RequestMedium1(tm, peer, kMedium, source, kBytes,
                                   GEX_EVENT_NOW, 0, Me() + 77),
             0);
    CHECK_EQ(gex_AM_RequestLong1(tm, peer, kLong, source, 0, NoPlace(Me()),
                                 GEX_EVENT_NOW, 0, Me()),
             0);
  }
}

void AwaitAll(int times) {
  const int expected = times * static_cast<int>(Size());
  // Counts may be higher than expected, because other processes may be ahead.
  GASNET_BLOCKUNTIL(shorts >= expected && mediums >= expected &&
                    longs >= expected && answers >= 3 * expected);
}

char* AddressOf(gex_Rank_t rank) {
  void* address = nullptr;
  uintptr_t bytes = 0;
  CHECK_EQ(gex_Segment_QueryBound(tm, rank, &address, nullptr, &bytes), 0);
  CHECK(bytes >= Size() * kBytes);
  return static_cast<char*>(address);
}

void SendWithPayload() {
  FillPattern(source, kBytes, Me());
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    CHECK_EQ(gex_AM_RequestLong1(tm, peer, kFilled, source, kBytes,
                                 AddressOf(peer) + Me() * kBytes, GEX_EVENT_NOW,
                                 0, Me()),
             0);
  }
  GASNET_BLOCKUNTIL(filled == static_cast<int>(Size()));
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    CHECK(places[peer] == AddressOf(Me()) + peer * kBytes);
  }
}

void CheckNoSegment() {
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    for (const gex_Flags_t flags :
         {gex_Flags_t{0}, gex_Flags_t{GEX_FLAG_IMMEDIATE}}) {
      uintptr_t bytes = 42;
      const gex_Event_t event =
          gex_EP_QueryBoundSegmentNB(tm, peer, nullptr, nullptr, &bytes, flags);
      if (event == GEX_EVENT_NO_OP) {
        CHECK(peer != Me());
        CHECK(flags != 0);
        continue;
      }
      gex_Event_Wait(event);
      CHECK_EQ(bytes, 0);
    }
    void* there = source;
    void* here = source + 1;
    uintptr_t bytes = 42;
    CHECK(gex_Segment_QueryBound(tm, peer, &there, &here, &bytes) != 0);
    CHECK(there == source && here == source + 1 && bytes == 42);
  }
}

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
constexpr gex_Flags_t kReply = GEX_FLAG_AM_REPLY;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kShort, OnShort, GEX_FLAG_AM_SHORT | kRequest, 2),
    EX_HANDLER(kMedium, OnMedium, GEX_FLAG_AM_MEDIUM | kRequest, 1),
    EX_HANDLER(kLong, OnLong, GEX_FLAG_AM_LONG | kRequest, 1),
    EX_HANDLER(kFilled, OnFilled, GEX_FLAG_AM_LONG | kRequest, 1),
    EX_HANDLER(kAnswer, OnAnswer, GEX_FLAG_AM_MEDIUM | kReply, 0),
    EX_HANDLER(kLongReply, OnLongReply, GEX_FLAG_AM_LONG | kReply, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  CheckNoSegment();
  SendAll();
  AwaitAll(1);
  // Some processes attach while others still wait for answers.
  SendAll();
  const size_t pages =
      (Size() * kBytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE;
  CHECK_OK(
      gex_Segment_Attach(&segment, conformance::tm, pages * GASNET_PAGESIZE));
  SendWithPayload();
  AwaitAll(2);
  return FinishJob();
}
