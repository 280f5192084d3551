// Support for GEX_FLAG_IMMEDIATE: if there is no room, a call with this flag
// does not wait, but returns without effect.
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

// Checks the flags of calls that do not support GEX_FLAG_IMMEDIATE. In debug
// builds, ends the job if the flags have it.
inline void RefuseImmediate(const char* call, gex_Flags_t flags) {
  if constexpr (!thread::kChecks) return;
  if (IsImmediate(flags)) Fatal("%s: does not take GEX_FLAG_IMMEDIATE", call);
}

// Holds the attempt to start an operation with these flags, and yields the
// call's results.
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
