// The lc_opt argument of GASNet-EX calls. It chooses when the client may reuse
// the source of a put or message (gasnet_fwd.h).
#ifndef EXPORT_EX_LOCAL_COMPLETION_H_
#define EXPORT_EX_LOCAL_COMPLETION_H_

#include <cstdint>

#include "base/log.h"
#include "core/thread/mode.h"
#include "gasnetex.h"

namespace gasnet::exported {

// Returns true if the client wants an event for local completion.
inline bool IsEventWanted(const gex_Event_t* lc_opt) {
  return reinterpret_cast<uintptr_t>(lc_opt) >
         reinterpret_cast<uintptr_t>(GEX_EVENT_GROUP);
}

// Reports local completion at once. Used by calls that return only when the
// source may be reused.
inline void CompleteNow(gex_Event_t* lc_opt) {
  if (IsEventWanted(lc_opt)) *lc_opt = GEX_EVENT_INVALID;
}

// The values of lc_opt that a call accepts, besides GEX_EVENT_NOW.
struct LcOptions {
  bool defer = false;
  bool group = false;
  bool event = false;
};
inline constexpr LcOptions kOfPutNb = {.defer = true, .event = true};
inline constexpr LcOptions kOfPutNbi = {.defer = true, .group = true};
inline constexpr LcOptions kOfRequest = {.group = true, .event = true};
inline constexpr LcOptions kOfReply = {.event = true};

// Ends the job, in debug builds, if the call does not accept this lc_opt.
inline void CheckLcOpt(const char* call, const gex_Event_t* lc_opt,
                       LcOptions taken) {
  if constexpr (!thread::kChecks) return;
  if (lc_opt == GEX_EVENT_NOW) return;
  if (lc_opt == GEX_EVENT_DEFER && taken.defer) return;
  if (lc_opt == GEX_EVENT_GROUP && taken.group) return;
  if (IsEventWanted(lc_opt) && taken.event) return;
  Fatal("%s: lc_opt is %s; the call takes GEX_EVENT_NOW%s%s%s", call,
        lc_opt == nullptr           ? "NULL"
        : lc_opt == GEX_EVENT_DEFER ? "GEX_EVENT_DEFER"
        : lc_opt == GEX_EVENT_GROUP ? "GEX_EVENT_GROUP"
                                    : "the address of an event",
        taken.defer ? ", GEX_EVENT_DEFER" : "",
        taken.group ? ", GEX_EVENT_GROUP" : "",
        taken.event ? ", the address of an event" : "");
}

}  // namespace gasnet::exported

#endif  // EXPORT_EX_LOCAL_COMPLETION_H_
