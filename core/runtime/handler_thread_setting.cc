#include "core/runtime/handler_thread_setting.h"

#include "base/env.h"
#include "base/log.h"

namespace gasnet {

bool WantsHandlerThread(bool possible) {
  constexpr char kSetting[] = "GASNET_PROGRESS_THREAD";
  if (!EnvBool(kSetting, false)) return false;
  if (!possible) {
    Fatal(
        "%s is set to '%s'; accepted: 0, no, false, off (only a library for "
        "GASNET_PAR has such a thread)",
        kSetting, GetEnv(kSetting));
  }
  return true;
}

}  // namespace gasnet
