#include "job/bootstrap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/memory/host_memory.h"
#include "job/testing/launcher_end.h"
#include "job/wire/frame.h"
#include "job/wire/handoff.h"
#include "job/wire/limits.h"
#include "job/wire/messages.h"
#include "job/wire/secret.h"

namespace gasnet::job {
namespace {

bool IsCloseOnExec(int fd) { return fcntl(fd, F_GETFD) == FD_CLOEXEC; }

// Plays a launcher that has started this process as rank 2 of 3.
class BootstrapTest : public testing::Test {
 protected:
  BootstrapTest() {
    handoff_ = {.rank = 2,
                .size = 3,
                .control = channel_.get(),
                .secret = secret_fd_.get(),
                .memory = memory_.get(),
                .reached = {.at = "192.0.2.3", .from = "192.0.2.1"}};
  }
  ~BootstrapTest() override { unsetenv(Handoff::kVariable); }

  void Announce() const {
    for (const int fd : Descriptors()) SetCloseOnExec(fd, false);
    setenv(Handoff::kVariable, handoff_.ToText().c_str(), 1);
  }

  std::vector<int> Descriptors() const {
    return {handoff_.control, handoff_.secret, handoff_.memory};
  }

  // Joins the job. The rank takes ownership of the descriptors.
  absl::StatusOr<RankStart> Join(const std::string& config) {
    channel_.Release();
    secret_fd_.Release();
    memory_.Release();
    return JoinJob(handoff_, config);
  }

  LauncherEnd launcher_;
  const Secret secret_ = *Secret::Generate();
  Handoff handoff_;

 private:
  UniqueFd channel_ = launcher_.TakeRankEnd();
  UniqueFd secret_fd_ = *secret_.ToDescriptor();
  UniqueFd memory_ = *CreateHostMemory();
};

TEST_F(BootstrapTest, HasNoHandoffWithoutALauncher) {
  unsetenv(Handoff::kVariable);
  const auto taken = TakeHandoff();
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_FALSE(taken->has_value());
}

TEST_F(BootstrapTest, TakesTheHandoffAndLeavesNothingToItsChildren) {
  Announce();
  const auto taken = TakeHandoff();
  ASSERT_TRUE(taken.ok()) << taken.status();
  ASSERT_TRUE(taken->has_value());
  EXPECT_EQ((*taken)->ToText(), handoff_.ToText());
  EXPECT_EQ(getenv(Handoff::kVariable), nullptr);
  for (const int fd : Descriptors()) EXPECT_TRUE(IsCloseOnExec(fd)) << fd;
}

TEST_F(BootstrapTest, RefusesAHandoffThatNoLauncherWrote) {
  setenv(Handoff::kVariable, "yes", 1);
  EXPECT_EQ(TakeHandoff().status().code(), absl::StatusCode::kInvalidArgument);
}

// A wrapper between launcher and program may have closed the descriptors. Other
// files may then have the same descriptor numbers.
TEST_F(BootstrapTest, RefusesDescriptorsThatAreNotWhatTheyShouldBe) {
  std::swap(handoff_.control, handoff_.memory);
  Announce();
  EXPECT_EQ(TakeHandoff().status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(BootstrapTest, StartsWithWhatTheLauncherSays) {
  launcher_.Send(EncodeWelcome(
      {.host_of = {0, 0, 1}, .host_cpus = {2, 4}, .environment = {"A=1"}}));
  const auto start = Join("PAR");
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->membership.rank, 2u);
  EXPECT_EQ(start->membership.host_of, (std::vector<uint32_t>{0, 0, 1}));
  EXPECT_EQ(start->membership.host_cpus, 4u);
  EXPECT_EQ(start->membership.reached.at, "192.0.2.3");
  EXPECT_EQ(start->environment, std::vector<std::string>{"A=1"});
  EXPECT_EQ(start->host_memory.get(), handoff_.memory);
  EXPECT_EQ(start->secret->bytes(), secret_.bytes());
  EXPECT_NE(start->link, nullptr);
}

TEST_F(BootstrapTest, ShowsTheSecretAndSaysWhoItIs) {
  launcher_.Send(EncodeWelcome(LauncherEnd::ToAll()));
  const std::string config(kMaxConfigBytes + 1, 'c');
  ASSERT_TRUE(Join(config).ok());
  const std::optional<Frame> frame = launcher_.Next();
  ASSERT_TRUE(frame.has_value());
  Hello hello;
  ASSERT_TRUE(DecodeHello(frame->payload, hello));
  EXPECT_TRUE(secret_.Matches(hello.proof));
  EXPECT_EQ(hello.rank, 2u);
  EXPECT_EQ(hello.pid, static_cast<uint32_t>(getpid()));
  EXPECT_EQ(hello.config, config.substr(1));
}

TEST_F(BootstrapTest, RefusesTheWelcomeOfAnotherJob) {
  launcher_.Send(EncodeWelcome({.host_of = {0, 0}, .host_cpus = {1}}));
  EXPECT_EQ(Join("PAR").status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(BootstrapTest, ClosesTheSecretWhereItCannotJoin) {
  launcher_.Close();
  EXPECT_EQ(Join("PAR").status().code(), absl::StatusCode::kUnavailable);
  for (const int fd : Descriptors()) EXPECT_EQ(fcntl(fd, F_GETFD), -1) << fd;
}

TEST(BeAloneTest, IsAJobOfOneWithMemoryAndTheOwnEnvironment) {
  setenv("BOOTSTRAP_TEST", "alone", 1);
  const auto start = BeAlone();
  ASSERT_TRUE(start.ok()) << start.status();
  EXPECT_EQ(start->membership.size(), 1u);
  EXPECT_GE(start->membership.host_cpus, 1u);
  EXPECT_NE(std::find(start->environment.begin(), start->environment.end(),
                      "BOOTSTRAP_TEST=alone"),
            start->environment.end());
  EXPECT_TRUE(IsCloseOnExec(start->host_memory.get()));
  EXPECT_EQ(start->link, nullptr);
  EXPECT_FALSE(start->secret.has_value());
}

// HasProcessManager() returns true for an invalid choice too. The error is
// reported later, when the manager is used.
TEST(ProcessManagerTest, IsThereWhereItIsChosenOrWronglyChosen) {
  setenv("GASNET_SPAWN_CONTROL", "none", 1);
  EXPECT_FALSE(HasProcessManager());
  setenv("GASNET_SPAWN_CONTROL", "another", 1);
  EXPECT_TRUE(HasProcessManager());
  setenv("GASNET_SPAWN_CONTROL", "pmix", 1);
  setenv("PMIX_NAMESPACE", "job", 1);
  setenv("PMIX_RANK", "0", 1);
  EXPECT_TRUE(HasProcessManager());
}

}  // namespace
}  // namespace gasnet::job
