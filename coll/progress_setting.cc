#include "coll/progress_setting.h"

#include <span>

#include "base/env.h"

namespace gasnet::coll {

bool WantsProgressThread(bool possible) {
  static constexpr const char* kChoices[] = {"poll", "thread"};
  const std::span<const char* const> choices(kChoices);
  return EnvChoice("GASNET_COLL_PROGRESS", choices.first(possible ? 2 : 1),
                   0) == 1;
}

}  // namespace gasnet::coll
