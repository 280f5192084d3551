#include "job/managed/head.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/env.h"
#include "base/log.h"
#include "job/launch/job_plan.h"
#include "job/launch/open_files.h"
#include "job/launch/supervisor.h"
#include "job/managed/enrollment.h"
#include "job/managed/member_host.h"

namespace gasnet::job {
namespace {

// Returns each rank's host. Hosts are numbered in the order of their first
// rank.
std::vector<uint32_t> NumberHosts(const Roster& roster) {
  std::vector<std::string> hosts;
  std::vector<uint32_t> host_of;
  for (const EnrolledMember& member : roster) {
    const auto known = std::find(hosts.begin(), hosts.end(), member.hello.host);
    host_of.push_back(static_cast<uint32_t>(known - hosts.begin()));
    if (known == hosts.end()) hosts.push_back(member.hello.host);
  }
  return host_of;
}

JobPlan PlanFor(const Roster& roster) {
  JobPlan plan;
  plan.name = program_invocation_short_name;
  plan.size = static_cast<uint32_t>(roster.size());
  plan.host_of = NumberHosts(roster);
  // The head starts no processes. The number serves to reserve descriptors: the
  // head holds two for each member, both ends of the member's stream.
  plan.processes = plan.size;
  plan.environment = ProcessEnvironment();
  plan.forward_output = false;
  return plan;
}

// Passes on only the first signal. A launcher signals all members at once, and
// these signals must count as one request.
class OneSignal {
 public:
  void operator()(int signal_number) {
    constexpr int kWishes[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const bool is_wish =
        std::count(std::begin(kWishes), std::end(kWishes), signal_number) > 0;
    if (is_wish && !std::exchange(taken_, true)) kill(getpid(), signal_number);
  }

 private:
  bool taken_ = false;
};

int Supervise(Roster roster) {
  JobPlan plan = PlanFor(roster);
  const std::vector<uint32_t> host_of = plan.host_of;
  const uint32_t hosts = *std::max_element(host_of.begin(), host_of.end()) + 1;
  auto one_signal = std::make_shared<OneSignal>();
  std::vector<MemberHost*> made;
  const MakeHosts make_hosts = [&](const HostSurroundings& surroundings,
                                   HostObserver& observer) {
    Hosts all;
    for (uint32_t number = 0; number < hosts; ++number) {
      auto host = std::make_unique<MemberHost>(
          number, host_of, roster, surroundings.loop, observer,
          [one_signal](int signal_number) { (*one_signal)(signal_number); });
      made.push_back(host.get());
      all.push_back(std::move(host));
    }
    return absl::StatusOr<Hosts>(std::move(all));
  };
  Supervisor supervisor(std::move(plan), make_hosts);
  const auto started = supervisor.Start();
  if (!started.ok()) {
    Warn("%s", std::string(started.status().message()).c_str());
    return EXIT_FAILURE;
  }
  const int code = supervisor.Run();
  for (MemberHost* const host : made) host->Release(code);
  return code;
}

// Resets the handling of all signals to the default, because the client may
// have changed it. SIGPIPE is ignored.
void TakeDefaultSignals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void Run(HeadSocket socket, uint32_t size, pid_t member) {
  prctl(PR_SET_NAME, "gasnet-head");
  setsid();
  TakeDefaultSignals();
  SetFatalExitCode(EXIT_FAILURE);
  // Makes the head die with rank 0's member. The head cannot notice the
  // member's death in another way before the member has enrolled.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != member) _exit(EXIT_FAILURE);
  // Raises the limit now. The members' streams are open long before the
  // supervisor would raise the limit.
  rlimit before;
  const absl::Status enough = ReserveOpenFiles(size, before);
  if (!enough.ok()) {
    Warn("%s", std::string(enough.message()).c_str());
    _exit(EXIT_FAILURE);
  }
  auto roster =
      Enrollment(socket.listener.get(), socket.address.secret, size).Await();
  socket.listener.Reset();
  if (!roster.has_value()) _exit(EXIT_FAILURE);
  prctl(PR_SET_PDEATHSIG, 0);
  _exit(Supervise(*std::move(roster)));
}

}  // namespace

absl::StatusOr<pid_t> StartHead(HeadSocket socket, uint32_t size) {
  const pid_t self = getpid();
  const pid_t pid = fork();
  if (pid < 0) return absl::ErrnoToStatus(errno, "cannot start a process");
  if (pid == 0) Run(std::move(socket), size, self);
  return pid;
}

}  // namespace gasnet::job
