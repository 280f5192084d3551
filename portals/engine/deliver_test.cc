#include "portals/engine/deliver.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <thread>

#include "base/clock.h"
#include "gtest/gtest.h"
#include "portals/testing/least_region.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

constexpr int64_t kPatience = 2 * kNanosPerSecond;

ProcessWord DeadProcess() {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  const ProcessWord process = IdentifyProcess(child);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return process;
}

// An interface whose opening thread has ended.
class OwnerTest : public testing::Test {
 protected:
  void SetUp() override {
    IdentifyThisProcess();
    std::thread([this] { new (&region_) Region(MakeRegion(kCounts)); }).join();
    ASSERT_TRUE(region_.valid());
  }
  RegionHeader& header() {
    return *static_cast<RegionHeader*>(region_.memory());
  }
  bool IsThere() { return portals4::IsThere(View(region_.memory(), kCounts)); }

  static constexpr Counts kCounts = LeastCounts();
  Region region_;
};

TEST_F(OwnerTest, IsThereWhenItsThreadHasEnded) {
  EXPECT_EQ(header().seen_alive.load(), 0);
  EXPECT_TRUE(IsThere());
  EXPECT_GT(header().seen_alive.load(), 0);
}

TEST_F(OwnerTest, IsAskedForAgainOnlyAfterAWhile) {
  header().owner = DeadProcess();
  EXPECT_FALSE(IsThere());
  const int64_t patience = NowNanos() + kPatience;
  bool there = false;
  while (!there && NowNanos() < patience) {
    header().seen_alive.store(NowNanos());
    there = IsThere();
  }
  EXPECT_TRUE(there) << "the answer is not remembered";
  header().seen_alive.store(NowNanos() - 2 * kAliveFor);
  EXPECT_FALSE(IsThere());
}

TEST_F(OwnerTest, IsNotThereWhenSeenAtATimeThatCannotBe) {
  header().owner = DeadProcess();
  for (const int64_t seen : {INT64_MIN, INT64_MAX}) {
    header().seen_alive.store(seen);
    EXPECT_FALSE(IsThere()) << seen;
  }
}

}  // namespace
}  // namespace gasnet::portals4
