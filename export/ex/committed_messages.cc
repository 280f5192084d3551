// The C functions of gasnet/ex_am_prepared.h that send (commit) or cancel a
// prepared message.
#include <cstddef>

#include "base/log.h"
#include "core/am/message.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "ex/prepared.h"
#include "export/ex/immediate.h"
#include "export/ex/local_completion.h"
#include "export/ex/observed.h"
#include "export/ex/prepared_kinds.h"
#include "export/message_functions.h"
#include "gasnetex.h"

namespace {
using gasnet::exported::Bytes;
using gasnet::exported::Handler;
using gasnet::exported::PreparedKind;
using gasnet::exported::Run;
using gasnet::exported::ToPrepared;
using gasnet::observe::Call;
using gasnet::observe::IsObserved;
using Messages = gasnet::exported::MessageFunctions;
using gasnet::am::Lane;
using gasnet::exported::CheckDescriptor;
using gasnet::exported::Index;
using gasnet::exported::IsLong;
using gasnet::exported::IsReply;
using gasnet::exported::kCancels;
using gasnet::exported::kCommits;
using gasnet::exported::Long;
using gasnet::exported::Medium;
using gasnet::thread::kChecks;

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

// Gives the memory that the link prepared back to the link, unless the message
// used this memory.
void EndPrepared(const gasneti_sd& sd) {
  if (!sd.in_link) return;
  if (sd.token == nullptr) {
    gasnet::runtime->engine().EndPrepared(sd.node, Lane::kRequest, sd.num_args,
                                          sd.payload);
    return;
  }
  const auto& token = *static_cast<const gasnet::am::Token*>(sd.token);
  gasnet::runtime->EndpointOf(token).engine().EndPrepared(
      sd.node, Lane::kReply, sd.num_args, sd.payload);
}

int Commit(PreparedKind kind, gex_AM_SrcDesc_t sd, gasneti_index_t handler,
           size_t nbytes, void* dest_addr, gex_Flags_t flags, unsigned num_args,
           const gex_AM_Arg_t* args) {
  const char* const call = kCommits[Index(kind)];
  CheckDescriptor(call, sd, kind);
  CheckCommit(call, *sd, nbytes, dest_addr, num_args);
  gasnet::am::Message message =
      IsLong(kind)
          ? Long(handler, sd->payload, nbytes, dest_addr, num_args, args)
          : Medium(handler, sd->payload, nbytes, num_args, args);
  message.loan = sd->loan;
  const bool immediate = gasnet::exported::IsImmediate(flags);
  void*& prepared = gasnet::thread::Self().prepared;
  // Clears the pointer before the send: a send that waits may run handlers, and
  // these may prepare replies.
  prepared = nullptr;
  const int failed =
      IsReply(kind)
          ? Messages::ReplyEx(call, sd->token, handler, message, immediate)
      : sd->own != nullptr
          ? Messages::RequestFurther(call, *sd->own, {sd->node, sd->endpoint},
                                     handler, message, immediate)
          : Messages::RequestEx(call, sd->node, handler, message, immediate);
  if (failed != 0) {
    prepared = sd;
  } else {
    EndPrepared(*sd);
    gasnet::exported::CompleteNow(sd->lc_opt);
  }
  return failed;
}

int Cancel(PreparedKind kind, gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  gasnet::exported::RefuseImmediate(kCancels[Index(kind)], flags);
  CheckDescriptor(kCancels[Index(kind)], sd, kind);
  gasnet::thread::Self().prepared = nullptr;
  EndPrepared(*sd);
  return 0;
}
}  // namespace

extern "C" {

int gasneti_gex_AM_CommitRequestMedium(gex_AM_SrcDesc_t sd,
                                       gasneti_index_t handler, size_t nbytes,
                                       gex_Flags_t commit_flags,
                                       unsigned numargs,
                                       const gex_AM_Arg_t* args) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCommitRequestMedium,
               &gasneti_gex_AM_CommitRequestMedium, ToPrepared<0>, Bytes<2>,
               Handler<1>>(sd, handler, nbytes, commit_flags, numargs, args);
  return Commit(PreparedKind::kRequestMedium, sd, handler, nbytes, nullptr,
                commit_flags, numargs, args);
}
int gasneti_gex_AM_CommitRequestLong(gex_AM_SrcDesc_t sd,
                                     gasneti_index_t handler, size_t nbytes,
                                     void* dest_addr, gex_Flags_t commit_flags,
                                     unsigned numargs,
                                     const gex_AM_Arg_t* args) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCommitRequestLong, &gasneti_gex_AM_CommitRequestLong,
               ToPrepared<0>, Bytes<2>, Handler<1>>(
        sd, handler, nbytes, dest_addr, commit_flags, numargs, args);
  return Commit(PreparedKind::kRequestLong, sd, handler, nbytes, dest_addr,
                commit_flags, numargs, args);
}
int gasneti_gex_AM_CommitReplyMedium(gex_AM_SrcDesc_t sd,
                                     gasneti_index_t handler, size_t nbytes,
                                     gex_Flags_t commit_flags, unsigned numargs,
                                     const gex_AM_Arg_t* args) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCommitReplyMedium, &gasneti_gex_AM_CommitReplyMedium,
               ToPrepared<0>, Bytes<2>, Handler<1>>(
        sd, handler, nbytes, commit_flags, numargs, args);
  return Commit(PreparedKind::kReplyMedium, sd, handler, nbytes, nullptr,
                commit_flags, numargs, args);
}
int gasneti_gex_AM_CommitReplyLong(gex_AM_SrcDesc_t sd, gasneti_index_t handler,
                                   size_t nbytes, void* dest_addr,
                                   gex_Flags_t commit_flags, unsigned numargs,
                                   const gex_AM_Arg_t* args) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCommitReplyLong, &gasneti_gex_AM_CommitReplyLong,
               ToPrepared<0>, Bytes<2>, Handler<1>>(
        sd, handler, nbytes, dest_addr, commit_flags, numargs, args);
  return Commit(PreparedKind::kReplyLong, sd, handler, nbytes, dest_addr,
                commit_flags, numargs, args);
}

int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCancelRequestMedium, &gex_AM_CancelRequestMedium>(
        sd, flags);
  return Cancel(PreparedKind::kRequestMedium, sd, flags);
}
int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCancelRequestLong, &gex_AM_CancelRequestLong>(sd,
                                                                         flags);
  return Cancel(PreparedKind::kRequestLong, sd, flags);
}
int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCancelReplyMedium, &gex_AM_CancelReplyMedium>(sd,
                                                                         flags);
  return Cancel(PreparedKind::kReplyMedium, sd, flags);
}
int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags) {
  if (IsObserved()) [[unlikely]]
    return Run<Call::kGexAMCancelReplyLong, &gex_AM_CancelReplyLong>(sd, flags);
  return Cancel(PreparedKind::kReplyLong, sd, flags);
}

}  // extern "C"
