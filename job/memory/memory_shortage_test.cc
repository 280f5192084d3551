// Tests the handler that guards shared memory. The first range installs the
// handler, and the last range removes it.
#include "job/memory/memory_shortage.h"

#include <signal.h>
#include <stdlib.h>

#include <array>
#include <utility>

#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "job/memory/host_memory.h"

namespace gasnet::job {
namespace {

class GuardTest : public ::testing::Test {
 protected:
  GuardTest() {
    setenv("GASNET_HOST_MEMORY", "tmp", 1);
    auto made = CreateHostMemory();
    EXPECT_TRUE(made.ok()) << made.status();
    if (made.ok()) file_ = *std::move(made);
    sigaction(SIGBUS, nullptr, &before_);
  }
  ~GuardTest() override { sigaction(SIGBUS, &before_, nullptr); }

  void Guard(const char& range) {
    GuardHostMemory(file_.get(), &range, sizeof range, "a range");
  }

  static bool IsOurs() {
    struct sigaction now;
    sigaction(SIGBUS, nullptr, &now);
    return (now.sa_flags & SA_SIGINFO) != 0;
  }

  const std::array<char, 2> ranges_ = {};
  UniqueFd file_;
  struct sigaction before_;
};

TEST_F(GuardTest, TheHandlerGoesWithTheLastRange) {
  if (IsOurs()) GTEST_SKIP() << "somebody else handles SIGBUS here";
  for (int round = 0; round < 3; ++round) {
    Guard(ranges_[0]);
    Guard(ranges_[1]);
    EXPECT_TRUE(IsOurs());
    UnguardHostMemory(&ranges_[0], 1);
    EXPECT_TRUE(IsOurs());
    UnguardHostMemory(&ranges_[1], 1);
    EXPECT_FALSE(IsOurs());
  }
}

TEST_F(GuardTest, AHandlerOfTheClientsStays) {
  Guard(ranges_[0]);
  signal(SIGBUS, SIG_IGN);
  UnguardHostMemory(&ranges_[0], 1);
  struct sigaction now;
  sigaction(SIGBUS, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
}

TEST_F(GuardTest, RangesOfOneMappingEndTogether) {
  if (IsOurs()) GTEST_SKIP() << "somebody else handles SIGBUS here";
  Guard(ranges_[0]);
  Guard(ranges_[1]);
  UnguardHostMemory(ranges_.data(), ranges_.size());
  EXPECT_FALSE(IsOurs());
}

TEST_F(GuardTest, MemoryThatIsNotGuardedIsNone) {
  Guard(ranges_[0]);
  UnguardHostMemory(&ranges_[1], 1);
  UnguardHostMemory(&ranges_[0], 1);
  UnguardHostMemory(&ranges_[0], 1);
  struct sigaction now;
  sigaction(SIGBUS, nullptr, &now);
  EXPECT_EQ(now.sa_flags & SA_SIGINFO, before_.sa_flags & SA_SIGINFO);
}

}  // namespace
}  // namespace gasnet::job
