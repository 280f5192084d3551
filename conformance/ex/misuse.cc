// Messages and calls of GASNet-EX that a build with checks refuses (GASNet-EX,
// section 23): handlers that break the promises of their entries, misused
// descriptors, calls in forbidden contexts, wrong arguments.
#include <string.h>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

// Handlers: one for each category and direction, and some that misbehave.
enum {
  kShort = 200,
  kMedium,
  kLong,
  kShortReply,
  kMediumReply,
  kInHandler,
  kAnswerShort,
};

char source[128];
gex_HSL_t lock = GEX_HSL_INITIALIZER;

void OnShort(gex_Token_t) {}
void OnPayload(gex_Token_t, void*, size_t) {}

void (*in_handler)(gex_Token_t);
void OnInHandler(gex_Token_t token) { in_handler(token); }

void Deliver() {
  for (int i = 0; i < 1000; ++i) CHECK_OK(gasnet_AMPoll());
}

// Discard a result. A call that is refused never returns one.
void Ignore(int) {}
void Ignore(gex_Event_t) {}
void Ignore(gex_AM_SrcDesc_t) {}

// --- Promises of a handler's table entry ---

void WrongCategory() {
  Ignore(gex_AM_RequestMedium0(tm, 0, kShort, source, 8, GEX_EVENT_NOW, 0));
  Deliver();
}
void MediumToLong() {
  Ignore(gex_AM_RequestMedium0(tm, 0, kLong, source, 8, GEX_EVENT_NOW, 0));
  Deliver();
}
void WrongDirection() {
  Ignore(gex_AM_RequestShort0(tm, 0, kShortReply, 0));
  Deliver();
}
void WrongReplyDirection() {
  Ignore(gex_AM_RequestShort0(tm, 0, kAnswerShort, 0));
  Deliver();
}
void AnswerShort(gex_Token_t token) {
  Ignore(gex_AM_ReplyShort0(token, kShort, 0));
}
void WrongCount() {
  Ignore(gex_AM_RequestShort1(tm, 0, kShort, 0, 5));
  Deliver();
}
void NoHandler() {
  Ignore(gex_AM_RequestShort0(tm, 0, 222, 0));
  Deliver();
}

// --- Descriptors ---

gex_AM_SrcDesc_t Prepare() {
  return gex_AM_PrepareRequestMedium(tm, 0, nullptr, 16, 16, nullptr, 0, 0);
}
gex_AM_SrcDesc_t PrepareLong(void* hint) {
  return gex_AM_PrepareRequestLong(tm, 0, source, 16, 16, hint, GEX_EVENT_NOW,
                                   0, 0);
}

void CommitTwice() {
  const gex_AM_SrcDesc_t sd = Prepare();
  gex_AM_CommitRequestMedium0(sd, kMedium, 16);
  gex_AM_CommitRequestMedium0(sd, kMedium, 16);
}
void CancelTwice() {
  const gex_AM_SrcDesc_t sd = Prepare();
  CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
  Ignore(gex_AM_CancelRequestMedium(sd, 0));
}
void CommitCancelled() {
  const gex_AM_SrcDesc_t sd = Prepare();
  CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
  gex_AM_CommitRequestMedium0(sd, kMedium, 16);
}
void CommitNothing() {
  gex_AM_CommitRequestMedium0(GEX_AM_SRCDESC_NO_OP, kMedium, 16);
}
void CommitOtherKind() {
  gex_AM_CommitRequestLong0(Prepare(), kLong, 16, SegmentOf(0));
}
void CancelOtherKind() { Ignore(gex_AM_CancelReplyMedium(Prepare(), 0)); }
void CommitTooMuch() { gex_AM_CommitRequestMedium0(Prepare(), kMedium, 17); }
void CommitOtherCount() {
  gex_AM_CommitRequestMedium1(Prepare(), kMedium, 16, 3);
}
void CommitOtherPlace() {
  char* const place = SegmentOf(0);
  gex_AM_CommitRequestLong0(PrepareLong(place), kLong, 16, place + 1);
}
void CommitInOtherThread() {
  static gex_AM_SrcDesc_t sd;
  sd = Prepare();
  RunThreads(1, [](int) { gex_AM_CommitRequestMedium0(sd, kMedium, 16); });
}

// --- Between Prepare and Commit ---

template <void (*kCall)()>
void Preparing() {
  Ignore(Prepare());
  kCall();
}
void PrepareAgain() { Ignore(Prepare()); }
void Request() { Ignore(gex_AM_RequestShort0(tm, 0, kShort, 0)); }
void OldRequest() { Ignore(gasnet_AMRequestShort0(0, kShort)); }
void Poll() { gasnet_AMPoll(); }
void Put() { Ignore(gex_RMA_PutBlocking(tm, 0, SegmentOf(0), source, 8, 0)); }
void Wait() { gex_Event_Wait(GEX_EVENT_INVALID); }
void Test() { Ignore(gex_Event_Test(GEX_EVENT_INVALID)); }
void WaitImplicit() { gex_NBI_Wait(GEX_EC_ALL, 0); }
void Register() { Ignore(gex_EP_RegisterHandlers(ep, nullptr, 0)); }
void Notify() { gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS); }
void Bound() {
  Ignore(gex_EP_QueryBoundSegmentNB(tm, 0, nullptr, nullptr, nullptr, 0));
}

// --- While a lock is held, and in handlers ---

template <void (*kCall)()>
void Locked() {
  gex_HSL_Lock(&lock);
  kCall();
}
template <void (*kCall)()>
void InHandler() {
  in_handler = [](gex_Token_t) { kCall(); };
  Ignore(gex_AM_RequestShort0(tm, 0, kInHandler, 0));
  Deliver();
}
template <void (*kCall)(gex_Token_t)>
void Reply() {
  in_handler = kCall;
  Ignore(gex_AM_RequestShort0(tm, 0, kInHandler, 0));
  Deliver();
}

gex_AM_SrcDesc_t PrepareReply(gex_Token_t token) {
  return gex_AM_PrepareReplyMedium(token, nullptr, 8, 8, nullptr, 0, 0);
}
void ReplyTwice(gex_Token_t token) {
  Ignore(gex_AM_ReplyShort0(token, kShortReply, 0));
  Ignore(gex_AM_ReplyShort0(token, kShortReply, 0));
}
void PrepareAfterReply(gex_Token_t token) {
  Ignore(gex_AM_ReplyShort0(token, kShortReply, 0));
  Ignore(PrepareReply(token));
}
void ReplyWhilePreparing(gex_Token_t token) {
  Ignore(PrepareReply(token));
  Ignore(gex_AM_ReplyShort0(token, kShortReply, 0));
}
void ReplyCommitTwice(gex_Token_t token) {
  const gex_AM_SrcDesc_t sd = PrepareReply(token);
  gex_AM_CommitReplyMedium0(sd, kMediumReply, 8);
  gex_AM_CommitReplyMedium0(sd, kMediumReply, 8);
}
void ReplyLocked(gex_Token_t token) {
  gex_HSL_Lock(&lock);
  Ignore(PrepareReply(token));
}
void KeepDescriptor(gex_Token_t token) { Ignore(PrepareReply(token)); }

// --- Options of local completion ---

void RequestDefer() {
  Ignore(gex_AM_RequestMedium0(tm, 0, kMedium, source, 8, GEX_EVENT_DEFER, 0));
}
void RequestNull() {
  Ignore(gex_AM_RequestMedium0(tm, 0, kMedium, source, 8, nullptr, 0));
}
void LongNull() {
  Ignore(
      gex_AM_RequestLong0(tm, 0, kLong, source, 8, SegmentOf(0), nullptr, 0));
}
void ReplyGroup(gex_Token_t token) {
  Ignore(
      gex_AM_ReplyMedium0(token, kMediumReply, source, 8, GEX_EVENT_GROUP, 0));
}
void PrepareBufferNow() {
  Ignore(
      gex_AM_PrepareRequestMedium(tm, 0, nullptr, 8, 8, GEX_EVENT_NOW, 0, 0));
}
void PrepareOwnNull() {
  Ignore(gex_AM_PrepareRequestMedium(tm, 0, source, 8, 8, nullptr, 0, 0));
}
void PrepareOwnDefer() {
  Ignore(gex_AM_PrepareRequestLong(tm, 0, source, 8, 8, nullptr,
                                   GEX_EVENT_DEFER, 0, 0));
}

// --- Sizes, places, peers ---

void LargeMedium() {
  Ignore(gex_AM_RequestMedium0(
      tm, 0, kMedium, source,
      gex_AM_MaxRequestMedium(tm, 0, GEX_EVENT_NOW, 0, 0) + 1, GEX_EVENT_NOW,
      0));
}
void LargeLong() {
  Ignore(
      gex_AM_RequestLong0(tm, 0, kLong, source,
                          gex_AM_MaxRequestLong(tm, 0, GEX_EVENT_NOW, 0, 0) + 1,
                          SegmentOf(0), GEX_EVENT_NOW, 0));
}
void LargeReply(gex_Token_t token) {
  Ignore(gex_AM_ReplyMedium0(
      token, kMediumReply, source,
      gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 0) + 1, GEX_EVENT_NOW,
      0));
}
void LargeLeast() {
  const size_t least = gex_AM_MaxRequestMedium(
      tm, 0, nullptr, GEX_FLAG_AM_PREPARE_LEAST_ALLOC, 0);
  Ignore(gex_AM_PrepareRequestMedium(tm, 0, nullptr, least + 1, least + 1,
                                     nullptr, 0, 0));
}
void LeastOverMost() {
  Ignore(gex_AM_PrepareRequestMedium(tm, 0, nullptr, 9, 8, nullptr, 0, 0));
}
void LongOutside() {
  Ignore(
      gex_AM_RequestLong0(tm, 0, kLong, source, 8, source, GEX_EVENT_NOW, 0));
}
void PreparedOutside() {
  gex_AM_CommitRequestLong0(PrepareLong(nullptr), kLong, 16, source);
}
void NoRank() { Ignore(gex_AM_RequestShort0(tm, Size(), kShort, 0)); }
void NoTeam() { Ignore(gex_AM_RequestShort0(GEX_TM_INVALID, 0, kShort, 0)); }
void PairOfNone() {
  Ignore(gex_AM_RequestShort0(gex_TM_Pair(ep, 0), Size(), kShort, 0));
}

constexpr Case kCases[] = {
    {"wrong_category", WrongCategory},
    {"medium_to_long", MediumToLong},
    {"wrong_direction", WrongDirection},
    {"wrong_reply_direction", WrongReplyDirection},
    {"wrong_count", WrongCount},
    {"no_handler", NoHandler},
    {"commit_twice", CommitTwice},
    {"cancel_twice", CancelTwice},
    {"commit_cancelled", CommitCancelled},
    {"commit_nothing", CommitNothing},
    {"commit_other_kind", CommitOtherKind},
    {"cancel_other_kind", CancelOtherKind},
    {"commit_too_much", CommitTooMuch},
    {"commit_other_count", CommitOtherCount},
    {"commit_other_place", CommitOtherPlace},
    {"commit_in_other_thread", CommitInOtherThread},
    {"preparing_prepare", Preparing<PrepareAgain>},
    {"preparing_request", Preparing<Request>},
    {"preparing_old_request", Preparing<OldRequest>},
    {"preparing_poll", Preparing<Poll>},
    {"preparing_put", Preparing<Put>},
    {"preparing_wait", Preparing<Wait>},
    {"preparing_test", Preparing<Test>},
    {"preparing_wait_implicit", Preparing<WaitImplicit>},
    {"preparing_register", Preparing<Register>},
    {"preparing_notify", Preparing<Notify>},
    {"preparing_bound", Preparing<Bound>},
    {"locked_prepare", Locked<PrepareAgain>},
    {"locked_request", Locked<Request>},
    {"locked_wait", Locked<Wait>},
    {"locked_register", Locked<Register>},
    {"handler_prepare", InHandler<PrepareAgain>},
    {"handler_request", InHandler<Request>},
    {"handler_test", InHandler<Test>},
    {"handler_wait_implicit", InHandler<WaitImplicit>},
    {"handler_register", InHandler<Register>},
    {"handler_bound", InHandler<Bound>},
    {"reply_twice", Reply<ReplyTwice>},
    {"reply_prepare_after", Reply<PrepareAfterReply>},
    {"reply_while_preparing", Reply<ReplyWhilePreparing>},
    {"reply_commit_twice", Reply<ReplyCommitTwice>},
    {"reply_locked", Reply<ReplyLocked>},
    {"reply_never_committed", Reply<KeepDescriptor>},
    {"lc_request_defer", RequestDefer},
    {"lc_request_null", RequestNull},
    {"lc_long_null", LongNull},
    {"lc_reply_group", Reply<ReplyGroup>},
    {"lc_prepare_buffer", PrepareBufferNow},
    {"lc_prepare_null", PrepareOwnNull},
    {"lc_prepare_defer", PrepareOwnDefer},
    {"large_medium", LargeMedium},
    {"large_long", LargeLong},
    {"large_reply", Reply<LargeReply>},
    {"large_least", LargeLeast},
    {"least_over_most", LeastOverMost},
    {"long_outside", LongOutside},
    {"prepared_outside", PreparedOutside},
    {"no_rank", NoRank},
    {"no_team", NoTeam},
    {"no_rank_of_pair", PairOfNone},
};

constexpr gex_Flags_t kRequest = GEX_FLAG_AM_REQUEST;
constexpr gex_Flags_t kReply = GEX_FLAG_AM_REPLY;
gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kShort, OnShort, GEX_FLAG_AM_SHORT | kRequest, 0),
    EX_HANDLER(kMedium, OnPayload, GEX_FLAG_AM_MEDIUM | kRequest, 0),
    EX_HANDLER(kLong, OnPayload, GEX_FLAG_AM_LONG | kRequest, 0),
    EX_HANDLER(kShortReply, OnShort, GEX_FLAG_AM_SHORT | kReply, 0),
    EX_HANDLER(kMediumReply, OnPayload, GEX_FLAG_AM_MEDIUM | kReply, 0),
    EX_HANDLER(kInHandler, OnInHandler, GEX_FLAG_AM_SHORT | kRequest, 0),
    EX_HANDLER(kAnswerShort, AnswerShort, GEX_FLAG_AM_SHORT | kRequest, 0),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, handlers, COUNT_OF(handlers), 4096,
          GEX_FLAG_USES_GASNET1);
  RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
