#include "core/thread/rules.h"

#include "base/log.h"

namespace gasnet::thread {
namespace internal {

namespace {
void RequireNonePrepared(const char* call) {
  if (Self().prepared == nullptr) return;
  Fatal(
      "%s called between a gex_AM_Prepare* and the gex_AM_Commit* or "
      "gex_AM_Cancel* that ends it",
      call);
}
}  // namespace

void RequireMayCommunicate(const char* call) {
  const ThreadState& self = Self();
  RequireNonePrepared(call);
  if (self.context != Context::kClient) {
    Fatal(
        "%s called in a %s handler; only a reply, in a request handler, may "
        "communicate there",
        call, self.context == Context::kRequestHandler ? "request" : "reply");
  }
  if (self.top_lock != nullptr) {
    Fatal("%s called while holding a handler-safe lock", call);
  }
  if (self.interrupts_held) {
    Fatal("%s called in a no-interrupt section", call);
  }
}

void RequireMayReply(const char* call, bool is_request, bool replied) {
  const ThreadState& self = Self();
  RequireNonePrepared(call);
  if (!is_request) {
    Fatal("%s called in a reply handler; replies cannot be answered", call);
  }
  if (self.context != Context::kRequestHandler) {
    Fatal("%s called outside the request handler its token belongs to", call);
  }
  if (replied) Fatal("%s called a second time for the same request", call);
  if (self.top_lock != nullptr) {
    Fatal("%s called while the handler holds a handler-safe lock", call);
  }
}

void RequireNoLocksAfterHandler(const gasneti_hsl* before, unsigned handler) {
  if (Self().top_lock != before) {
    Fatal(
        "handler %u returned without releasing a handler-safe lock "
        "(gasnet_hsl_lock) that it acquired",
        handler);
  }
}

}  // namespace internal

void HandlerScope::Enter(Context context, unsigned handler) {
  ThreadState& self = Self();
  outer_ = self.context;
  handler_ = handler;
  locks_before_ = self.top_lock;
  self.context = context;
}

void HandlerScope::Leave() {
  if (Self().prepared != nullptr) {
    Fatal(
        "handler %u returned between a gex_AM_PrepareReply* and the "
        "gex_AM_CommitReply* or gex_AM_CancelReply* that ends it",
        handler_);
  }
  internal::RequireNoLocksAfterHandler(locks_before_, handler_);
  Self().context = outer_;
}

}  // namespace gasnet::thread
