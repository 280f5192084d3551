// A token identifies the sender of the message, the endpoint that received it,
// the handler's table entry, and the kind of the message. This holds in
// handlers of requests and of replies (GASNet-EX, section 11.4).
#include <atomic>
#include <initializer_list>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kShort = 200, kEither, kShortReply, kEitherReply };

std::atomic<int> requests{0}, replies{0};
int data[4];
const char kName[] = "for both";

// Checks all facts about one message. `which` is the number of the table entry
// of the message's handler.
void CheckFacts(gex_Token_t token, gex_Rank_t from, int which, bool is_request,
                bool is_long) {
  for (gex_TI_t mask = 0; mask <= GEX_TI_ALL; ++mask) {
    gex_Token_Info_t info;
    const gex_TI_t valid = gex_Token_Info(token, &info, mask);
    CHECK_EQ(mask & (GEX_TI_SRCRANK | GEX_TI_EP) & ~valid, 0);
#if defined(GASNET_SUPPORTS_TI_ENTRY) && defined(GASNET_SUPPORTS_TI_IS_REQ) && \
    defined(GASNET_SUPPORTS_TI_IS_LONG)
    CHECK_EQ(mask & ~valid, 0);
#endif
    if (valid & GEX_TI_SRCRANK) CHECK_EQ(info.gex_srcrank, from);
    if (valid & GEX_TI_EP) CHECK(info.gex_ep == ep);
    if (valid & GEX_TI_IS_REQ) CHECK_EQ(info.gex_is_req, is_request);
    if (valid & GEX_TI_IS_LONG) CHECK_EQ(info.gex_is_long, is_long);
    if (valid & GEX_TI_ENTRY) {
      CHECK(info.gex_entry->gex_cdata == &data[which]);
      CHECK(info.gex_entry->gex_name == (which == 1 ? kName : nullptr));
      CHECK_EQ(info.gex_entry->gex_index, kShort + which);
      CHECK_EQ(info.gex_entry->gex_nargs, which % 2 ? 2 : 1);
    }
  }
}

void OnShort(gex_Token_t token, gex_AM_Arg_t from) {
  CheckFacts(token, from, 0, true, false);
  CHECK_EQ(gex_AM_ReplyShort1(token, kShortReply, 0, Me()), 0);
  ++requests;
}
void OnEither(gex_Token_t token, void* buffer, size_t bytes, gex_AM_Arg_t from,
              gex_AM_Arg_t is_long) {
  CheckFacts(token, from, 1, true, is_long);
  const gex_AM_Arg_t me = Me();
  CHECK_EQ(is_long ? gex_AM_ReplyLong2(token, kEitherReply, buffer, bytes,
                                       SegmentOf(from), GEX_EVENT_NOW, 0, me, 1)
                   : gex_AM_ReplyMedium2(token, kEitherReply, buffer, bytes,
                                         GEX_EVENT_NOW, 0, me, 0),
           0);
  // The reply does not change the facts.
  CheckFacts(token, from, 1, true, is_long);
  ++requests;
}
void OnShortReply(gex_Token_t token, gex_AM_Arg_t from) {
  CheckFacts(token, from, 2, false, false);
  ++replies;
}
void OnEitherReply(gex_Token_t token, void*, size_t, gex_AM_Arg_t from,
                   gex_AM_Arg_t is_long) {
  CheckFacts(token, from, 3, false, is_long);
  ++replies;
}

gex_AM_Entry_t handlers[4] = {
    {kShort, (gex_AM_Fn_t)OnShort, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1,
     &data[0], nullptr},
    {kEither, (gex_AM_Fn_t)OnEither, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQREP,
     2, &data[1], kName},
    {kShortReply, (gex_AM_Fn_t)OnShortReply,
     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, &data[2], nullptr},
    {kEitherReply, (gex_AM_Fn_t)OnEitherReply,
     GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 2, &data[3], nullptr},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 64);
  const gex_AM_Arg_t me = Me();
  for (gex_Rank_t peer = 0; peer < Size(); ++peer) {
    CHECK_EQ(gex_AM_RequestShort1(conformance::tm, peer, kShort, 0, me), 0);
    // Each kind is sent with a payload and without one.
    for (const size_t bytes : {size_t{8}, size_t{0}}) {
      CHECK_EQ(gex_AM_RequestMedium2(conformance::tm, peer, kEither, data,
                                     bytes, GEX_EVENT_NOW, 0, me, 0),
               0);
      CHECK_EQ(gex_AM_RequestLong2(conformance::tm, peer, kEither, data, bytes,
                                   SegmentOf(peer), GEX_EVENT_NOW, 0, me, 1),
               0);
    }
  }
  const int expected = 5 * static_cast<int>(Size());
  GASNET_BLOCKUNTIL(requests == expected && replies == expected);
  return FinishJob();
}
