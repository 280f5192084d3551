#include "extended/barrier_choice.h"

#include <array>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/env.h"
#include "base/log.h"
#include "extended/barrier_central.h"
#include "extended/barrier_dissemination.h"

namespace gasnet::extended {

BarrierKind ChooseBarrier(const char* native) {
  constexpr size_t kDefault = 0;
  const std::array<const char*, 4> names = {
      "DEFAULT", DisseminationBarrier::kName, CentralBarrier::kName, native};
  const BarrierKind by_default =
      native != nullptr ? BarrierKind::kNative : BarrierKind::kDissemination;
  const std::array kinds = {by_default, BarrierKind::kDissemination,
                            BarrierKind::kCentral, BarrierKind::kNative};
  const size_t known = native != nullptr ? names.size() : names.size() - 1;
  return kinds[EnvChoice("GASNET_BARRIER", std::span(names).first(known),
                         kDefault)];
}

bool RelaxedBarrierFlags() {
  constexpr std::array<const char*, 2> kChoices = {"strict", "relaxed"};
  return EnvChoice("GASNET_BARRIER_FLAGS", kChoices, 0) == 1;
}

void RequireSameBarrier(job::Job& job, BarrierKind mine) {
  std::vector<BarrierKind> all(job.size());
  const absl::Status gathered =
      job.AllGather(std::as_bytes(std::span(&mine, 1)),
                    std::as_writable_bytes(std::span(all)));
  if (!gathered.ok()) {
    Fatal("the ranks cannot agree on a barrier: %s",
          std::string(gathered.message()).c_str());
  }
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (all[rank] != mine) {
      Fatal(
          "rank %u uses another barrier than rank %u; GASNET_BARRIER must be "
          "the same on all ranks",
          rank, job.rank());
    }
  }
}

}  // namespace gasnet::extended
