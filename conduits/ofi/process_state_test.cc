#include "conduits/ofi/process_state.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

namespace gasnet::ofi {
namespace {

void Foreign(int) {}

TEST(ProcessStateTest, HandlersAreAsBefore) {
  signal(SIGSEGV, SIG_DFL);
  {
    const ProcessStateKept kept;
    signal(SIGSEGV, &Foreign);
    signal(SIGTERM, &Foreign);
  }
  EXPECT_EQ(signal(SIGSEGV, SIG_DFL), SIG_DFL);
  EXPECT_EQ(signal(SIGTERM, SIG_DFL), SIG_DFL);
}

TEST(ProcessStateTest, ProcessorsAreAsBefore) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t first;
  CPU_ZERO(&first);
  for (int cpu = 0; CPU_COUNT(&first) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &first);
  }
  {
    const ProcessStateKept kept;
    ASSERT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
  }
  cpu_set_t now;
  ASSERT_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &all));
}

}  // namespace
}  // namespace gasnet::ofi
