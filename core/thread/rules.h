// The rules on the contexts in which a GASNet call is legal (spec 2.3.4, 2.4.1,
// 2.4.3, 2.4.5). In debug builds a violation ends the job with a message that
// names the call and the rule. In other builds every function here compiles to
// nothing.
#ifndef CORE_THREAD_RULES_H_
#define CORE_THREAD_RULES_H_

#include "core/thread/mode.h"
#include "core/thread/thread_state.h"

namespace gasnet::thread {

namespace internal {
void RequireMayCommunicate(const char* call);
void RequireMayReply(const char* call, bool is_request, bool replied);
void RequireNoLocksAfterHandler(const gasneti_hsl* before, unsigned handler);
}  // namespace internal

// Checks requests, polls, transfers, syncs and barriers. They are legal only in
// main-line client code, outside no-interrupt sections and without a
// handler-safe lock.
inline void RequireMayCommunicate(const char* call) {
  if constexpr (kChecks) internal::RequireMayCommunicate(call);
}

// Checks a reply. It is legal once in each request handler, while the handler
// holds no lock.
inline void RequireMayReply(const char* call, bool is_request, bool replied) {
  if constexpr (kChecks) internal::RequireMayReply(call, is_request, replied);
}

// Marks the calling thread, for a scope, as running a handler. At the end,
// checks that the handler has released the locks that it took.
class HandlerScope {
 public:
  HandlerScope(Context context, unsigned handler) {
    if constexpr (kChecks) Enter(context, handler);
  }
  ~HandlerScope() {
    if constexpr (kChecks) Leave();
  }
  HandlerScope(const HandlerScope&) = delete;
  HandlerScope& operator=(const HandlerScope&) = delete;

 private:
  void Enter(Context context, unsigned handler);
  void Leave();

  Context outer_ = Context::kClient;
  unsigned handler_ = 0;
  const gasneti_hsl* locks_before_ = nullptr;
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_RULES_H_
