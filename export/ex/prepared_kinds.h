// The kinds of messages with a negotiated payload, and the checks that the C
// functions of these messages share.
#ifndef EXPORT_EX_PREPARED_KINDS_H_
#define EXPORT_EX_PREPARED_KINDS_H_

#include <cstddef>

#include "base/log.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "ex/prepared.h"
#include "gasnetex.h"

namespace gasnet::exported {

using PreparedKind = gasneti_sd_kind;

inline constexpr const char* kPrepares[] = {
    "gex_AM_PrepareRequestMedium", "gex_AM_PrepareRequestLong",
    "gex_AM_PrepareReplyMedium", "gex_AM_PrepareReplyLong"};
inline constexpr const char* kCommits[] = {
    "gex_AM_CommitRequestMedium", "gex_AM_CommitRequestLong",
    "gex_AM_CommitReplyMedium", "gex_AM_CommitReplyLong"};
inline constexpr const char* kCancels[] = {
    "gex_AM_CancelRequestMedium", "gex_AM_CancelRequestLong",
    "gex_AM_CancelReplyMedium", "gex_AM_CancelReplyLong"};

constexpr size_t Index(PreparedKind kind) { return static_cast<size_t>(kind); }
constexpr bool IsLong(PreparedKind kind) {
  return kind == PreparedKind::kRequestLong || kind == PreparedKind::kReplyLong;
}
constexpr bool IsReply(PreparedKind kind) {
  return kind == PreparedKind::kReplyMedium || kind == PreparedKind::kReplyLong;
}

// Ends the job, in debug builds, if `sd` is not the message that this thread is
// preparing.
inline void CheckDescriptor(const char* call, gex_AM_SrcDesc_t sd) {
  if constexpr (!thread::kChecks) return;
  if (sd == nullptr || sd != thread::Self().prepared) {
    Fatal(
        "%s: descriptor %p is not that of this thread's last gex_AM_Prepare*, "
        "or was used before",
        call, static_cast<void*>(sd));
  }
}
inline void CheckDescriptor(const char* call, gex_AM_SrcDesc_t sd,
                            PreparedKind kind) {
  if constexpr (!thread::kChecks) return;
  CheckDescriptor(call, sd);
  if (sd->kind == kind) return;
  Fatal("%s: the descriptor is one of %s", call, kPrepares[Index(sd->kind)]);
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_PREPARED_KINDS_H_
