#include "extended/barrier_choice.h"

#include <array>
#include <span>

#include "base/env.h"
#include "extended/barrier_central.h"
#include "extended/barrier_dissemination.h"

namespace gasnet::extended {

BarrierKind ChooseBarrier(const char* native) {
  constexpr size_t kDefault = 0;
  // The second to fourth names are of other implementations' barriers. Programs
  // may set these names, so they stand for the default.
  const std::array<const char*, 7> names = {"DEFAULT",
                                            "DISSEM",
                                            "RDMADISSEM",
                                            "PSHM",
                                            DisseminationBarrier::kName,
                                            CentralBarrier::kName,
                                            native};
  const BarrierKind by_default =
      native != nullptr ? BarrierKind::kNative : BarrierKind::kDissemination;
  const std::array kinds = {by_default,
                            by_default,
                            by_default,
                            by_default,
                            BarrierKind::kDissemination,
                            BarrierKind::kCentral,
                            BarrierKind::kNative};
  const size_t known = native != nullptr ? names.size() : names.size() - 1;
  return kinds[EnvChoice("GASNET_BARRIER", std::span(names).first(known),
                         kDefault)];
}

bool RelaxedBarrierFlags() {
  constexpr std::array<const char*, 2> kChoices = {"strict", "relaxed"};
  return EnvChoice("GASNET_BARRIER_FLAGS", kChoices, 0) == 1;
}

}  // namespace gasnet::extended
