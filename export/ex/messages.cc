// The C functions of gasnet/ex_am.h. When a call returns, its message is sent.
// So the client may then reuse the source, regardless of lc_opt.
#include "export/message_functions.h"

#include <algorithm>

#include "base/log.h"
#include "core/am/message.h"
#include "core/thread/mode.h"
#include "ex/client.h"
#include "ex/further_messages.h"
#include "export/ex/immediate.h"
#include "export/ex/local_completion.h"
#include "export/ex/observed.h"
#include "export/ex/peers.h"
#include "gasnetex.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::Handler;
using gasnet::exported::NoBytes;
using gasnet::exported::ObservedMessage;
using gasnet::exported::Run;
using gasnet::exported::ToNode;
using gasnet::exported::ToRank;
using gasnet::exported::ToSource;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using Messages = gasnet::exported::MessageFunctions;
using gasnet::am::Category;
using gasnet::am::Lane;
using gasnet::am::Token;
using gasnet::ex::FurtherMessages;
using gasnet::exported::CheckLcOpt;
using gasnet::exported::CompleteNow;
using gasnet::exported::IsImmediate;
using gasnet::exported::kOfReply;
using gasnet::exported::kOfRequest;
using gasnet::exported::Long;
using gasnet::exported::Medium;
using gasnet::exported::Short;

// Sends a request. In the usual case, between primordial endpoints, the message
// stays in registers. A message between other endpoints is copied to memory.
[[gnu::always_inline]] inline int Request(const char* call, gex_TM_t tm,
                                          gex_Rank_t rank,
                                          gasneti_index_t handler,
                                          const gasnet::am::Message& message,
                                          gex_Flags_t flags) {
  gasnet_node_t node;
  if (!gasnet::exported::IsPrimordial(call, tm, rank, &node)) [[unlikely]] {
    const gasnet::am::Message copy = message;
    const auto pair =
        gasnet::exported::PairOf(call, tm, rank, GEX_EP_CAPABILITY_AM);
    return Messages::RequestFurther(call, pair.own, pair.to, handler, copy,
                                    IsImmediate(flags));
  }
  return Messages::RequestEx(call, node, handler, message, IsImmediate(flags));
}

// The maximum sizes of payloads. Between primordial endpoints a limit is the
// same for all peers of a job, all options and all numbers of arguments. The
// limits of requests are the same between any two endpoints. A Long in the
// library's buffer is at most as large as a Medium.
size_t MaxMedium(const char* call) { return Messages::MaxMedium(call); }
size_t MaxLong(const char* call, Lane lane, gex_Flags_t flags) {
  if ((flags & GEX_FLAG_AM_PREPARE_LEAST_ALLOC) == 0) {
    return Messages::MaxLong(call, lane);
  }
  return std::min(MaxMedium(call), Messages::MaxLong(call, lane));
}

void RequireToken(const char* call, gex_Token_t token) {
  if constexpr (gasnet::thread::kChecks) {
    if (token == nullptr) gasnet::Fatal("%s: the token is null", call);
  }
}

// Returns true if messages to this rank take the path of endpoints other than
// 0. GEX_RANK_INVALID stands for all ranks.
bool IsFurther(const char* call, gex_TM_t tm, gex_Rank_t rank) {
  const gex_Rank_t some = rank == GEX_RANK_INVALID ? 0 : rank;
  gasnet_node_t node;
  if (gasneti_primordial(tm, some, &node)) return false;
  const auto pair =
      gasnet::exported::PairOf(call, tm, some, GEX_EP_CAPABILITY_AM);
  return rank == GEX_RANK_INVALID || pair.own.index != 0 ||
         pair.to.endpoint != 0;
}

size_t MaxReply(const char* call, Category category, bool further,
                gex_Flags_t flags, unsigned numargs) {
  const size_t most = category == Category::kLong
                          ? MaxLong(call, Lane::kReply, flags)
                          : MaxMedium(call);
  if (!further) return most;
  return std::min(most, FurtherMessages::MaxReply(category, numargs));
}
bool IsFurther(gex_Token_t token) {
  return FurtherMessages::Brought(*static_cast<const Token*>(token));
}
}  // namespace

extern "C" {

int gasneti_gex_AM_RequestShort(gex_TM_t tm, gex_Rank_t rank,
                                gasneti_index_t handler, gex_Flags_t flags,
                                unsigned numargs, const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMRequestShort, &gasneti_gex_AM_RequestShort,
                      ToRank<0, 1>, NoBytes, Handler<2>>;
  if (IsObserved() &&
      (IsImmediate(flags) || !Observed::IsCounted(tm, rank, handler, flags,
                                                  numargs, args))) [[unlikely]]
    return Observed::Call(tm, rank, handler, flags, numargs, args);
  constexpr char kCall[] = "gex_AM_RequestShort";
  return Request(kCall, tm, rank, handler, Short(handler, numargs, args),
                 flags);
}
int gasneti_gex_AM_RequestMedium(gex_TM_t tm, gex_Rank_t rank,
                                 gasneti_index_t handler,
                                 const void* source_addr, size_t nbytes,
                                 gex_Event_t* lc_opt, gex_Flags_t flags,
                                 unsigned numargs, const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMRequestMedium, &gasneti_gex_AM_RequestMedium,
                      ToRank<0, 1>, Bytes<4>, Handler<2>>;
  if (IsObserved() &&
      (IsImmediate(flags) ||
       !Observed::IsCounted(tm, rank, handler, source_addr, nbytes, lc_opt,
                            flags, numargs, args))) [[unlikely]]
    return Observed::Call(tm, rank, handler, source_addr, nbytes, lc_opt, flags,
                          numargs, args);
  constexpr char kCall[] = "gex_AM_RequestMedium";
  CheckLcOpt(kCall, lc_opt, kOfRequest);
  CompleteNow(lc_opt);
  return Request(kCall, tm, rank, handler,
                 Medium(handler, source_addr, nbytes, numargs, args), flags);
}
int gasneti_gex_AM_RequestLong(gex_TM_t tm, gex_Rank_t rank,
                               gasneti_index_t handler, const void* source_addr,
                               size_t nbytes, void* dest_addr,
                               gex_Event_t* lc_opt, gex_Flags_t flags,
                               unsigned numargs, const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMRequestLong, &gasneti_gex_AM_RequestLong,
                      ToRank<0, 1>, Bytes<4>, Handler<2>>;
  if (IsObserved() &&
      (IsImmediate(flags) ||
       !Observed::IsCounted(tm, rank, handler, source_addr, nbytes, dest_addr,
                            lc_opt, flags, numargs, args))) [[unlikely]]
    return Observed::Call(tm, rank, handler, source_addr, nbytes, dest_addr,
                          lc_opt, flags, numargs, args);
  constexpr char kCall[] = "gex_AM_RequestLong";
  CheckLcOpt(kCall, lc_opt, kOfRequest);
  CompleteNow(lc_opt);
  return Request(kCall, tm, rank, handler,
                 Long(handler, source_addr, nbytes, dest_addr, numargs, args),
                 flags);
}
int gasneti_gex_AM_RequestShortTo(gasnet_node_t node, gasneti_index_t handler,
                                  unsigned numargs, const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMRequestShort, &gasneti_gex_AM_RequestShortTo,
                      ToNode<0>, NoBytes, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(node, handler, numargs, args))
      [[unlikely]]
    return Observed::Call(node, handler, numargs, args);
  return Messages::RequestEx("gex_AM_RequestShort", node, handler,
                             Short(handler, numargs, args), false);
}
int gasneti_gex_AM_RequestMediumTo(gasnet_node_t node, gasneti_index_t handler,
                                   const void* source_addr, size_t nbytes,
                                   unsigned numargs, const gex_AM_Arg_t* args) {
  using Observed = ObservedMessage<Call::kGexAMRequestMedium,
                                   &gasneti_gex_AM_RequestMediumTo, ToNode<0>,
                                   Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(node, handler, source_addr, nbytes,
                                           numargs, args)) [[unlikely]]
    return Observed::Call(node, handler, source_addr, nbytes, numargs, args);
  return Messages::RequestEx(
      "gex_AM_RequestMedium", node, handler,
      Medium(handler, source_addr, nbytes, numargs, args), false);
}
int gasneti_gex_AM_RequestLongTo(gasnet_node_t node, gasneti_index_t handler,
                                 const void* source_addr, size_t nbytes,
                                 void* dest_addr, unsigned numargs,
                                 const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMRequestLong, &gasneti_gex_AM_RequestLongTo,
                      ToNode<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && !Observed::IsCounted(node, handler, source_addr, nbytes,
                                           dest_addr, numargs, args))
      [[unlikely]]
    return Observed::Call(node, handler, source_addr, nbytes, dest_addr,
                          numargs, args);
  return Messages::RequestEx(
      "gex_AM_RequestLong", node, handler,
      Long(handler, source_addr, nbytes, dest_addr, numargs, args), false);
}
int gasneti_gex_AM_ReplyShort(gex_Token_t token, gasneti_index_t handler,
                              gex_Flags_t flags, unsigned numargs,
                              const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMReplyShort, &gasneti_gex_AM_ReplyShort,
                      ToSource<0>, NoBytes, Handler<1>>;
  if (IsObserved() &&
      (IsImmediate(flags) ||
       !Observed::IsCounted(token, handler, flags, numargs, args))) [[unlikely]]
    return Observed::Call(token, handler, flags, numargs, args);
  return Messages::ReplyEx("gex_AM_ReplyShort", token, handler,
                           Short(handler, numargs, args), IsImmediate(flags));
}
int gasneti_gex_AM_ReplyMedium(gex_Token_t token, gasneti_index_t handler,
                               const void* source_addr, size_t nbytes,
                               gex_Event_t* lc_opt, gex_Flags_t flags,
                               unsigned numargs, const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMReplyMedium, &gasneti_gex_AM_ReplyMedium,
                      ToSource<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() && (IsImmediate(flags) ||
                       !Observed::IsCounted(token, handler, source_addr, nbytes,
                                            lc_opt, flags, numargs, args)))
      [[unlikely]]
    return Observed::Call(token, handler, source_addr, nbytes, lc_opt, flags,
                          numargs, args);
  constexpr char kCall[] = "gex_AM_ReplyMedium";
  CheckLcOpt(kCall, lc_opt, kOfReply);
  CompleteNow(lc_opt);
  return Messages::ReplyEx(kCall, token, handler,
                           Medium(handler, source_addr, nbytes, numargs, args),
                           IsImmediate(flags));
}
int gasneti_gex_AM_ReplyLong(gex_Token_t token, gasneti_index_t handler,
                             const void* source_addr, size_t nbytes,
                             void* dest_addr, gex_Event_t* lc_opt,
                             gex_Flags_t flags, unsigned numargs,
                             const gex_AM_Arg_t* args) {
  using Observed =
      ObservedMessage<Call::kGexAMReplyLong, &gasneti_gex_AM_ReplyLong,
                      ToSource<0>, Bytes<3>, Handler<1>>;
  if (IsObserved() &&
      (IsImmediate(flags) ||
       !Observed::IsCounted(token, handler, source_addr, nbytes, dest_addr,
                            lc_opt, flags, numargs, args))) [[unlikely]]
    return Observed::Call(token, handler, source_addr, nbytes, dest_addr,
                          lc_opt, flags, numargs, args);
  constexpr char kCall[] = "gex_AM_ReplyLong";
  CheckLcOpt(kCall, lc_opt, kOfReply);
  CompleteNow(lc_opt);
  return Messages::ReplyEx(
      kCall, token, handler,
      Long(handler, source_addr, nbytes, dest_addr, numargs, args),
      IsImmediate(flags));
}

size_t gex_AM_MaxRequestMedium(gex_TM_t, gex_Rank_t, const gex_Event_t*,
                               gex_Flags_t, unsigned) {
  return MaxMedium("gex_AM_MaxRequestMedium");
}
size_t gex_AM_MaxReplyMedium(gex_TM_t tm, gex_Rank_t other_rank,
                             const gex_Event_t*, gex_Flags_t flags,
                             unsigned numargs) {
  constexpr char kCall[] = "gex_AM_MaxReplyMedium";
  return MaxReply(kCall, Category::kMedium, IsFurther(kCall, tm, other_rank),
                  flags, numargs);
}
size_t gex_AM_MaxRequestLong(gex_TM_t, gex_Rank_t, const gex_Event_t*,
                             gex_Flags_t flags, unsigned) {
  return MaxLong("gex_AM_MaxRequestLong", Lane::kRequest, flags);
}
size_t gex_AM_MaxReplyLong(gex_TM_t tm, gex_Rank_t other_rank,
                           const gex_Event_t*, gex_Flags_t flags,
                           unsigned numargs) {
  constexpr char kCall[] = "gex_AM_MaxReplyLong";
  return MaxReply(kCall, Category::kLong, IsFurther(kCall, tm, other_rank),
                  flags, numargs);
}
size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t*,
                                gex_Flags_t flags, unsigned numargs) {
  RequireToken("gex_Token_MaxReplyMedium", token);
  return MaxReply("gex_Token_MaxReplyMedium", Category::kMedium,
                  IsFurther(token), flags, numargs);
}
size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t*,
                              gex_Flags_t flags, unsigned numargs) {
  RequireToken("gex_Token_MaxReplyLong", token);
  return MaxReply("gex_Token_MaxReplyLong", Category::kLong, IsFurther(token),
                  flags, numargs);
}
// Lower bounds of the limits, for messages between primordial endpoints. They
// equal the limits of GASNet-1.
size_t gex_AM_LUBRequestMedium(void) {
  return MaxMedium("gex_AM_LUBRequestMedium");
}
size_t gex_AM_LUBReplyMedium(void) {
  return MaxMedium("gex_AM_LUBReplyMedium");
}
size_t gex_AM_LUBRequestLong(void) {
  return MaxLong("gex_AM_LUBRequestLong", Lane::kRequest, 0);
}
size_t gex_AM_LUBReplyLong(void) {
  return MaxLong("gex_AM_LUBReplyLong", Lane::kReply, 0);
}

gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t* info,
                        gex_TI_t /*mask*/) {
  gasnet::RequireAttached("gex_Token_Info");
  if (token == nullptr || info == nullptr) {
    gasnet::Fatal("gex_Token_Info: the %s is null",
                  token == nullptr ? "token" : "info");
  }
  const auto& from = *static_cast<const Token*>(token);
  gasneti_ep& endpoint = *gasnet::ex::Client::Mine().Find(from.to->index());
  info->gex_srcrank = from.source;
  info->gex_ep = &endpoint;
  info->gex_entry = &endpoint.entries.Find(from.index);
  info->gex_is_req = from.is_request;
  info->gex_is_long = from.category == gasnet::am::Category::kLong;
  return GEX_TI_ALL;
}

}  // extern "C"
