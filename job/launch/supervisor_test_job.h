// For tests: the supervisor of a job on two scripted hosts.
#ifndef JOB_LAUNCH_SUPERVISOR_TEST_JOB_H_
#define JOB_LAUNCH_SUPERVISOR_TEST_JOB_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "job/launch/supervisor.h"
#include "job/testing/fake_host.h"

namespace gasnet::job {

// Three ranks: 0 and 2 on the host h0, 1 on h1.
class SupervisorTest : public testing::Test {
 protected:
  using Script = std::function<void(HostObserver&, FakeHost&, FakeHost&)>;

  SupervisorTest() {
    plan_.name = "launcher";
    plan_.program = "a.out";
    plan_.size = 3;
    plan_.host_of = {0, 1, 0};
    plan_.environment = {"A=1", "B=2"};
  }

  // Runs a job whose ranks start, join (unless `joins` is false), and then
  // follow the script.
  int Run(const Script& script, bool joins = true) {
    return RunHosts([&](HostObserver& observer, FakeHost& h0, FakeHost& h1) {
      StartAll(h0, h1, joins);
      script(observer, h0, h1);
    });
  }

  // Runs a job that is entirely scripted.
  int RunHosts(const Script& script) {
    testing::internal::CaptureStderr();
    int code = -1;
    {
      Supervisor supervisor(
          plan_, [&](const HostSurroundings&, HostObserver& observer) {
            return MakeHosts(observer, script);
          });
      const auto started = supervisor.Start();
      start_ = started.status();
      if (started.ok()) code = supervisor.Run();
    }
    said_ = testing::internal::GetCapturedStderr();
    return code;
  }

  static void StartAll(FakeHost& first, FakeHost& second, bool joins) {
    first.ThenStart(0);
    first.ThenStart(2);
    second.ThenStart(1);
    // Adds a step that does nothing, because both hosts need the same number of
    // steps.
    second.Then([] {});
    if (!joins) return;
    first.ThenJoin(0);
    first.ThenJoin(2);
    second.ThenJoin(1);
    second.Then([] {});
  }

  Hosts MakeHosts(HostObserver& observer, const Script& script) {
    auto first = std::make_unique<FakeHost>(0, 4, observer, h0_);
    auto second = std::make_unique<FakeHost>(1, 8, observer, h1_);
    script(observer, *first, *second);
    Hosts hosts;
    hosts.push_back(std::move(first));
    hosts.push_back(std::move(second));
    return hosts;
  }

  JobPlan plan_;
  FakeHost::Record h0_, h1_;
  absl::Status start_;
  std::string said_;
};

// Appends steps in which a rank calls gasnet_exit and its process ends.
inline void ThenExit(HostObserver& observer, FakeHost& host, uint32_t rank,
                     int code) {
  host.Then([&observer, rank, code] { observer.OnExit(rank, code); });
  host.ThenEnd(rank, code << 8);
}

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_SUPERVISOR_TEST_JOB_H_
