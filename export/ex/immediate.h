// GEX_FLAG_IMMEDIATE: if there is no room, the call does not wait, but returns
// without effect.
#ifndef EXPORT_EX_IMMEDIATE_H_
#define EXPORT_EX_IMMEDIATE_H_

#include "base/log.h"
#include "core/thread/mode.h"
#include "extended/attempt.h"
#include "gasnetex.h"

namespace gasnet::exported {

inline bool IsImmediate(gex_Flags_t flags) {
  return (flags & GEX_FLAG_IMMEDIATE) != 0;
}

// Ends the job, in debug builds, if the flags have GEX_FLAG_IMMEDIATE. Calls
// that do not support the flag use it.
inline void RefuseImmediate(const char* call, gex_Flags_t flags) {
  if constexpr (!thread::kChecks) return;
  if (IsImmediate(flags)) Fatal("%s: does not take GEX_FLAG_IMMEDIATE", call);
}

// The operation that a call with these flags starts, and the call's results.
class Start {
 public:
  explicit Start(gex_Flags_t flags) : is_immediate_(IsImmediate(flags)) {}

  extended::Attempt* attempt() { return is_immediate_ ? &attempt_ : nullptr; }
  bool refused() const { return attempt_.refused(); }
  int Code() const { return refused() ? 1 : 0; }
  gex_Event_t Event(gex_Event_t root) const {
    return refused() ? GEX_EVENT_NO_OP : root;
  }

 private:
  const bool is_immediate_;
  extended::Attempt attempt_;
};

}  // namespace gasnet::exported

#endif  // EXPORT_EX_IMMEDIATE_H_
