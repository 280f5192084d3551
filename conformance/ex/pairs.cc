// Pairs of endpoints are local values. Two pairs compare equal if their
// arguments do. Pairs name peers by jobranks in messages, limits and queries of
// segments (GASNet-EX, section 9.5). Tests of puts, gets and strided transfers
// also use pairs.
#include <string.h>

#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr int kShort = 203;
constexpr int kMedium = 204;
constexpr int kLong = 205;
constexpr size_t kBytes = 500;

std::atomic<uint32_t> handled{0};

void Check(gex_Token_t token, gex_AM_Arg_t from) {
  gex_Token_Info_t info;
  CHECK((gex_Token_Info(token, &info, GEX_TI_SRCRANK) & GEX_TI_SRCRANK) != 0);
  CHECK_EQ(info.gex_srcrank, static_cast<gex_Rank_t>(from));
  // A pair may be made anywhere, also in a handler.
  CHECK(gex_TM_Pair(ex.ep, 0) == gex_TM_Pair(ex.ep, 0));
  ++handled;
}
void HandleShort(gex_Token_t token, gex_AM_Arg_t from) { Check(token, from); }
void HandlePayload(gex_Token_t token, void* payload, size_t bytes,
                   gex_AM_Arg_t from) {
  CHECK_EQ(bytes, kBytes);
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(from));
  Check(token, from);
}

gex_AM_Entry_t table[] = {
    {kShort, reinterpret_cast<gex_AM_Fn_t>(HandleShort),
     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, nullptr, "HandleShort"},
    {kMedium, reinterpret_cast<gex_AM_Fn_t>(HandlePayload),
     GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, nullptr, "HandlePayload"},
    {kLong, reinterpret_cast<gex_AM_Fn_t>(HandlePayload),
     GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 1, nullptr, "HandlePayload"}};

void CompareAsValues(gex_TM_t pair) {
  CHECK(pair == gex_TM_Pair(ex.ep, 0));
  CHECK(pair != gex_TM_Pair(ex.ep, 1));
  CHECK(gex_TM_Pair(ex.ep, 1) == gex_TM_Pair(ex.ep, 1));
  CHECK(gex_TM_Pair(ex.ep, 1) != gex_TM_Pair(ex.ep, 32));
  for (gex_EP_Index_t index = 0; index < 40; ++index) {
    CHECK(gex_TM_Pair(ex.ep, index) != ex.tm);
    CHECK(gex_TM_Pair(ex.ep, index) != GEX_TM_INVALID);
  }
}

void CheckLimits(gex_TM_t pair, gex_Rank_t peer, unsigned args) {
  const gex_Event_t* const now = GEX_EVENT_NOW;
  CHECK_EQ(gex_AM_MaxRequestMedium(pair, peer, now, 0, args),
           gex_AM_MaxRequestMedium(ex.tm, peer, now, 0, args));
  CHECK_EQ(gex_AM_MaxRequestLong(pair, peer, now, 0, args),
           gex_AM_MaxRequestLong(ex.tm, peer, now, 0, args));
  CHECK_EQ(gex_AM_MaxReplyMedium(pair, peer, now, 0, args),
           gex_AM_MaxReplyMedium(ex.tm, peer, now, 0, args));
  CHECK_EQ(gex_AM_MaxReplyLong(pair, peer, now, 0, args),
           gex_AM_MaxReplyLong(ex.tm, peer, now, 0, args));
}

void CheckSegment(gex_TM_t pair, gex_Rank_t peer) {
  void* owner[2] = {};
  void* local[2] = {};
  uintptr_t bytes[2] = {};
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(ex.tm, peer, &owner[0], &local[0],
                                            &bytes[0], 0));
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(pair, peer, &owner[1], &local[1],
                                            &bytes[1], 0));
  CHECK_EQ(owner[0], owner[1]);
  CHECK_EQ(local[0], local[1]);
  CHECK_EQ(bytes[0], bytes[1]);
  CHECK_EQ(gex_Segment_QueryBound(pair, peer, &owner[0], &local[0], &bytes[0]),
           0);
  CHECK_EQ(owner[0], owner[1]);
  CHECK_EQ(bytes[0], bytes[1]);
}

void SendMessages(gex_TM_t pair, gex_Rank_t peer) {
  static char source[kBytes];
  FillPattern(source, kBytes, ex.rank);
  const gex_AM_Arg_t from = static_cast<gex_AM_Arg_t>(ex.rank);
  CHECK_EQ(gex_AM_RequestShort1(pair, peer, kShort, 0, from), 0);
  CHECK_EQ(gex_AM_RequestMedium1(pair, peer, kMedium, source, kBytes,
                                 GEX_EVENT_NOW, 0, from),
           0);
  CHECK_EQ(gex_AM_RequestLong1(pair, peer, kLong, source, kBytes,
                               BaseOf(peer) + ex.rank * kBytes, GEX_EVENT_NOW,
                               0, from),
           0);
  const gex_AM_SrcDesc_t prepared = gex_AM_PrepareRequestMedium(
      pair, peer, source, kBytes, kBytes, GEX_EVENT_NOW, 0, 1);
  CHECK(prepared != GEX_AM_SRCDESC_NO_OP);
  gex_AM_CommitRequestMedium1(prepared, kMedium, kBytes, from);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 4 * kBytes, table, 3);
  const gex_TM_t pair = gex_TM_Pair(ex.ep, 0);
  CompareAsValues(pair);
  for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
    for (unsigned args : {0u, 1u, gex_AM_MaxArgs()}) {
      CheckLimits(pair, peer, args);
    }
    CheckSegment(pair, peer);
    SendMessages(pair, peer);
  }
  GASNET_BLOCKUNTIL(handled == 4 * ex.size);
  return FinishJob();
}
