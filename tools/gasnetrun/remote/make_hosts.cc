#include "tools/gasnetrun/remote/make_hosts.h"

#include <sys/stat.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "tools/gasnetrun/remote/fingerprint.h"
#include "tools/gasnetrun/remote/remote_host.h"

namespace gasnet::gasnetrun {
namespace {

uint32_t CurrentUmask() {
  const mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// Returns the fingerprint that agents check, or an empty string. A name without
// a slash is not checked. It names a tool like env, and each host has its own
// file for the tool.
std::string FingerprintToCheck(const job::JobPlan& plan) {
  const bool is_path = plan.arguments.front().find('/') != std::string::npos;
  return is_path ? Fingerprint(plan.program) : std::string();
}

std::shared_ptr<const StartOrder> MakeOrder(const job::JobPlan& plan,
                                            const SshSettings& ssh,
                                            Binding binding) {
  StartOrder order;
  order.host_of = plan.host_of;
  order.silence_millis =
      static_cast<uint32_t>(ssh.silence_nanos / kNanosPerMilli);
  order.mask = CurrentUmask();
  order.binding = binding;
  order.tag_output = plan.tag_output;
  order.to_terminal = plan.to_terminal;
  order.program = plan.program;
  order.fingerprint = FingerprintToCheck(plan);
  order.directory = plan.directory;
  order.remote_path = ssh.remote_path;
  order.arguments = plan.arguments;
  order.environment = plan.environment;
  return std::make_shared<const StartOrder>(std::move(order));
}

}  // namespace

job::MakeHosts HostMaker(const Launch& launch, Binding binding) {
  if (launch.hosts.empty()) return job::MakeThisHost;
  return [names = launch.hosts, is_here = launch.is_here, tree = launch.tree,
          ssh = launch.ssh,
          binding](const job::HostSurroundings& surroundings,
                   job::HostObserver& observer) -> absl::StatusOr<job::Hosts> {
    const auto plan = std::make_shared<const RemotePlan>(
        RemotePlan{ssh, MakeOrder(surroundings.plan, ssh, binding),
                   std::make_shared<StartGate>()});
    job::Hosts hosts;
    std::vector<RemoteHost*> remote(names.size());
    for (uint32_t number = 0; number < names.size(); ++number) {
      if (!is_here[number]) {
        RemoteHost* const through =
            tree[number].has_value() ? remote[*tree[number]] : nullptr;
        auto host = std::make_unique<RemoteHost>(
            surroundings, plan, number, names[number], through, observer);
        remote[number] = host.get();
        hosts.push_back(std::move(host));
        continue;
      }
      auto here = job::HostRanks::Create(surroundings, number, observer);
      if (!here.ok()) return here.status();
      hosts.push_back(*std::move(here));
    }
    return hosts;
  };
}

}  // namespace gasnet::gasnetrun
