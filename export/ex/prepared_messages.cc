// The C functions of gasnet/ex_am_prepared.h.
#include <algorithm>
#include <cstddef>
#include <new>

#include "base/cache_line.h"
#include "base/log.h"
#include "core/am/message.h"
#include "core/phase.h"
#include "core/thread/mode.h"
#include "core/thread/rules.h"
#include "core/thread/thread_state.h"
#include "ex/prepared.h"
#include "export/ex/local_completion.h"
#include "export/ex/peers.h"
#include "export/message_functions.h"
#include "gasnetex.h"

namespace {
using Kind = gasneti_sd_kind;
using Messages = gasnet::exported::MessageFunctions;
using gasnet::am::Lane;
using gasnet::exported::CompleteNow;
using gasnet::exported::Long;
using gasnet::exported::Medium;
using gasnet::thread::kChecks;

constexpr const char* kPrepares[] = {
    "gex_AM_PrepareRequestMedium", "gex_AM_PrepareRequestLong",
    "gex_AM_PrepareReplyMedium", "gex_AM_PrepareReplyLong"};
constexpr const char* kCommits[] = {
    "gex_AM_CommitRequestMedium", "gex_AM_CommitRequestLong",
    "gex_AM_CommitReplyMedium", "gex_AM_CommitReplyLong"};
constexpr const char* kCancels[] = {
    "gex_AM_CancelRequestMedium", "gex_AM_CancelRequestLong",
    "gex_AM_CancelReplyMedium", "gex_AM_CancelReplyLong"};

constexpr size_t Index(Kind kind) { return static_cast<size_t>(kind); }
constexpr bool IsLong(Kind kind) {
  return kind == Kind::kRequestLong || kind == Kind::kReplyLong;
}
constexpr bool IsReply(Kind kind) {
  return kind == Kind::kReplyMedium || kind == Kind::kReplyLong;
}

size_t Limit(Kind kind, bool in_own_buffer) {
  const char* const call = kPrepares[Index(kind)];
  const size_t medium = Messages::MaxMedium(call);
  if (!IsLong(kind)) return medium;
  const size_t most =
      Messages::MaxLong(call, IsReply(kind) ? Lane::kReply : Lane::kRequest);
  return in_own_buffer ? most : std::min(most, medium);
}

struct Wish {
  const void* client_buf;
  size_t least;
  size_t most;
  gex_Event_t* lc_opt;
  unsigned num_args;
};

[[maybe_unused]] void CheckWish(Kind kind, const Wish& wish, size_t limit) {
  const char* const call = kPrepares[Index(kind)];
  if (wish.least > wish.most || wish.least > limit) {
    gasnet::Fatal(
        "%s: least_payload is %zu; it may be at most most_payload, %zu, and "
        "the limit, %zu",
        call, wish.least, wish.most, limit);
  }
  if (wish.num_args > gasnet::am::kMaxArgs) {
    gasnet::Fatal("%s: numargs is %u; the limit is %u", call, wish.num_args,
                  gasnet::am::kMaxArgs);
  }
  if (wish.client_buf != nullptr) {
    CheckLcOpt(call, wish.lc_opt,
               IsReply(kind) ? gasnet::exported::kOfReply
                             : gasnet::exported::kOfRequest);
  } else if (wish.lc_opt != nullptr) {
    gasnet::Fatal("%s: lc_opt must be NULL with the library's buffer", call);
  }
}

// The thread's memory has the descriptor, and after it the library's buffer.
gex_AM_SrcDesc_t Prepare(Kind kind, const Wish& wish) {
  constexpr size_t kPayload = gasnet::kCacheLine;
  static_assert(sizeof(gasneti_sd) <= kPayload);
  const bool in_own_buffer = wish.client_buf != nullptr;
  const size_t limit = Limit(kind, in_own_buffer);
  if constexpr (kChecks) CheckWish(kind, wish, limit);
  const size_t size = std::min(wish.most, limit);
  gasnet::thread::ThreadState& self = gasnet::thread::Self();
  gasnet::thread::Scratch& memory =
      IsReply(kind) ? self.prepared_reply : self.prepared_request;
  auto* const first = static_cast<std::byte*>(
      memory.AtLeast(kPayload + (in_own_buffer ? 0 : size)));
  auto* const descriptor = new (first) gasneti_sd{.kind = kind,
                                                  .size = size,
                                                  .lc_opt = wish.lc_opt,
                                                  .num_args = wish.num_args};
  descriptor->payload =
      in_own_buffer ? const_cast<void*>(wish.client_buf) : first + kPayload;
  self.prepared = descriptor;
  return descriptor;
}

gex_AM_SrcDesc_t PrepareRequest(Kind kind, gex_TM_t tm, gex_Rank_t rank,
                                const Wish& wish, void* dest_addr) {
  const char* const call = kPrepares[Index(kind)];
  gasnet::RequireAttached(call);
  gasnet::thread::RequireMayCommunicate(call);
  const gasnet::Rank node = gasnet::exported::NodeOf(call, tm, rank);
  const gex_AM_SrcDesc_t descriptor = Prepare(kind, wish);
  descriptor->node = node;
  descriptor->dest_addr = dest_addr;
  return descriptor;
}

gex_AM_SrcDesc_t PrepareReply(Kind kind, gex_Token_t token, const Wish& wish,
                              void* dest_addr) {
  const char* const call = kPrepares[Index(kind)];
  gasnet::RequireAttached(call);
  if constexpr (kChecks) {
    if (token == nullptr) gasnet::Fatal("%s: the token is null", call);
    const auto& from = *static_cast<const gasnet::am::Token*>(token);
    gasnet::thread::RequireMayReply(call, from.is_request, from.replied);
  }
  const gex_AM_SrcDesc_t descriptor = Prepare(kind, wish);
  descriptor->token = token;
  descriptor->dest_addr = dest_addr;
  return descriptor;
}

// Ends the job, in debug builds, if this is not what the thread prepares.
void CheckDescriptor(const char* call, gex_AM_SrcDesc_t sd) {
  if constexpr (!kChecks) return;
  if (sd == nullptr || sd != gasnet::thread::Self().prepared) {
    gasnet::Fatal(
        "%s: descriptor %p is not that of this thread's last gex_AM_Prepare*, "
        "or was used before",
        call, static_cast<void*>(sd));
  }
}
void CheckDescriptor(const char* call, gex_AM_SrcDesc_t sd, Kind kind) {
  if constexpr (!kChecks) return;
  CheckDescriptor(call, sd);
  if (sd->kind == kind) return;
  gasnet::Fatal("%s: the descriptor is one of %s", call,
                kPrepares[Index(sd->kind)]);
}

void CheckCommit(const char* call, const gasneti_sd& sd, size_t nbytes,
                 const void* dest_addr, unsigned num_args) {
  if constexpr (!kChecks) return;
  if (nbytes > sd.size) {
    gasnet::Fatal("%s: nbytes is %zu; gex_AM_SrcDescSize is %zu", call, nbytes,
                  sd.size);
  }
  if (num_args != sd.num_args) {
    gasnet::Fatal("%s: %u arguments; numargs of the Prepare was %u", call,
                  num_args, sd.num_args);
  }
  if (sd.dest_addr != nullptr && sd.dest_addr != dest_addr) {
    gasnet::Fatal("%s: dest_addr is %p; that of the Prepare was %p", call,
                  dest_addr, sd.dest_addr);
  }
}

int Commit(Kind kind, gex_AM_SrcDesc_t sd, gasneti_index_t handler,
           size_t nbytes, void* dest_addr, gex_Flags_t flags, unsigned num_args,
           const gex_AM_Arg_t* args) {
  const char* const call = kCommits[Index(kind)];
  CheckDescriptor(call, sd, kind);
  CheckCommit(call, *sd, nbytes, dest_addr, num_args);
  const gasnet::am::Message message =
      IsLong(kind)
          ? Long(handler, sd->payload, nbytes, dest_addr, num_args, args)
          : Medium(handler, sd->payload, nbytes, num_args, args);
  const bool immediate = (flags & GEX_FLAG_IMMEDIATE) != 0;
  void*& prepared = gasnet::thread::Self().prepared;
  // A send that waits may run handlers, which prepare replies.
  prepared = nullptr;
  const int failed =
      IsReply(kind)
          ? Messages::ReplyEx(call, sd->token, handler, message, immediate)
          : Messages::RequestEx(call, sd->node, handler, message, immediate);
  if (failed != 0) {
    prepared = sd;
  } else {
    CompleteNow(sd->lc_opt);
  }
  return failed;
}

int Cancel(Kind kind, gex_AM_SrcDesc_t sd) {
  CheckDescriptor(kCancels[Index(kind)], sd, kind);
  gasnet::thread::Self().prepared = nullptr;
  return 0;
}
}  // namespace

extern "C" {

gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(
    gex_TM_t tm, gex_Rank_t rank, const void* client_buf, size_t least_payload,
    size_t most_payload, gex_Event_t* lc_opt, gex_Flags_t, unsigned numargs) {
  return PrepareRequest(
      Kind::kRequestMedium, tm, rank,
      {client_buf, least_payload, most_payload, lc_opt, numargs}, nullptr);
}
gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(gex_TM_t tm, gex_Rank_t rank,
                                           const void* client_buf,
                                           size_t least_payload,
                                           size_t most_payload, void* dest_addr,
                                           gex_Event_t* lc_opt, gex_Flags_t,
                                           unsigned numargs) {
  return PrepareRequest(
      Kind::kRequestLong, tm, rank,
      {client_buf, least_payload, most_payload, lc_opt, numargs}, dest_addr);
}
gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(
    gex_Token_t token, const void* client_buf, size_t least_payload,
    size_t most_payload, gex_Event_t* lc_opt, gex_Flags_t, unsigned numargs) {
  return PrepareReply(
      Kind::kReplyMedium, token,
      {client_buf, least_payload, most_payload, lc_opt, numargs}, nullptr);
}
gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token,
                                         const void* client_buf,
                                         size_t least_payload,
                                         size_t most_payload, void* dest_addr,
                                         gex_Event_t* lc_opt, gex_Flags_t,
                                         unsigned numargs) {
  return PrepareReply(
      Kind::kReplyLong, token,
      {client_buf, least_payload, most_payload, lc_opt, numargs}, dest_addr);
}

void* gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd) {
  CheckDescriptor("gex_AM_SrcDescAddr", sd);
  return sd->payload;
}
size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd) {
  CheckDescriptor("gex_AM_SrcDescSize", sd);
  return sd->size;
}

int gasneti_gex_AM_CommitRequestMedium(gex_AM_SrcDesc_t sd,
                                       gasneti_index_t handler, size_t nbytes,
                                       gex_Flags_t commit_flags,
                                       unsigned numargs,
                                       const gex_AM_Arg_t* args) {
  return Commit(Kind::kRequestMedium, sd, handler, nbytes, nullptr,
                commit_flags, numargs, args);
}
int gasneti_gex_AM_CommitRequestLong(gex_AM_SrcDesc_t sd,
                                     gasneti_index_t handler, size_t nbytes,
                                     void* dest_addr, gex_Flags_t commit_flags,
                                     unsigned numargs,
                                     const gex_AM_Arg_t* args) {
  return Commit(Kind::kRequestLong, sd, handler, nbytes, dest_addr,
                commit_flags, numargs, args);
}
int gasneti_gex_AM_CommitReplyMedium(gex_AM_SrcDesc_t sd,
                                     gasneti_index_t handler, size_t nbytes,
                                     gex_Flags_t commit_flags, unsigned numargs,
                                     const gex_AM_Arg_t* args) {
  return Commit(Kind::kReplyMedium, sd, handler, nbytes, nullptr, commit_flags,
                numargs, args);
}
int gasneti_gex_AM_CommitReplyLong(gex_AM_SrcDesc_t sd, gasneti_index_t handler,
                                   size_t nbytes, void* dest_addr,
                                   gex_Flags_t commit_flags, unsigned numargs,
                                   const gex_AM_Arg_t* args) {
  return Commit(Kind::kReplyLong, sd, handler, nbytes, dest_addr, commit_flags,
                numargs, args);
}

int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t) {
  return Cancel(Kind::kRequestMedium, sd);
}
int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t) {
  return Cancel(Kind::kRequestLong, sd);
}
int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t) {
  return Cancel(Kind::kReplyMedium, sd);
}
int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t) {
  return Cancel(Kind::kReplyLong, sd);
}

}  // extern "C"
