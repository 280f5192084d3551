#include "conduits/any/choice.h"

#include <strings.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/env.h"
#include "base/log.h"
#include "base/own_env.h"
#include "conduits/ofi/ofi_conduit.h"
#include "conduits/ofi/start.h"
#include "conduits/portals/portals_conduit.h"
#include "conduits/smp/smp_conduit.h"
#include "conduits/udp/udp_conduit.h"
#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::any {
namespace {

constexpr const char* kVariable = "GASNET_CONDUIT";

// All conduits. The values of GASNET_CONDUIT are `auto` and then the names of
// these conduits, in the order of this list.
constexpr std::array kConduits = {&smp::kConduit, &udp::kConduit,
                                  &ofi::kConduit, &portals_conduit::kConduit};
constexpr size_t kAuto = 0;

std::vector<const char*> Names() {
  std::vector<const char*> names = {"auto"};
  for (const Conduit* const each : kConduits) names.push_back(each->name);
  return names;
}

struct Pick {
  const Conduit* conduit;
  const char* reason;
};

Pick ByItself(job::Job& job) {
  if (job.host_size() == job.size()) {
    return {&smp::kConduit, "all ranks are on one host"};
  }
  if (ofi::HasOwnNetwork(job)) {
    return {&ofi::kConduit, "libfabric has a network of its own on all hosts"};
  }
  return {&udp::kConduit,
          "there are several hosts, and libfabric has no network of its own on "
          "all of them"};
}

// Returns true if this rank must report the choice. Only rank 0 does, and only
// if gasnetrun -v has set GASNET_VERBOSEJOB or all settings are reported.
bool IsTold(const job::Job& job) {
  const bool of_job = EnvBool("GASNET_VERBOSEJOB", false);
  return job.rank() == 0 && (of_job || ReportsEnvironment());
}

}  // namespace

absl::StatusOr<const Conduit*> ChooseConduit(job::Job& job) {
  const std::vector<const char*> names = Names();
  const auto wish = static_cast<uint32_t>(EnvChoice(kVariable, names, kAuto));
  const std::vector<uint32_t> wishes = job::Gather(job, wish);
  for (uint32_t rank = 0; rank < wishes.size(); ++rank) {
    if (wishes[rank] == wishes[0]) continue;
    return job::ReportOnce(
        job, "gasnet_init",
        absl::InvalidArgumentError(
            absl::StrCat(kVariable, " is ", names[wishes[0]], " on rank 0 and ",
                         names[wishes[rank]], " on rank ", rank,
                         "; it must be the same on all ranks")));
  }
  const Pick pick = wish == kAuto
                        ? ByItself(job)
                        : Pick{kConduits[wish - 1], "GASNET_CONDUIT names it"};
  if (IsTold(job)) {
    Inform("the conduit is %s: %s", pick.conduit->name, pick.reason);
  }
  return pick.conduit;
}

absl::Status BeforeStart(int* argc, char*** argv) {
  const char* const wish = OwnEnv(kVariable);
  const Conduit* starter = &udp::kConduit;
  for (const Conduit* const each : kConduits) {
    if (wish != nullptr && strcasecmp(wish, each->name) == 0) starter = each;
  }
  if (starter->before_start == nullptr) return absl::OkStatus();
  return starter->before_start(argc, argv);
}

}  // namespace gasnet::any
