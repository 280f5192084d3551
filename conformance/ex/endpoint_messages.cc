// Messages of every kind between endpoints of all indices, in all processes. A
// message names an endpoint and runs a handler of that endpoint. Its reply runs
// a handler of the sending endpoint (GASNet-EX, sections 6.2, 6.3, 9.5 and 11).
// Under GASNET_PAR each endpoint has a thread.
#include <string.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <initializer_list>
#include <vector>

#include "conformance/ex/ex_endpoints.h"

namespace conformance {
namespace {

// All endpoints use these handler indices. Their functions differ.
enum {
  kShort = 200,
  kMedium,
  kLong,
  kAnswer,
  kMediumAnswer,
  kLongAnswer,
  kManyArgs,
};

constexpr size_t kArea = 1 << 19;
constexpr size_t kMax = kArea / 2;

std::array<std::atomic<int>, kEndpoints> answers;
std::atomic<int> many_args{0};

// Area returns a part of a segment. Endpoint `own` of process `by` sends its
// messages there. AnswerArea returns the part for their answers.
char* Area(gex_EP_Index_t at, gex_Rank_t rank, gex_EP_Index_t own,
           gex_Rank_t by) {
  return BaseOf(at, rank) + (by * kEndpoints + own) * kArea;
}
char* AnswerArea(gex_EP_Index_t at, gex_Rank_t rank, gex_EP_Index_t own,
                 gex_Rank_t by) {
  return Area(at, rank, own, by) + kMax;
}

template <gex_EP_Index_t kOwn>
gex_Rank_t Check(gex_Token_t token, bool is_request, bool is_long) {
  gex_Token_Info_t info;
  CHECK_EQ(gex_Token_Info(token, &info, GEX_TI_ALL) & GEX_TI_ALL, GEX_TI_ALL);
  CHECK(info.gex_ep == eps.ep[kOwn]);
  CHECK_EQ(info.gex_is_req, is_request);
  CHECK_EQ(info.gex_is_long, is_long);
  CHECK(info.gex_entry->gex_cdata == &eps.ep[kOwn]);
  return info.gex_srcrank;
}

// The handlers of one endpoint. `from` is the index of the sending endpoint.
template <gex_EP_Index_t kOwn>
void OnShort(gex_Token_t token, gex_AM_Arg_t from, gex_AM_Arg_t seed) {
  Check<kOwn>(token, true, false);
  CHECK_EQ(gex_AM_ReplyShort2(token, kAnswer, 0, kOwn, seed), 0);
  static_cast<void>(from);
}
template <gex_EP_Index_t kOwn>
void OnMedium(gex_Token_t token, void* payload, size_t bytes, gex_AM_Arg_t from,
              gex_AM_Arg_t seed) {
  Check<kOwn>(token, true, false);
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(seed));
  CHECK(bytes <= gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 2));
  static_cast<void>(from);
  if (bytes % 3 == 0) {
    const gex_AM_SrcDesc_t prepared =
        gex_AM_PrepareReplyMedium(token, nullptr, bytes, bytes, nullptr, 0, 2);
    CHECK(gex_AM_SrcDescAddr(prepared) != nullptr);
    if (bytes > 0) memcpy(gex_AM_SrcDescAddr(prepared), payload, bytes);
    gex_AM_CommitReplyMedium2(prepared, kMediumAnswer, bytes, kOwn, seed);
    return;
  }
  CHECK_EQ(gex_AM_ReplyMedium2(token, kMediumAnswer, payload, bytes,
                               GEX_EVENT_NOW, 0, kOwn, seed),
           0);
}
template <gex_EP_Index_t kOwn>
void OnLong(gex_Token_t token, void* payload, size_t bytes, gex_AM_Arg_t from,
            gex_AM_Arg_t seed) {
  const gex_Rank_t sender = Check<kOwn>(token, true, true);
  const auto index = static_cast<gex_EP_Index_t>(from);
  CHECK(payload == Area(kOwn, ex.rank, index, sender));
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(seed));
  // A Long that is too large for one reply is answered with its first bytes.
  bytes = std::min(bytes, gex_Token_MaxReplyLong(token, GEX_EVENT_NOW, 0, 2));
  CHECK_EQ(gex_AM_ReplyLong2(token, kLongAnswer, payload, bytes,
                             AnswerArea(index, sender, index, sender),
                             GEX_EVENT_NOW, 0, kOwn, seed),
           0);
}
template <gex_EP_Index_t kOwn>
void OnAnswer(gex_Token_t token, gex_AM_Arg_t from, gex_AM_Arg_t seed) {
  Check<kOwn>(token, false, false);
  CHECK(from >= 0 && from < kEndpoints && seed > 0);
  ++answers[kOwn];
}
template <gex_EP_Index_t kOwn>
void OnMediumAnswer(gex_Token_t token, void* payload, size_t bytes,
                    gex_AM_Arg_t from, gex_AM_Arg_t seed) {
  Check<kOwn>(token, false, false);
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(seed));
  CHECK(from >= 0 && from < kEndpoints);
  ++answers[kOwn];
}
template <gex_EP_Index_t kOwn>
void OnLongAnswer(gex_Token_t token, void* payload, size_t bytes, gex_AM_Arg_t,
                  gex_AM_Arg_t seed) {
  Check<kOwn>(token, false, true);
  CHECK(payload == AnswerArea(kOwn, ex.rank, kOwn, ex.rank));
  CHECK_PATTERN(payload, bytes, static_cast<uint32_t>(seed));
  ++answers[kOwn];
}

#define SIXTEEN(type)                                                     \
  type a, type b, type c, type d, type e, type f, type g, type h, type i, \
      type j, type k, type l, type m, type n, type o, type p
template <gex_EP_Index_t kOwn>
void OnManyArgs(gex_Token_t token, void* payload, size_t bytes,
                SIXTEEN(gex_AM_Arg_t)) {
  Check<kOwn>(token, true, false);
  const gex_AM_Arg_t all[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
  for (int at = 0; at < 16; ++at) CHECK_EQ(all[at], -1 - at * 0x1010101);
  CHECK_PATTERN(payload, bytes, 99);
  ++many_args;
}

template <gex_EP_Index_t kOwn>
void Register() {
  const void* const data = &eps.ep[kOwn];
  gex_AM_Entry_t table[] = {
      {kShort, reinterpret_cast<gex_AM_Fn_t>(OnShort<kOwn>),
       GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 2, data, "OnShort"},
      {kMedium, reinterpret_cast<gex_AM_Fn_t>(OnMedium<kOwn>),
       GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 2, data, "OnMedium"},
      {kLong, reinterpret_cast<gex_AM_Fn_t>(OnLong<kOwn>),
       GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 2, data, "OnLong"},
      {kAnswer, reinterpret_cast<gex_AM_Fn_t>(OnAnswer<kOwn>),
       GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 2, data, "OnAnswer"},
      {kMediumAnswer, reinterpret_cast<gex_AM_Fn_t>(OnMediumAnswer<kOwn>),
       GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 2, data, "OnMediumAnswer"},
      {kLongAnswer, reinterpret_cast<gex_AM_Fn_t>(OnLongAnswer<kOwn>),
       GEX_FLAG_AM_LONG | GEX_FLAG_AM_REPLY, 2, data, "OnLongAnswer"},
      {kManyArgs, reinterpret_cast<gex_AM_Fn_t>(OnManyArgs<kOwn>),
       GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 16, data, "OnManyArgs"},
  };
  CHECK_OK(gex_EP_RegisterHandlers(eps.ep[kOwn], table, COUNT_OF(table)));
}

void Await(gex_EP_Index_t own, int count) {
  GASNET_BLOCKUNTIL(answers[own] == count);
  answers[own] = 0;
}

void Talk(gex_EP_Index_t own, gex_EP_Index_t at, gex_Rank_t rank) {
  const gex_TM_t pair = gex_TM_Pair(eps.ep[own], at);
  const gex_Event_t* const now = GEX_EVENT_NOW;
  const size_t medium = std::min(gex_AM_MaxRequestMedium(pair, rank, now, 0, 2),
                                 gex_AM_MaxReplyMedium(pair, rank, now, 0, 2));
  const size_t most =
      std::min(kMax, gex_AM_MaxRequestLong(pair, rank, now, 0, 2));
  const size_t most_reply =
      std::min(most, gex_AM_MaxReplyLong(pair, rank, now, 0, 2));
  CHECK(medium >= 512 && most_reply >= 512);
  gex_AM_Arg_t seed = 1 + own * 100;
  CHECK_EQ(gex_AM_RequestShort2(pair, rank, kShort, 0, own, seed), 0);
  Await(own, 1);
  std::vector<char> source(std::max(medium, most));
  for (const size_t bytes : {size_t{0}, size_t{9}, size_t{511}, medium}) {
    FillPattern(source.data(), bytes, static_cast<uint32_t>(++seed));
    gex_Event_t read = GEX_EVENT_INVALID;
    CHECK_EQ(gex_AM_RequestMedium2(pair, rank, kMedium, source.data(), bytes,
                                   &read, 0, own, seed),
             0);
    gex_Event_Wait(read);
    memset(source.data(), 0, bytes);
    Await(own, 1);
  }
  for (const size_t bytes : {size_t{0}, size_t{8}, most_reply, most}) {
    FillPattern(source.data(), bytes, static_cast<uint32_t>(++seed));
    CHECK_EQ(gex_AM_RequestLong2(pair, rank, kLong, source.data(), bytes,
                                 Area(at, rank, own, ex.rank), GEX_EVENT_NOW, 0,
                                 own, seed),
             0);
    memset(source.data(), 0, bytes);
    Await(own, 1);
  }
  FillPattern(source.data(), 500, static_cast<uint32_t>(++seed));
  const gex_AM_SrcDesc_t prepared = gex_AM_PrepareRequestLong(
      pair, rank, source.data(), 500, 500, nullptr, GEX_EVENT_NOW, 0, 2);
  gex_AM_CommitRequestLong2(prepared, kLong, 500, Area(at, rank, own, ex.rank),
                            own, seed);
  Await(own, 1);
}

// Sends the largest Medium with the maximum number of arguments, and a Medium
// with GEX_FLAG_IMMEDIATE.
void SendManyArgs(gex_EP_Index_t own, gex_EP_Index_t at, gex_Rank_t rank) {
  const gex_TM_t pair = gex_TM_Pair(eps.ep[own], at);
  const size_t medium =
      gex_AM_MaxRequestMedium(pair, rank, GEX_EVENT_NOW, 0, 16);
  CHECK(medium <= gex_AM_MaxRequestMedium(pair, rank, GEX_EVENT_NOW, 0, 0));
  CHECK(medium >= gex_AM_LUBRequestMedium());
  std::vector<char> source(medium);
  FillPattern(source.data(), medium, 99);
#define ARGS                                                         \
  -1, -1 - 1 * 0x1010101, -1 - 2 * 0x1010101, -1 - 3 * 0x1010101,    \
      -1 - 4 * 0x1010101, -1 - 5 * 0x1010101, -1 - 6 * 0x1010101,    \
      -1 - 7 * 0x1010101, -1 - 8 * 0x1010101, -1 - 9 * 0x1010101,    \
      -1 - 10 * 0x1010101, -1 - 11 * 0x1010101, -1 - 12 * 0x1010101, \
      -1 - 13 * 0x1010101, -1 - 14 * 0x1010101, -1 - 15 * 0x1010101
  CHECK_EQ(gex_AM_RequestMedium16(pair, rank, kManyArgs, source.data(), medium,
                                  GEX_EVENT_NOW, 0, ARGS),
           0);
  FillPattern(source.data(), 20, 99);
  while (gex_AM_RequestMedium16(pair, rank, kManyArgs, source.data(), 20,
                                GEX_EVENT_NOW, GEX_FLAG_IMMEDIATE, ARGS) != 0) {
    gasnet_AMPoll();
  }
}

void TalkToAll(gex_EP_Index_t own) {
  for (gex_Rank_t i = 0; i < ex.size; ++i) {
    for (gex_EP_Index_t at = 0; at < kEndpoints; ++at) {
      Talk(own, at, (ex.rank + i) % ex.size);
      SendManyArgs(own, at, (ex.rank + i) % ex.size);
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  constexpr int kRanks = 5;
  const size_t bytes = kRanks * kEndpoints * kArea;
  StartExJob(&argc, &argv, bytes);
  CHECK(ex.size <= kRanks);
  MakeEndpoints(bytes, GEX_EP_CAPABILITY_RMA | GEX_EP_CAPABILITY_AM);
  Register<0>();
  Register<1>();
  Register<2>();
  Barrier();
  RunThreads(kEndpoints,
             [](int own) { TalkToAll(static_cast<gex_EP_Index_t>(own)); });
  GASNET_BLOCKUNTIL(many_args ==
                    static_cast<int>(2 * ex.size * kEndpoints * kEndpoints));
  return FinishJob();
}
